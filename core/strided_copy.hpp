// SPDX-License-Identifier: Apache-2.0
/// Copies strided values to contiguous memory: neighbours stay neighbours.
#pragma once

#include <span>

namespace tessera {

/// Number of values, at least one, and bytes from one to the next. A step of one value is never
/// taken.
struct CopyAxis {
  long long count, from;
  long long to = 0;  ///< of the copy: pack_axes sets it
};

/// Steps of a copy without gaps whose axes keep their order, values of `item` bytes.
/// Returns the total number of bytes.
long long pack_axes(std::span<CopyAxis> axes, long long item);

/// Copies all values of the axes; no two of them overlap in the copy.
void copy_strided(std::span<const CopyAxis> axes, long long item, const void* from, void* to,
                  int threads);

}  // namespace tessera
