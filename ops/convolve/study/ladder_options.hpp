// SPDX-License-Identifier: Apache-2.0
/// Options that only the study of convolution has.
#pragma once

#include <optional>
#include <string>
#include <tuple>

#include "ops/convolve/study/ladder_shape.hpp"
#include "study/studies.hpp"

namespace tessera {

struct LadderOptions {
  std::string journal = "auto", compile, learn, shared = "auto";
  std::optional<int> registers, blocks;

  static constexpr auto fields() {
    using O = LadderOptions;
    return std::tuple{
        field("journal", &O::journal,
              "the file in which --search 110 keeps the time of every candidate, and from which it "
              "goes on; auto: in the cache folder"),
        field("compile", &O::compile,
              "time nothing: compile the candidates of --search 110 for a device of another "
              "machine, such as sm_90, into the cache folder, which can then be copied there"),
        field("learn", &O::learn,
              "time nothing: from this journal of --search 110, predict the best blocks and tile "
              "factors of filters that it does not hold, and report what predictions lose"),
        field("shared", &O::shared,
              "shared memory of a multiprocessor that rung 7 and the search may fill, such as 48K "
              "in 2012; auto: the device's own"),
        field("registers", &O::registers,
              "registers of a multiprocessor that rung 7 may fill; auto: 65536"),
        field("blocks", &O::blocks,
              "blocks that rung 7 fits into a multiprocessor; auto: two for small filters and one "
              "for large ones, as in the paper")};
  }
};

/// --shared in bytes; none for auto. Throws Error(usage).
std::optional<int> shared_bytes_wanted(const LadderOptions& options);

/// The limits that rung 7 adapts to, if they are not all the device's own; shared memory that was
/// not given is 0. Throws Error(usage).
std::optional<LadderLimits> limits_wanted(const LadderOptions& options);

/// The combinations that --search, --journal, --compile and --learn have. Throws Error(usage).
void check_ladder_options(const StudyOptions& options, const LadderOptions& own);

}  // namespace tessera
