// SPDX-License-Identifier: Apache-2.0
// From int32 sums of tiles to int64 sums in triangular order.
#include <algorithm>

#include "core/parallel.hpp"
#include "ops/xengine/xengine_dot_tiles.hpp"
#include "ops/xengine/xengine_index.cuh"

namespace tessera {
namespace {

/// What is missing from a row's sums, modulo 2^32, as the sums are.
struct RowLack {
  std::uint32_t re = 0, im = 0;
};

RowLack row_lack(DotLack lack, const std::int32_t* parts, long long padded) {
  if (lack != DotLack::turned_unsigned) return {};
  const auto re = static_cast<std::uint32_t>(parts[0]), im = static_cast<std::uint32_t>(parts[1]);
  // 128 times the bytes of A, and of B: (im, -re - 1) of every sample, those of the padding too.
  return {-128U * (re + im), -128U * (im - re - static_cast<std::uint32_t>(padded))};
}

/// A row of a tile: sums of columns, and what they lack.
struct TileRow {
  const std::int32_t *re, *im;
  const std::int32_t* parts;  ///< of the columns; null: they lack nothing
  RowLack lack;

  std::int32_t real(int j) const { return add(re[j], lack.re); }
  std::int32_t imaginary(int j) const {
    return add(im[j], lack.im + (parts ? static_cast<std::uint32_t>(parts[2 * j + 1]) : 0));
  }

 private:
  static std::int32_t add(std::int32_t sum, std::uint32_t missing) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(sum) + missing);
  }
};

}  // namespace

void DotTiles::flush(std::int64_t* sums, int threads) {
  parallel_for(channels_ * panels_, threads,
               [&](int i) { flush_row(i % channels_, panels_ - 1 - i / channels_, sums); });
  padded_ = 0;
}

void DotTiles::flush_row(int c, int row, std::int64_t* sums) const {
  const Channel at = channel(c);
  const int panel = kernel_.panel, pols = problem_.shape.polarisations;
  const int inputs = problem_.shape.inputs();
  sums += 2 * problem_.shape.values() * (first_channel_ + c);
  for (int i = row * panel; i < std::min((row + 1) * panel, inputs); ++i) {
    const RowLack lack = row_lack(kernel_.lack, at.parts + 2LL * i, padded_);
    for (int column = 0; column <= row; ++column) {
      const std::int32_t* re =
          at.tiles + tile_words_ * tile_number(row, column) + 1LL * (i - row * panel) * panel;
      const int first = column * panel;
      const TileRow tile{re, re + panel * panel,
                         kernel_.lack == DotLack::nothing ? nullptr : at.parts + 2LL * first, lack};
      const int end = std::min((i / pols + 1) * pols, std::min(first + panel, inputs));
      std::int64_t* to = sums + 2 * triangular_place(i, first, pols);
      for (int j = first, q = first % pols; j < end; ++j, to += 2) {
        to[0] += tile.real(j - first);
        to[1] += tile.imaginary(j - first);
        if (++q == pols) {
          q = 0;
          to += 2 * (pols - 1) * pols;
        }
      }
      // Of an antenna in two panels: V_ji has no tile of its own.
      for (int j = std::max(first, i / pols * pols); column < row && j < end; ++j) {
        std::int64_t* mirror = sums + 2 * triangular_place(j, i, pols);
        mirror[0] += tile.real(j - first);
        mirror[1] -= tile.imaginary(j - first);
      }
    }
  }
}

}  // namespace tessera
