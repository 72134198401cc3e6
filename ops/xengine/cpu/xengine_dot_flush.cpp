// SPDX-License-Identifier: Apache-2.0
// From int32 sums of tiles to int64 sums in triangular order.
#include <algorithm>

#include "core/parallel.hpp"
#include "ops/xengine/cpu/xengine_dot_tiles.hpp"
#include "ops/xengine/xengine_index.cuh"

namespace tessera {
namespace {

/// The missing terms of a row's sums, modulo 2^32 like the sums.
struct RowLack {
  std::uint32_t re = 0, im = 0;
};

RowLack row_lack(DotLack lack, const std::int32_t* parts, long long padded) {
  if (lack != DotLack::turned_unsigned) return {};
  const auto re = static_cast<std::uint32_t>(parts[0]), im = static_cast<std::uint32_t>(parts[1]);
  // 128 times the bytes of A, and of B: (im, -re - 1) of every sample, including the padding.
  return {-128U * (re + im), -128U * (im - re - static_cast<std::uint32_t>(padded))};
}

/// A row of a tile: sums of columns, and their missing terms.
struct TileRow {
  const std::int32_t *re, *im;
  const std::int32_t* parts;  ///< of the columns, zeros if nothing is missing
  RowLack lack;

  std::int32_t real(int j) const { return add(re[j], lack.re); }
  std::int32_t imaginary(int j) const {
    return add(im[j], lack.im + static_cast<std::uint32_t>(parts[2 * j + 1]));
  }

 private:
  static std::int32_t add(std::int32_t sum, std::uint32_t missing) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(sum) + missing);
  }
};

/// Adds columns [0, count) of a tile's row; `to` is the place of the first, and `polarisation` its
/// polarisation. Values of an antenna are contiguous; antennas are the square of the number of
/// polarisations apart.
void add_columns(const TileRow& row, int count, int polarisations, int polarisation,
                 std::int64_t* to) {
  for (int j = 0; j < count; ++j, to += 2) {
    to[0] += row.real(j);
    to[1] += row.imaginary(j);
    if (++polarisation < polarisations) continue;
    polarisation = 0;
    to += 2 * (polarisations - 1) * polarisations;
  }
}

/// The same for whole antennas, in a form that compilers vectorise.
template <int kPolarisations, int kPanel>
void add_antennas(const TileRow& row, int count, std::int64_t* to) {
  constexpr int kParts = 2 * kPolarisations;
  std::int32_t parts[2 * kPanel];
  for (int j = 0; j < kPanel; ++j) {
    parts[2 * j] = row.real(j);
    parts[2 * j + 1] = row.imaginary(j);
  }
  for (int j = 0; j < count; j += kPolarisations, to += kParts * kPolarisations)
    for (int k = 0; k < kParts; ++k) to[k] += parts[2 * j + k];
}

using AddAntennas = void (*)(const TileRow&, int, std::int64_t*);
/// Null if a panel may end within an antenna.
AddAntennas antenna_function(int polarisations, int panel) {
  const bool wide = panel == 16;
  if (polarisations == 1) return wide ? add_antennas<1, 16> : add_antennas<1, 8>;
  if (polarisations == 2) return wide ? add_antennas<2, 16> : add_antennas<2, 8>;
  return nullptr;
}

}  // namespace

void DotTiles::flush(std::int64_t* sums) {
  parallel_for(channels_ * panels_, threads_,
               [&](int i) { flush_row(i % channels_, panels_ - 1 - i / channels_, sums); });
  padded_ = 0;
}

void DotTiles::flush_row(int c, int row, std::int64_t* sums) const {
  const Channel at = channel(c);
  const int panel = kernel_.panel, pols = problem_.shape.polarisations;
  const int inputs = problem_.shape.inputs();
  const AddAntennas add_whole = antenna_function(pols, panel);
  sums += 2 * problem_.shape.values() * (first_channel_ + c);
  for (int i = row * panel; i < std::min((row + 1) * panel, inputs); ++i) {
    const RowLack lack = row_lack(kernel_.lack, at.parts + 2LL * i, padded_);
    for (int column = 0; column <= row; ++column) {
      const std::int32_t* re =
          at.tiles + tile_words_ * tile_number(row, column) + 1LL * (i - row * panel) * panel;
      const int first = column * panel;
      const TileRow tile{re, re + panel * panel, at.parts + 2LL * first, lack};
      const int end = std::min((i / pols + 1) * pols, std::min(first + panel, inputs));
      std::int64_t* to = sums + 2 * triangular_place(i, first, pols);
      if (add_whole)
        add_whole(tile, end - first, to);
      else
        add_columns(tile, end - first, pols, first % pols, to);
      // For an antenna in two panels: V_ji does not have its own tile.
      for (int j = std::max(first, i / pols * pols); column < row && j < end; ++j) {
        std::int64_t* mirror = sums + 2 * triangular_place(j, i, pols);
        mirror[0] += tile.real(j - first);
        mirror[1] -= tile.imaginary(j - first);
      }
    }
  }
}

}  // namespace tessera
