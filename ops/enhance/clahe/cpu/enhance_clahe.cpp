// SPDX-License-Identifier: Apache-2.0
// Adaptive histogram equalisation on the host: its sweeps and its result, a few rows at a time on
// the stream's threads.
#include "ops/enhance/clahe/enhance_clahe.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>
#include <type_traits>
#include <vector>

#include "core/parallel.hpp"
#include "ops/enhance/clahe/cpu/enhance_clahe_count.hpp"
#include "ops/enhance/clahe/cpu/enhance_clahe_rows.hpp"

namespace tessera {
namespace {

/// Rows processed together add only their smallest and largest level: the counts depend on how the
/// image is cut into rows, but the extremes do not.
void add_extremes(const ClaheBlocks& blocks, const ClaheGroup& group, const Piece& in, Rows rows,
                  std::uint64_t* counts, std::mutex& adding) {
  const ClaheExtremes found = blocks.extremes(group, in, rows);
  const std::lock_guard lock(adding);
  ++counts[found.low];
  ++counts[found.high];
}

/// NaN stay; `in` has no others to keep.
template <class T>
void keep_nan(const ClaheChunk& chunk, const Piece& in, const MutablePiece& out, int plane) {
  const View<const T> from = in.view.as<const T>();
  const View<T> to = out.view.as<T>();
  for (int x = chunk.x; x < chunk.x + chunk.count; ++x) {
    const T v = from.at(x, chunk.y - in.first_row, chunk.channel, plane);
    if (std::isnan(v)) to.at(x, chunk.y - out.first_row, chunk.channel, plane) = v;
  }
}

template <class T>
void write_chunk(const ClaheChunk& chunk, const T* results, const MutablePiece& out, int plane) {
  T* to = reinterpret_cast<T*>(out.view.address(chunk.x, chunk.y - out.first_row, plane)) +
          chunk.channel;
  const std::uint16_t* levels = chunk.levels;
  if (out.view.pixel == 1)
    for (int k = 0; k < chunk.count; ++k) to[k] = results[levels[k]];
  else
    for (int k = 0; k < chunk.count; ++k) to[k * out.view.pixel] = results[levels[k]];
}

template <class T>
void copy_channels(const Piece& in, const MutablePiece& out, int plane, Rows rows, int first,
                   int count) {
  for (int y = rows.first; y < rows.end; ++y)
    for (int x = 0; x < in.view.size.width; ++x)
      std::memcpy(out.view.address(x, y - out.first_row, plane) + first * sizeof(T),
                  in.view.address(x, y - in.first_row, plane) + first * sizeof(T),
                  static_cast<std::size_t>(count) * sizeof(T));
}

template <class T>
void make_rows(const ClaheShape& shape, const ClaheBlocks& blocks, const StageFinding& finding,
               const std::vector<T>& results, const Piece& in, const MutablePiece& out, int plane,
               Rows rows) {
  for (int g = 0; g < shape.groups; ++g) {
    const ClaheGroup group(shape, finding, plane, g);
    if (group.flat) {
      copy_channels<T>(in, out, plane, rows, group.first_channel, shape.channels);
      continue;
    }
    const T* table =
        results.data() + (static_cast<std::size_t>(plane) * shape.groups + g) * kClaheLevels;
    blocks.levels(group, in, rows, [&](const ClaheChunk& chunk) {
      write_chunk(chunk, table, out, plane);
      if constexpr (std::is_floating_point_v<T>) keep_nan<T>(chunk, in, out, plane);
    });
  }
  const int colours = shape.groups * shape.channels;
  if (colours < in.view.size.channels) copy_channels<T>(in, out, plane, rows, colours, 1);
}

/// The last stretch, as clahe_stretched() does it for integers.
template <class T>
T float_result(const FloatLimits& limits, int level) {
  const int range = limits.last_level - limits.first_level;
  if (range == 0) return level > 0 ? T{1} : T{0};
  return static_cast<T>(level - limits.first_level) / static_cast<T>(range);
}

template <class T>
void make_pieces(const ClaheShape& shape, const StageFinding& finding, const Piece& in,
                 const MutablePiece& out, const Stream& stream) {
  const ClaheBlocks blocks(shape);
  std::vector<T> results;  // for the sample's size: half the cache with 8 bits
  for (int plane = 0; plane < shape.planes; ++plane)
    for (int g = 0; g < shape.groups; ++g) {
      const ClaheGroup group(shape, finding, plane, g);
      for (int k = 0; k < kClaheLevels; ++k) {
        if constexpr (std::is_floating_point_v<T>)
          results.push_back(float_result<T>(
              finding.limits[static_cast<std::size_t>(plane) * shape.groups + g], k));
        else
          results.push_back(static_cast<T>(group.results[k]));
      }
    }
  const int piece = clahe_piece_rows(out.rows(), shape.planes, stream.threads());
  for_pieces(out.rows(), piece, shape.planes, stream, [&](int plane, Rows rows) {
    make_rows(shape, blocks, finding, results, in, out, plane, rows);
  });
}

}  // namespace

void clahe_look(const EnhanceProblem& p, const EnhanceStage& stage, const StageFinding& finding,
                int sweep, const Piece& in, Rows rows, SweepCounts& counts, const Stream& stream) {
  const ClaheShape shape(p, stage);
  const ClaheSweep kind = shape.kind(sweep);
  const std::size_t size = shape.counted(sweep);
  counts.values.resize(size * shape.planes * shape.groups);
  const ClaheBlocks blocks(shape);
  std::mutex adding;
  const int planes = shape.planes * shape.groups;
  const int piece = clahe_piece_rows(rows, planes, stream.threads());
  for_pieces(rows, piece, planes, stream, [&](int g, Rows part) {
    const ClaheGroup group(shape, finding, g / shape.groups, g % shape.groups);
    std::uint64_t* to = counts.values.data() + static_cast<std::size_t>(g) * size;
    if (kind == ClaheSweep::range && shape.floats)
      add_clahe_float_range(shape, group, in, part, to, adding);
    else if (kind == ClaheSweep::range)
      add_clahe_range(shape, group, in, part, to, adding);
    else if (kind == ClaheSweep::tiles && !(shape.wide && group.flat))
      count_clahe_tiles(shape, group, in, part, to, adding);
    else if (kind == ClaheSweep::extremes && !group.flat)
      add_extremes(blocks, group, in, part, to, adding);
  });
}

void clahe_make(const EnhanceProblem& p, const EnhanceStage& stage, const StageFinding& finding,
                const Piece& in, const MutablePiece& out, const Stream& stream) {
  const ClaheShape shape(p, stage);
  switch (shape.type) {
    case Type::u8:
      return make_pieces<unsigned char>(shape, finding, in, out, stream);
    case Type::f32:
      return make_pieces<float>(shape, finding, in, out, stream);
    case Type::f64:
      return make_pieces<double>(shape, finding, in, out, stream);
    default:
      return make_pieces<std::uint16_t>(shape, finding, in, out, stream);
  }
}

}  // namespace tessera
