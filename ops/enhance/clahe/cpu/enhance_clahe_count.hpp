// SPDX-License-Identifier: Apache-2.0
/// What the tiles of adaptive equalisation count.
#pragma once

#include <cstdint>
#include <mutex>

#include "ops/enhance/clahe/enhance_clahe_shape.hpp"

namespace tessera {

/// Adds the smallest and the largest 16-bit value of `rows` to `counts`, 65536 of them, under the
/// lock: enough for the range of all.
void add_clahe_range(const ClaheShape& shape, const ClaheGroup& group, const Piece& in, Rows rows,
                     std::uint64_t* counts, std::mutex& adding);

/// Adds `rows` to the counts of all tiles they lie in, reflected rows and columns included.
void count_clahe_tiles(const ClaheShape& shape, const ClaheGroup& group, const Piece& in, Rows rows,
                       std::uint64_t* counts, std::mutex& adding);

}  // namespace tessera
