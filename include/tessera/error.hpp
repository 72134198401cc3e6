// SPDX-License-Identifier: Apache-2.0
/// The one exception of the library. The library never prints, exits or reads the terminal.
#pragma once

#include <stdexcept>
#include <string>

#include "tessera/export.hpp"

namespace tessera {

/// Why something failed; the value is the command line's exit code.
enum class ErrorKind {
  failure = 1,    ///< a missing program or library, or a bug
  usage = 2,      ///< bad options, shapes that do not fit, an output that exists
  input = 3,      ///< missing, unreadable, damaged or unsupported files
  partial = 4,    ///< a job that finished without some of its inputs
  resources = 5,  ///< memory, disk or device ran out
};

/// The message reads "operation: what is wrong, with the numbers; what would be right".
class TESSERA_API Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace tessera
