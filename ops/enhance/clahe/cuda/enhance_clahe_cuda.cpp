// SPDX-License-Identifier: Apache-2.0
#include "ops/enhance/clahe/cuda/enhance_clahe_cuda.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/device.hpp"
#include "core/piece_launch.hpp"

namespace tessera {
namespace {

/// A copy between host and device.
template <class T>
void copy_values(const T* from, int from_device, T* to, int to_device, std::size_t count,
                 Stream& stream) {
  // Views count samples in int: copied in parts that fit.
  constexpr std::size_t kPart = std::size_t{1} << 30;
  const auto* source = reinterpret_cast<const unsigned char*>(from);
  auto* target = reinterpret_cast<unsigned char*>(to);
  for (std::size_t bytes = count * sizeof(T), done = 0; done < bytes; done += kPart) {
    const Size size{static_cast<int>(std::min(kPart, bytes - done))};
    device_stream(stream).copy(packed(source + done, size, from_device),
                               packed(target + done, size, to_device));
  }
}

constexpr Extent3 kBlock{kClaheThreads, 1, 1};

}  // namespace

/// Tables that kernels fill, on the device.
struct ClaheCuda::Memory {
  Memory(const ClaheShape& shape, bool counting, Stream& stream) {
    const auto groups = static_cast<std::size_t>(shape.planes) * shape.groups;
    found = stream.scratch(groups * sizeof(ClaheFound));
    tables = stream.scratch(groups * shape.curve_size() * sizeof(std::uint16_t));
    if (counting) counts = stream.scratch(groups * shape.tiles_size() * sizeof(std::uint64_t));
  }
  Scratch found, counts, tables;
};

ClaheCuda::ClaheCuda(const EnhanceProblem& problem, const EnhanceStage& stage)
    : problem_(problem),
      stage_(stage),
      shape_(problem, stage),
      start_(kernel("start", false)),
      range_(kernel("range", false)),
      bins_(kernel("bins", false)),
      results_(kernel("results", false)),
      count_(kernel("count", true)),
      curves_(kernel("curves", true)),
      extremes_(kernel("extremes", true)),
      make_(kernel("make", true)) {}

const GpuKernel& ClaheCuda::kernel(const std::string& what, bool typed) const {
  const std::string entry = typed ? fmt::format("{}_{}", what, shape_.wide ? "u16" : "u8") : what;
  const std::string body =
      typed ? fmt::format("clahe_{}<{}>", what, kernel_type(stage_.in.type)) : "clahe_" + what;
  return find_kernel(problem_.device, {"enhance_clahe", "enhance_clahe_" + entry,
                                       force_run_time_kernels() ? body : "", "ClaheArgs",
                                       std::to_string(kClaheThreads)});
}

unsigned ClaheCuda::deep() const {
  return static_cast<unsigned>(std::min<std::size_t>(groups(), kMostBlocks));
}

ClaheArgs ClaheCuda::arguments(const Piece& in, const MutablePiece& out, Rows rows,
                               const Memory& memory) const {
  ClaheArgs a{};
  a.in = in.view.data;
  a.out = out.view.data;
  fill_steps(a, in.view, out.view);
  a.in_first = in.first_row;
  a.out_first = out.first_row;
  a.rows = rows;
  a.across = shape_.across;
  a.down = shape_.down;
  a.planes = shape_.planes;
  a.groups = shape_.groups;
  a.channels = shape_.channels;
  const int colours = shape_.groups * shape_.channels;
  a.alpha = colours < stage_.in.size.channels ? colours : -1;
  a.most = shape_.values - 1;
  a.tile_samples = shape_.tile_samples;
  a.limit = shape_.limit;
  a.found = memory.found.as<ClaheFound>();
  a.counts = memory.counts.as<unsigned long long>();
  a.tables = memory.tables.as<unsigned short>();
  a.bins_size = static_cast<long long>(shape_.bins_size());
  a.tiles_size = static_cast<long long>(shape_.tiles_size());
  a.tables_size = static_cast<long long>(shape_.curve_size());
  return a;
}

void ClaheCuda::start(const ClaheArgs& args, Stream& stream) const {
  const auto values = static_cast<long long>(groups() * shape_.tiles_size());
  start_.launch(stream, {std::min(blocks_for(values, kClaheThreads), 1024U)}, kBlock, 0, args);
}

void ClaheCuda::count(const ClaheArgs& args, Stream& stream) const {
  const long long bands = blocks_for(shape_.down.kernel, kClaheCountRows);
  const long long parts = std::min<long long>(bands * shape_.down.tiles, kMostBlocks);
  count_.launch(stream,
                {static_cast<unsigned>(shape_.across.tiles), static_cast<unsigned>(parts), deep()},
                kBlock, 0, args);
}

void ClaheCuda::each_level(const GpuKernel& kernel, const ClaheArgs& args, Stream& stream) const {
  const unsigned down = blocks_for(args.rows.count(), kClaheBlockRows);
  kernel.launch(stream,
                {blocks_for(shape_.across.side, kClaheBlockWidth),
                 std::min<unsigned>(down, kMostBlocks), deep()},
                kBlock, 0, args);
}

void ClaheCuda::each_value(const GpuKernel& kernel, int values, const ClaheArgs& args,
                           Stream& stream) const {
  kernel.launch(stream, {blocks_for(values, kClaheThreads), 1, deep()}, kBlock, 0, args);
}

/// Rows that one launch of the range kernel processes side by side.
static unsigned range_blocks(Rows rows) {
  return static_cast<unsigned>(std::min(rows.count(), 1024));
}

void ClaheCuda::run(AnyView in, AnyMutableView out, Stream& stream) const {
  const Rows rows{0, in.size.height};
  const Memory memory(shape_, true, stream);
  const ClaheArgs args = arguments({in, 0}, {out, 0}, rows, memory);
  start(args, stream);
  if (shape_.wide) {
    range_.launch(stream, {1, range_blocks(rows), deep()}, kBlock, 0, args);
    each_value(bins_, shape_.values, args, stream);
  }
  count(args, stream);
  curves_.launch(stream, {static_cast<unsigned>(shape_.tiles()), 1, deep()}, kBlock, 0, args);
  each_level(extremes_, args, stream);
  each_value(results_, kClaheLevels, args, stream);
  each_level(make_, args, stream);
}

void ClaheCuda::upload(const StageFinding& finding, const Memory& memory, Stream& stream) const {
  std::vector<ClaheFound> found(groups(), kClaheNothing);
  for (std::size_t g = 0; g < finding.low.size(); ++g)
    if (finding.low[g] >= 0) {
      found[g].low = finding.low[g];
      found[g].high = finding.high[g];
    }
  copy_values(found.data(), kHost, memory.found.as<ClaheFound>(), stream.device(), found.size(),
              stream);
  copy_values(finding.curve.data(), kHost, memory.tables.as<std::uint16_t>(), stream.device(),
              finding.curve.size(), stream);
}

void ClaheCuda::look(const StageFinding& finding, int sweep, const Piece& in, Rows rows,
                     SweepCounts& counts, Stream& stream) const {
  const std::size_t size = shape_.counted(sweep);
  counts.values.resize(groups() * size);
  if (rows.count() <= 0) return;
  const ClaheSweep kind = shape_.kind(sweep);
  const Memory memory(shape_, kind == ClaheSweep::tiles, stream);
  const ClaheArgs args = arguments(in, {}, rows, memory);
  start(args, stream);
  upload(finding, memory, stream);
  if (kind == ClaheSweep::tiles) {
    count(args, stream);
    std::vector<std::uint64_t> added(counts.values.size());
    copy_values(memory.counts.as<const std::uint64_t>(), stream.device(), added.data(), kHost,
                added.size(), stream);
    stream.wait();
    for (std::size_t k = 0; k < added.size(); ++k) counts.values[k] += added[k];
    return;
  }
  if (kind == ClaheSweep::range)
    range_.launch(stream, {1, range_blocks(rows), deep()}, kBlock, 0, args);
  else
    each_level(extremes_, args, stream);
  std::vector<ClaheFound> found(groups());
  copy_values(memory.found.as<const ClaheFound>(), stream.device(), found.data(), kHost,
              found.size(), stream);
  stream.wait();
  for (std::size_t g = 0; g < found.size(); ++g) {
    const bool range = kind == ClaheSweep::range;
    const int low = range ? found[g].low : found[g].low_level;
    const int high = range ? found[g].high : found[g].high_level;
    if (low > high) continue;
    ++counts.values[g * size + static_cast<std::size_t>(low)];
    ++counts.values[g * size + static_cast<std::size_t>(high)];
  }
}

void ClaheCuda::make(const StageFinding& finding, const Piece& in, const MutablePiece& out,
                     Stream& stream) const {
  if (out.view.size.height <= 0) return;
  const Memory memory(shape_, false, stream);
  upload(finding, memory, stream);
  each_level(make_, arguments(in, out, out.rows(), memory), stream);
}

}  // namespace tessera
