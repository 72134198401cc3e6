// SPDX-License-Identifier: Apache-2.0
/// The header of a NumPy .npy file, versions 1 to 3.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/file.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// The first bytes of a NumPy file.
inline constexpr std::string_view kNpyMagic("\x93NUMPY", 6);

struct NpyHeader {
  std::string descr;  ///< "<f4": byte order, kind, bytes per item
  bool fortran_order = false;
  std::vector<long long> shape;
};

/// The dictionary of a header: "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }".
/// Throws Error(input) that names the file and the byte of the text that is wrong.
NpyHeader parse_npy_header(const std::string& path, std::string_view text);

/// The dictionary of a file, and where the samples begin. Throws Error(input) if the file is not an
/// NPY file.
struct NpyText {
  std::string text;
  long long data_offset = 0;
};
NpyText read_npy_text(const File& file);

/// The bytes before the samples, for a dictionary's text.
std::string npy_bytes_of_text(std::string text);

/// The bytes before the samples of an image in C order and this machine's byte order.
std::string npy_header_bytes(const ImageInfo& info);

}  // namespace tessera
