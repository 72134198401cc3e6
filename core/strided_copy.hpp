// SPDX-License-Identifier: Apache-2.0
/// Values at steps of bytes, copied together: what lies side by side stays so.
#pragma once

#include <span>

namespace tessera {

/// How many values, one or more, and bytes from one to the next. A step of one value is never
/// taken.
struct CopyAxis {
  long long count, from;
  long long to = 0;  ///< of the copy: pack_axes sets it
};

/// Steps of a copy without gaps whose axes lie in the order they had, values of `item` bytes.
/// Returns the bytes of all.
long long pack_axes(std::span<CopyAxis> axes, long long item);

/// Copies all values of the axes; no two of them overlap in the copy.
void copy_strided(std::span<const CopyAxis> axes, long long item, const void* from, void* to,
                  int threads);

}  // namespace tessera
