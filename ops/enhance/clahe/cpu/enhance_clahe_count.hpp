// SPDX-License-Identifier: Apache-2.0
/// Counts for the tiles of adaptive equalisation.
#pragma once

#include <cstdint>
#include <mutex>

#include "ops/enhance/clahe/enhance_clahe_shape.hpp"

namespace tessera {

/// Adds the smallest and the largest 16-bit value of `rows` to the 65536 `counts`, under the lock:
/// enough to find the range of the image.
void add_clahe_range(const ClaheShape& shape, const ClaheGroup& group, const Piece& in, Rows rows,
                     std::uint64_t* counts, std::mutex& adding);

/// Raises the two numbers of ClaheFloatRange by the finite values of `rows`, under the lock.
void add_clahe_float_range(const ClaheShape& shape, const ClaheGroup& group, const Piece& in,
                           Rows rows, std::uint64_t* numbers, std::mutex& adding);

/// Adds `rows` to the counts of all tiles they lie in, including reflected rows and columns.
void count_clahe_tiles(const ClaheShape& shape, const ClaheGroup& group, const Piece& in, Rows rows,
                       std::uint64_t* counts, std::mutex& adding);

}  // namespace tessera
