// SPDX-License-Identifier: Apache-2.0
/// The item types of .npy files and how they become samples.
#pragma once

#include <string>

#include "tessera/view.hpp"

namespace tessera {

struct NpyItem {
  Type type = Type::u8;  ///< what it is read as
  int bytes = 1;         ///< in the file
  bool swapped = false;  ///< the other byte order than this machine's
  bool boolean = false;

  /// Whether the bytes of the file are the samples, but for their order.
  bool plain() const { return bytes == bytes_of(type) && !boolean; }
};

/// What "<f4" stands for; throws Error(input) with the supported ones.
NpyItem npy_item(const std::string& path, const std::string& descr);

/// Turns items into samples; `raw` may be `samples` where the item is plain.
void decode_npy(const NpyItem& item, const unsigned char* raw, unsigned char* samples,
                long long count);

}  // namespace tessera
