// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/study/ladder_options.hpp"

#include <fmt/format.h>

#include "ops/convolve/study/ladder_space.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr int kMostShared = 1 << 20, kMostRegisters = 1 << 20, kMostWantedBlocks = 32;

void check_within(const char* option, const std::optional<int>& value, int most) {
  if (value && (*value < 1 || *value > most))
    throw Error(ErrorKind::usage, fmt::format("{}: {} is not from 1 to {}", option, *value, most));
}

}  // namespace

std::optional<int> shared_bytes_wanted(const LadderOptions& options) {
  if (options.shared == "auto") return std::nullopt;
  std::string number = options.shared;
  const bool kilobytes = number.ends_with('K') || number.ends_with('k');
  if (kilobytes) number.pop_back();
  long long bytes = 0;
  try {
    from_text("--shared", number, bytes);
  } catch (const Error&) {
    bytes = 0;  // refused below, with what would be right
  }
  if (bytes < kMostShared && kilobytes) bytes *= 1024;
  if (bytes < 1 || bytes > kMostShared)
    throw Error(ErrorKind::usage,
                fmt::format("--shared: '{}' is not a number of bytes up to {}, such as 48K",
                            options.shared, kMostShared));
  return static_cast<int>(bytes);
}

std::optional<LadderLimits> limits_wanted(const LadderOptions& options) {
  check_within("--registers", options.registers, kMostRegisters);
  check_within("--blocks", options.blocks, kMostWantedBlocks);
  const std::optional<int> shared = shared_bytes_wanted(options);
  if (!shared && !options.registers && !options.blocks) return std::nullopt;
  LadderLimits limits;
  limits.shared_bytes_per_block = shared.value_or(0);
  limits.registers = options.registers.value_or(limits.registers);
  limits.blocks = options.blocks;
  if (shared) limits.reserved_bytes = 0;
  return limits;
}

void check_ladder_options(const StudyOptions& options, const LadderOptions& own) {
  const bool whole = options.search == kWholeSearch;
  if (!whole && (options.search < 1 || options.search > kMostFirst))
    throw Error(ErrorKind::usage,
                fmt::format("--search: {} is not from 1 to {}, nor {}, the paper's whole space",
                            options.search, kMostFirst, kWholeSearch));
  if (!whole && own.journal != "auto")
    throw Error(ErrorKind::usage, fmt::format("--journal: only a search of the whole space keeps "
                                              "one; give --search {} with it",
                                              kWholeSearch));
  if (!whole && !own.compile.empty())
    throw Error(ErrorKind::usage, fmt::format("--compile: it compiles the paper's whole space; "
                                              "give --search {} with it",
                                              kWholeSearch));
  if (!own.learn.empty() && (whole || own.registers || own.blocks))
    throw Error(ErrorKind::usage,
                "--learn: it reads the journal that it names and times nothing; leave out "
                "--search, --registers and --blocks");
  if (whole && (own.registers || own.blocks))
    throw Error(
        ErrorKind::usage,
        "--registers, --blocks: they are limits of rung 7, which --search 110 does not run; "
        "leave them out");
  limits_wanted(own);
}

}  // namespace tessera
