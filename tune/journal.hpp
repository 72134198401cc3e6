// SPDX-License-Identifier: Apache-2.0
/// What a search has measured so far, on disk after every size, so that a search that was stopped
/// goes on where it was.
#pragma once

#include <string>
#include <vector>

#include "tune/table.hpp"

namespace tessera {

class Journal {
 public:
  /// `settings` is what must be the same for a search to go on: another first line, and the journal
  /// is begun anew. An empty path keeps nothing.
  Journal(std::string path, std::string settings);

  /// The lines kept. A last line that was cut by a crash is dropped.
  const std::vector<TuningLine>& lines() const { return lines_; }
  /// Added with one write, so that whatever ends the process leaves whole lines.
  void add(const std::vector<TuningLine>& lines);
  void remove();

 private:
  bool go_on();  ///< reads what is there; false when it is of no use
  void begin();

  std::string path_, first_line_;
  std::vector<TuningLine> lines_;
};

}  // namespace tessera
