// SPDX-License-Identifier: Apache-2.0
/// Errors that callers tell apart from others of their kind: Python has its own classes for them.
#pragma once

#include <string>

#include "tessera/error.hpp"

namespace tessera {

/// A file to be read does not exist.
struct MissingFile : Error {
  explicit MissingFile(const std::string& message) : Error(ErrorKind::input, message) {}
};

/// A file to be written exists.
struct ExistingOutput : Error {
  explicit ExistingOutput(const std::string& message) : Error(ErrorKind::usage, message) {}
};

}  // namespace tessera
