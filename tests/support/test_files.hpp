// SPDX-License-Identifier: Apache-2.0
/// A test program holds the files of a room and runs those of one file when started with
/// --file=NAME.
#pragma once

#include <string>

namespace tessera {

/// GoogleTest's filter, narrowed to the tests that stand in source file `name`. Throws
/// std::invalid_argument when the program has no such file.
std::string filter_for_file(const std::string& filter, const std::string& name);

}  // namespace tessera
