// SPDX-License-Identifier: Apache-2.0
/// The results of a search so far, saved after every size, so that a search that was stopped
/// continues where it was.
#pragma once

#include <string>
#include <vector>

#include "tune/table.hpp"

namespace tessera {

class Journal {
 public:
  /// `settings` is what must be the same for a search to continue: with another first line the
  /// journal starts again. An empty path keeps nothing.
  Journal(std::string path, std::string settings);

  /// The lines kept. A last line truncated by a crash is dropped.
  const std::vector<TuningLine>& lines() const { return lines_; }
  /// Added with one write, so that lines stay whole however the process ends.
  void add(const std::vector<TuningLine>& lines);
  void remove();

 private:
  bool go_on();  ///< reads the existing file; false if it cannot be used
  void begin();

  std::string path_, first_line_;
  std::vector<TuningLine> lines_;
};

}  // namespace tessera
