// SPDX-License-Identifier: Apache-2.0
/// The bytes of a recording: of a file, in any order, or of a pipe, from the first to the last.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/file.hpp"

namespace tessera {

class VoltageInput {
 public:
  /// "-" is standard input. Throws Error(input).
  explicit VoltageInput(const std::string& path);

  const std::string& name() const { return file_.path(); }
  bool is_pipe() const { return pipe_; }
  std::optional<long long> bytes() const;  ///< of a file
  const File& file() const { return file_; }

  /// Reads the bytes from `offset` on, at most `count`; returns how many there were. A pipe only
  /// goes forward, except within the bytes held in memory.
  long long read_some(long long offset, void* to, long long count);
  /// Exactly `count`; throws Error(input).
  void read_all(long long offset, void* to, long long count);
  /// How many of these bytes exist. A pipe keeps them until later bytes are read: throws
  /// Error(resources) if they do not fit in memory.
  long long available(long long offset, long long count);

 private:
  long long read_pipe(void* to, long long count);
  void forget_before(long long offset);

  bool pipe_;
  File file_;
  std::vector<char> held_;  ///< bytes of a pipe from held_first_ on
  long long held_first_ = 0;
};

/// "standard input" for "-".
std::string voltage_input_name(const std::string& path);

}  // namespace tessera
