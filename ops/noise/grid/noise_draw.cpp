// SPDX-License-Identifier: Apache-2.0
#include "ops/noise/grid/noise_draw.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "core/parallel.hpp"

namespace tessera {
namespace {

constexpr int kPieceRows = 32;

/// The position of a pixel between two nodes. On a node the fraction is 0, so that its value is
/// kept to the bit, in the last row and column too.
struct Between {
  int node, next;
  double fraction;
};
Between find_between(const std::vector<int>& nodes, int at) {
  const auto after = std::upper_bound(nodes.begin(), nodes.end(), at);
  const int node = static_cast<int>(after - nodes.begin()) - 1;
  if (after == nodes.end()) return {node, node, 0};
  const int first = nodes[static_cast<std::size_t>(node)];
  return {node, node + 1, static_cast<double>(at - first) / (*after - first)};
}

/// The pixels from one node to the next: their values at fractions of the way.
template <class T>
void draw_run(double low, double high, const double* fractions, int count, T* out,
              long long pixel) {
  const double rise = high - low;
  const auto at = [&](int x) { return static_cast<T>(with_one_nan(low + fractions[x] * rise)); };
  if (pixel == 1)  // a separate loop, so that the compiler vectorises it
    for (int x = 0; x < count; ++x) out[x] = at(x);
  else
    for (int x = 0; x < count; ++x) out[x * pixel] = at(x);
}

/// The patches of a plane that have pixels in some rows of cells.
std::span<const NoisePatch> patches_of(const NoiseNodes& nodes, int plane, int row) {
  const auto before = [&](const NoisePatch& patch, int at) {
    if (patch.first_plane + patch.planes <= plane) return true;
    return patch.first_plane <= plane && patch.cell.row < at;
  };
  const auto place = [&](int at) {
    return std::lower_bound(nodes.patches.begin(), nodes.patches.end(), at, before);
  };
  return {place(row), place(row + 1)};
}

/// The pixels of a refined cell in image row y. The last row and column are the next cell's, unless
/// there is none.
template <class T>
void draw_patch(const NoisePatch& patch, int plane, int y, int width, T* out, long long pixel) {
  const Between row = find_between(patch.rows, y);
  const auto at = [&](std::size_t column) {
    const auto value = [&](int j) {
      return patch
          .values[patch.place(plane - patch.first_plane, static_cast<std::size_t>(j), column)];
    };
    return between(value(row.node), value(row.next), row.fraction);
  };
  for (std::size_t i = 0; i + 1 < patch.columns.size(); ++i) {
    const int first = patch.columns[i], count = patch.columns[i + 1] - first;
    const double low = at(i), high = at(i + 1);
    for (int x = 0; x < count; ++x)
      out[(first + x) * pixel] =
          static_cast<T>(with_one_nan(between(low, high, static_cast<double>(x) / count)));
  }
  if (const int last = patch.columns.back(); last == width - 1)
    out[last * pixel] = static_cast<T>(with_one_nan(at(patch.columns.size() - 1)));
}

template <class T>
void draw_plane(const NoiseNodes& nodes, int plane, int first_row, View<T> out,
                const Stream& stream) {
  const int last = static_cast<int>(nodes.columns.size()) - 1;
  std::vector<double> fractions;
  for (int x = 0; x < out.size.width; ++x)
    fractions.push_back(find_between(nodes.columns, x).fraction);
  for_pieces({0, out.size.height}, kPieceRows, stream, [&](Rows rows) {
    for (int y = rows.first; y < rows.end; ++y) {
      const Between row = find_between(nodes.rows, first_row + y);
      const auto at = [&](int column) {
        return between(nodes.at(plane, row.node, column), nodes.at(plane, row.next, column),
                       row.fraction);
      };
      for (int i = 0; i <= last; ++i) {
        const int first = nodes.columns[i], end = i < last ? nodes.columns[i + 1] : first + 1;
        draw_run(at(i), at(std::min(i + 1, last)), fractions.data() + first, end - first,
                 &out.at(first, y), out.pixel);
      }
      // The last row of nodes belongs to the cells above it.
      const int cells = std::min(row.node, static_cast<int>(nodes.rows.size()) - 2);
      for (const NoisePatch& patch : patches_of(nodes, plane, cells))
        draw_patch(patch, plane, first_row + y, out.size.width, &out.at(0, y), out.pixel);
    }
  });
}

template <class T, class Map>
void mask_rows(const NoiseBlanks& blanks, View<const T> in, View<Map> maps, Rows rows) {
  for (int y = rows.first; y < rows.end; ++y)
    for (int x = 0; x < in.size.width; ++x) {
      if (!blanks(in.at(x, y))) continue;
      for (int p = 0; p < maps.size.planes; ++p)
        maps.at(x, y, 0, p) = std::numeric_limits<Map>::quiet_NaN();
    }
}
template <class T>
void mask_by(const NoiseBlanks& blanks, AnyView in, AnyMutableView maps, const Stream& stream) {
  for_pieces({0, in.size.height}, kPieceRows, stream, [&](Rows rows) {
    if (maps.type == Type::f32)
      mask_rows(blanks, in.as<const T>(), maps.as<float>(), rows);
    else
      mask_rows(blanks, in.as<const T>(), maps.as<double>(), rows);
  });
}

}  // namespace

void draw_noise_plane(const NoiseNodes& nodes, int plane, int first_row, AnyMutableView out,
                      const Stream& stream) {
  if (out.size.empty()) return;
  if (out.type == Type::f32)
    draw_plane(nodes, plane, first_row, out.as<float>(), stream);
  else
    draw_plane(nodes, plane, first_row, out.as<double>(), stream);
}

void mask_blanks(const NoiseBlanks& blanks, AnyView in, AnyMutableView maps, const Stream& stream) {
  if (is_integer(in.type) && !blanks.zero) return;  // there can be none
  if (in.type == Type::u8) mask_by<unsigned char>(blanks, in, maps, stream);
  if (in.type == Type::u16) mask_by<unsigned short>(blanks, in, maps, stream);
  if (in.type == Type::f32) mask_by<float>(blanks, in, maps, stream);
  if (in.type == Type::f64) mask_by<double>(blanks, in, maps, stream);
}

}  // namespace tessera
