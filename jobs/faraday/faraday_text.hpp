// SPDX-License-Identifier: Apache-2.0
/// Small text files: lists of numbers, spectra.
#pragma once

#include <string>
#include <string_view>

namespace tessera {

/// Lines of seven numbers in full for 300,000 channels. What is longer is another kind of file, a
/// cube perhaps, and must not fill the memory.
inline constexpr long long kMostTextBytes = 1LL << 26;

/// All of a file, or of a pipe. Throws Error(input) where it cannot be read or holds more than
/// `most` bytes.
std::string read_text(const std::string& path, long long most = kMostTextBytes);

/// The first 60 bytes for a message, with '?' in the place of all that is no plain character.
std::string printable(std::string_view text);

}  // namespace tessera
