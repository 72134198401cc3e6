// SPDX-License-Identifier: Apache-2.0
/// A hidden file next to an output that only one rank can write: all ranks write to it, and rank 0
/// makes the output of it at the end.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "core/ranks.hpp"
#include "io/output.hpp"

namespace tessera {

/// `Made` is what writes the output.
template <class Made>
class Spool {
 public:
  /// `create` begins the output; only rank 0 calls it. Throws what it throws, on all ranks.
  Spool(const std::string& path, const std::function<std::unique_ptr<Made>()>& create)
      : made_(made_by_first(create)), output_(path, true, Output::Writers::all_ranks) {}

  const File& file() const { return output_.file(); }
  /// As Output::begin.
  void begin(const std::function<void()>& lay_out) const { output_.begin(lay_out); }
  /// Rank 0 writes the output when all that the ranks have written can be read.
  void finish(const std::function<void(Made&)>& write_output) {
    output_.share();
    if (made_) write_output(*made_);
    ranks().wait();
  }

 private:
  static std::unique_ptr<Made> made_by_first(const std::function<std::unique_ptr<Made>()>& create) {
    std::unique_ptr<Made> made;
    told_by_first([&] {
      made = create();
      return std::string();
    });
    return made;
  }

  std::unique_ptr<Made> made_;  ///< of rank 0
  Output output_;               ///< never finished, so that it vanishes
};

}  // namespace tessera
