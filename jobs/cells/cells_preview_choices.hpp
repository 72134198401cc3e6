// SPDX-License-Identifier: Apache-2.0
/// The choices that a film's first frames lead to, each with its reason, and the command line
/// that repeats them.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "jobs/cells/cells_job.hpp"

namespace tessera {

/// A choice in words: {"background", "still", "the default"}.
struct PreviewChoice {
  std::string name, value, why;

  static constexpr auto fields() {
    using C = PreviewChoice;
    return std::tuple{field("name", &C::name, "what is chosen"),
                      field("value", &C::value, "the choice"), field("why", &C::why, "its reason")};
  }
};

/// `found` is the result for the first frames; its options are those that were used.
std::vector<PreviewChoice> choices_of(const CellsJob& job, const CellsFilmResult& found);

/// "tessera cells track film.avi -o film-cells --min-radius 6 …", with words quoted for a shell:
/// the options of the job, and the choices that the frames led to.
std::string suggested_command(const CellsJob& job, const CellsOptions& used);

}  // namespace tessera
