// SPDX-License-Identifier: Apache-2.0
/// The item types of .npy files and how they become samples.
#pragma once

#include <string>

#include "tessera/view.hpp"

namespace tessera {

struct NpyItem {
  Type type = Type::u8;  ///< the type of the samples it becomes
  int bytes = 1;         ///< in the file
  bool swapped = false;  ///< not in this machine's byte order
  bool boolean = false;

  /// Whether the bytes of the file are the samples, except for the byte order.
  bool plain() const { return bytes == bytes_of(type) && !boolean; }
};

/// The item type of a name such as "<f4"; throws Error(input) that lists the supported ones.
NpyItem npy_item(const std::string& path, const std::string& descr);

/// Turns items into samples; `raw` may be `samples` if the item is plain.
void decode_npy(const NpyItem& item, const unsigned char* raw, unsigned char* samples,
                long long count);

}  // namespace tessera
