// SPDX-License-Identifier: Apache-2.0
/// --part: which part of a run this process does.
#pragma once

#include <string>

namespace tessera {

struct PartChoice {
  std::string word;  ///< "3/40", or "slurm"; empty: all of the run
  static constexpr const char* kHint = "K/N|slurm";
};

/// Part `part` of `parts`, counted from 1.
struct PartOfRun {
  int part = 1, parts = 1;

  std::string text() const;  ///< "part 3 of 40"
};

/// Throws Error(usage) if the word is malformed, or if Slurm's variables are not those of a task of
/// an array without gaps.
PartOfRun parse_part(const PartChoice& choice);

/// "out.npy.part-3-of-40"
std::string part_folder(const std::string& output, const PartOfRun& part);

}  // namespace tessera
