// SPDX-License-Identifier: Apache-2.0
/// What ranks that share a run must agree on before they begin (core/ranks.hpp). Parts of a run
/// (core/part_rows.hpp) agree when they are joined.
#pragma once

#include <string>

#include "core/ranks.hpp"
#include "tessera/options.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Throws Error(input) on all ranks if one of them sees another file of this name, or another image
/// in it, than rank 0.
void check_same_file(const std::string& path, const ImageInfo& image);

/// The same for the list of a batch's inputs.
void check_same_list(const std::string& input, long long count, const std::string& list);

/// Throws Error(usage) on all ranks if one of them would run something else than rank 0.
/// Results that are `exact` may come from any processor.
void check_same_method(const std::string& described, bool exact);

/// Each part makes its own choice; they are joined by that of the first.
template <class Options, class Make>
auto plan_of_parts(Options options, const Make& make) {
  if (is_part()) {
    auto plan = make(options);
    ranks().gathered(to_text(plan.backend()));
    ranks().gathered(plan.method());
    return plan;
  }
  from_text("backend", ranks().gathered("").front(), options.backend);
  options.method = ranks().gathered("").front();
  return make(options);
}

/// The options with the backend and the method that rank 0 has chosen; `make` makes a plan of
/// options.
template <class Options, class Make>
auto plan_of_ranks(Options options, const Make& make) {
  if (ranks().apart()) return plan_of_parts(std::move(options), make);
  if (ranks().count() == 1 || ranks().first()) {
    auto plan = make(options);
    if (ranks().count() > 1) {
      ranks().told(to_text(plan.backend()));
      ranks().told(plan.method());
    }
    return plan;
  }
  from_text("backend", ranks().told(""), options.backend);
  options.method = ranks().told("");
  return make(options);
}

}  // namespace tessera
