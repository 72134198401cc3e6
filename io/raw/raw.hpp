// SPDX-License-Identifier: Apache-2.0
/// Samples without a header (.raw): "640x480:u16" says what they are.
///
/// Read: WIDTHxHEIGHT[xCHANNELS[xPLANES]]:TYPE[:big][:skip=BYTES], TYPE one of u8, u16, f32, f64,
/// i16 (read as f32), i32 (as f64); little-endian unless `big`; `skip` bytes lie before the first
/// sample. Written: packed samples in
/// this machine's byte order, nothing else.
#pragma once

#include "core/items.hpp"
#include "io/formats.hpp"

namespace tessera {

struct RawLayout {
  ClaimedSize size;
  Type type = Type::u8;  ///< in the file
  bool big = false;
  long long skip = 0;

  Items items() const;
};

/// Throws Error(usage) that names the part that is wrong.
RawLayout parse_raw_layout(std::string_view text);

/// The text with which an image is read back from a raw file.
std::string raw_layout_text(const ImageInfo& info);

Format raw_format();

}  // namespace tessera
