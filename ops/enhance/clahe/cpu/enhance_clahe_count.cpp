// SPDX-License-Identifier: Apache-2.0
#include "ops/enhance/clahe/cpu/enhance_clahe_count.hpp"

#include <algorithm>
#include <array>

#include "ops/enhance/clahe/cpu/enhance_clahe_floats_simd.hpp"
#include "ops/enhance/clahe/cpu/enhance_clahe_rows.hpp"

namespace tessera {
namespace {

/// Four histograms of a tile, used in turn: neighbours with equal values need not wait for each
/// other.
using TileCounts = std::array<std::array<std::uint64_t, kClaheBins>, 4>;

void count_slots(const unsigned char* slots, int count, TileCounts& counts) {
  int k = 0;
  for (; k + 4 <= count; k += 4)
    for (std::size_t i = 0; i < 4; ++i) ++counts[i][slots[k + static_cast<int>(i)]];
  for (; k < count; ++k) ++counts[0][slots[k]];
}

/// The rows or columns of the image that lie in a tile, and those that are reflected into it.
struct TilePart {
  Rows own, reflected;
};
TilePart part_of(const ClaheAxis& a, int tile) {
  const long long start = 1LL * tile * a.kernel, end = start + a.kernel;
  const auto inside = static_cast<int>(std::min<long long>(end, a.side));
  return {{static_cast<int>(start), inside},
          {static_cast<int>(2LL * (a.side - 1) - (end - 1)), end > a.side ? a.side - 1 : 0}};
}
Rows common(Rows a, Rows b) { return {std::max(a.first, b.first), std::min(a.end, b.end)}; }

struct TileCounter {
  const ClaheShape& shape;
  const ClaheGroup& group;
  const Piece& in;
  TileCounts counts{};

  void add_row(Rows columns, int y) {
    unsigned char buffer[kClaheChunk];
    for (int x = columns.first; x < columns.end; x += kClaheChunk)
      for (int c = 0; c < shape.channels; ++c) {
        const int count = std::min(kClaheChunk, columns.end - x);
        count_slots(clahe_slots(in.view, x, y - in.first_row, group.first_channel + c, count, group,
                                buffer),
                    count, counts);
      }
  }
  void add_rows(const TilePart& columns, Rows rows) {
    for (int y = rows.first; y < rows.end; ++y) {
      add_row(columns.own, y);
      add_row(columns.reflected, y);
    }
  }
  void add_to(std::uint64_t* to) const {
    for (std::size_t k = 0; k < kClaheBins; ++k)
      to[k] += counts[0][k] + counts[1][k] + counts[2][k] + counts[3][k];
  }
};

template <class T>
void add_float_range(const ClaheShape& shape, const ClaheGroup& group, const Piece& in, Rows rows,
                     std::uint64_t* numbers, std::mutex& adding) {
  const auto view = in.view.as<const T>();
  ClaheFloatExtremes<T> found;
  for (int y = rows.first; y < rows.end; ++y) {
    const T* row = &view.at(0, y - in.first_row, group.first_channel, group.plane);
    if (shape.channels == view.pixel)
      clahe_float_extremes(row, 1LL * shape.across.side * shape.channels, found);
    else
      for (int c = 0; c < shape.channels; ++c)
        for (int x = 0; x < shape.across.side; ++x) found.add(row[x * view.pixel + c]);
  }
  const std::lock_guard lock(adding);
  ClaheFloatRange::widen(numbers, found.low, found.high);
}

}  // namespace

void add_clahe_float_range(const ClaheShape& shape, const ClaheGroup& group, const Piece& in,
                           Rows rows, std::uint64_t* numbers, std::mutex& adding) {
  if (shape.type == Type::f32)
    add_float_range<float>(shape, group, in, rows, numbers, adding);
  else
    add_float_range<double>(shape, group, in, rows, numbers, adding);
}

void add_clahe_range(const ClaheShape& shape, const ClaheGroup& group, const Piece& in, Rows rows,
                     std::uint64_t* counts, std::mutex& adding) {
  std::uint16_t low = 65535, high = 0;
  const auto widen = [&](const std::uint16_t* row, int count, long long step) {
    for (int k = 0; k < count; ++k) {
      low = std::min(low, row[k * step]);
      high = std::max(high, row[k * step]);
    }
  };
  for (int y = rows.first; y < rows.end; ++y) {
    const auto* row =
        reinterpret_cast<const std::uint16_t*>(in.view.address(0, y - in.first_row, group.plane)) +
        group.first_channel;
    if (shape.channels == in.view.pixel)
      widen(row, shape.across.side * shape.channels, 1);
    else
      for (int c = 0; c < shape.channels; ++c) widen(row + c, shape.across.side, in.view.pixel);
  }
  const std::lock_guard lock(adding);
  ++counts[low];
  ++counts[high];
}

void count_clahe_tiles(const ClaheShape& shape, const ClaheGroup& group, const Piece& in, Rows rows,
                       std::uint64_t* counts, std::mutex& adding) {
  for (int y = 0; y < shape.down.tiles; ++y) {
    const TilePart part = part_of(shape.down, y);
    const Rows own = common(part.own, rows), reflected = common(part.reflected, rows);
    if (own.count() <= 0 && reflected.count() <= 0) continue;
    for (int x = 0; x < shape.across.tiles; ++x) {
      TileCounter counter{shape, group, in};
      const TilePart columns = part_of(shape.across, x);
      counter.add_rows(columns, own);
      counter.add_rows(columns, reflected);
      const std::lock_guard lock(adding);
      counter.add_to(counts + (static_cast<std::size_t>(y) * shape.across.tiles + x) * kClaheBins);
    }
  }
}

}  // namespace tessera
