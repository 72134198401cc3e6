// SPDX-License-Identifier: Apache-2.0
/// Small text files: lists of numbers, spectra.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// Lines of seven numbers in full precision for 300,000 channels. A longer file is of another kind,
/// perhaps a cube, and must not fill the memory.
inline constexpr long long kMostTextBytes = 1LL << 26;

/// All of a file, or of a pipe. Throws Error(input) if it cannot be read or has more than `most`
/// bytes.
std::string read_text(const std::string& path, long long most = kMostTextBytes);

/// One line per channel: numbers separated by spaces or commas; '#' begins a comment, and empty
/// lines do not count.
struct TextColumns {
  std::vector<std::vector<double>> columns;
  std::vector<long long> line;  ///< of the file, counted from 1
};

/// The number of columns is one of `counts`, the same in all lines; `right` says so in words. If
/// there are two or more, the first is a frequency in hertz. Throws Error(input) naming file and
/// line.
TextColumns read_columns(const std::string& path, std::span<const std::size_t> counts,
                         const char* right);

/// The first 60 bytes for a message, with '?' instead of characters that are not printable ASCII.
std::string printable(std::string_view text);

}  // namespace tessera
