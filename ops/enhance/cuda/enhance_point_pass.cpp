// SPDX-License-Identifier: Apache-2.0
// Curves, grey and counts on a GPU: 16 pixels per thread if they are contiguous, otherwise one.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/machine.hpp"
#include "core/piece_launch.hpp"
#include "ops/enhance/cuda/enhance_args.cuh"
#include "ops/enhance/cuda/enhance_packed_smooth.hpp"
#include "ops/enhance/cuda/enhance_pass.hpp"
#include "ops/enhance/cuda/enhance_tables_cuda.hpp"
#include "ops/enhance/cuda/enhance_tuned.hpp"

namespace tessera {
namespace {

bool same(const GreyKnobs& a, const GreyKnobs& b) {
  return a.warps == b.warps && a.blocks == b.blocks && a.atomics == b.atomics;
}

GreyKnobs find_knobs_of(const EnhanceProblem& p) {
  const Knobs tuned =
      find_knobs(kEnhanceGreySite, problem_key(p), table_name(device_info(p.device).name));
  return with_table(GreyKnobs{},
                    worth_compiling(tuned, static_cast<double>(p.image.size.samples())));
}

KernelName points_kernel(const EnhancePass& pass) {
  const int channels = pass.in.size.channels;
  KernelName name{"enhance_points",
                  fmt::format("enhance_points_{}_{}", name_of(pass.in.type), channels), "",
                  "EnhancePointArgs"};
  if (force_run_time_kernels())
    name.body = fmt::format("enhance_points<{}, {}>", kernel_type(pass.in.type), channels);
  return name;
}

/// Weights that are 256 times a byte.
bool has_byte_weights(const EnhanceProblem& p) {
  return std::all_of(p.grey.begin(), p.grey.end(), [](int w) { return w % 256 == 0 && w < 65536; });
}

bool only_follows_curve(const EnhancePass& pass) {
  return pass.curve >= 0 && !pass.grey && pass.counts < 0;
}

class PointPass : public EnhancePassCuda {
 public:
  PointPass(const EnhanceProblem& p, const EnhancePass& pass)
      : EnhancePassCuda(p, pass),
        points_(find_kernel(p.device, points_kernel(pass))),
        knobs_(find_knobs_of(p)),
        grey_(enhance_makes_grey(pass)
                  ? &find_kernel(p.device, enhance_grey_kernel(p, pass, knobs_))
                  : nullptr),
        packed_(only_follows_curve(pass) ? PackedSmooth::find(p, pass) : nullptr) {
    if (grey_ && grey_->origin() == "ahead of time") knobs_ = {};  // the entry point's own
    if (knobs_.shared_bytes() > device_info(p.device).shared_bytes_per_block) grey_ = nullptr;
  }

  std::string describe() const override {
    if (packed_) return packed_->describe();
    if (!grey_) return fmt::format("one pixel per thread, {}", points_.origin());
    return fmt::format("16 pixels per thread, {} blocks of {} warps, {}", knobs_.blocks,
                       knobs_.warps, grey_->origin());
  }

  /// If the next group of 16 pixels is read at a multiple of 16 bytes, it is written at one.
  DeviceRows room(const Piece& in, Rows rows, Stream& stream) const override {
    if (!takes_groups(in, rows, nullptr)) return EnhancePassCuda::room(in, rows, stream);
    const AnyView from = in.view.rows(rows.first - in.first_row, rows.count());
    const Size& size = from.size;
    const auto address = reinterpret_cast<std::uintptr_t>(from.data);
    const bool gaps = from.row != 3LL * size.width;
    DeviceRows made;
    made.view.type = Type::u8;
    made.view.size = {size.width, rows.count(), 1, size.planes};
    made.view.row =
        gaps ? (size.width + 15) / 16 * 16 + ((11 * from.row) % 16 + 16) % 16 : size.width;
    made.view.plane =
        (made.view.row * rows.count() + 31) / 16 * 16 + ((11 * from.plane) % 16 + 16) % 16;
    made.view.device = stream.device();
    made.memory = stream.scratch(static_cast<std::size_t>(made.view.plane) * size.planes + 16);
    made.view.data = made.memory.as<unsigned char>() + 11 * (address % 16) % 16;
    made.piece = {made.view, rows.first};
    return made;
  }

  void launch(const Piece& in, Rows rows, const MutablePiece* out, const EnhanceTables& tables,
              Stream& stream) const override {
    if (packed_ && packed_->takes(in, *out))
      packed_->launch(in, rows_of(*out, rows), tables.curve(pass().curve), stream);
    else if (takes_groups(in, rows, out))
      for (int plane = 0; plane < in.view.size.planes; ++plane)
        launch_groups(in, rows, out, tables, plane, stream);
    else
      launch_points(in, rows, out, tables, stream);
  }

 private:
  bool takes_groups(const Piece& in, Rows rows, const MutablePiece* out) const {
    const Size& size = in.view.size;
    const long long pixels = 1LL * size.width * rows.count();
    // The kernel counts groups in 32 bits, and one step beyond the last.
    const long long groups = (size.width / 16 + 2LL) * rows.count();
    // In narrow rows with gaps between them all groups are cut.
    const bool wide = size.width >= 64 || in.view.row == 1LL * size.width * size.channels;
    return grey_ && wide && in.view.pixel == size.channels && (!out || out->view.pixel == 1) &&
           pixels >= kManyPixels && groups <= std::numeric_limits<int>::max();
  }

  void launch_groups(const Piece& in, Rows rows, const MutablePiece* out,
                     const EnhanceTables& tables, int plane, Stream& stream) const {
    const Size& size = in.view.size;
    GreyArgs a{};
    a.in = in.view.address(0, rows.first - in.first_row, plane);
    a.out = out ? out->view.address(0, rows.first - out->first_row, plane) : nullptr;
    if (pass().counts >= 0 && tables.counting())
      a.counts =
          reinterpret_cast<unsigned long long*>(tables.counts(pass().counts)) + 256LL * plane;
    a.in_line = in.view.row;
    a.out_line = out ? out->view.row : 0;
    const bool one =
        a.in_line == 1LL * size.width * size.channels && (!out || a.out_line == size.width);
    a.lines = one ? 1 : static_cast<unsigned>(rows.count());
    a.pixels = one ? 1LL * size.width * rows.count() : size.width;
    a.groups = blocks_for(a.pixels, 16) + 1;
    std::copy(problem().grey.begin(), problem().grey.end(), a.weights);
    const unsigned most =
        static_cast<unsigned>(device_info(problem().device).multiprocessors * knobs_.blocks);
    const unsigned blocks = blocks_for(1LL * a.lines * a.groups, 32LL * knobs_.warps);
    grey_->launch(stream, {std::min(most, blocks)}, {static_cast<unsigned>(32 * knobs_.warps)},
                  a.counts ? knobs_.shared_bytes() : 0, a);
  }

  EnhancePointArgs arguments(const Piece& in, Rows rows, const MutablePiece* out) const {
    EnhancePointArgs a{};
    const MutablePiece none{{}, rows.first};
    fill_piece(a.image, in, out ? *out : none, in.view.size, in.view.size.width, {},
               Border::inside);
    a.image.made = rows;
    a.out_channels = pass().out.size.channels;
    a.curve_groups = groups_of(problem(), pass().in);
    a.count_groups = groups_of(problem(), pass().out);
    a.levels = problem().levels();
    a.grey = pass().grey;
    std::copy(problem().grey.begin(), problem().grey.end(), a.weights);
    return a;
  }

  void launch_points(const Piece& in, Rows rows, const MutablePiece* out,
                     const EnhanceTables& tables, Stream& stream) const {
    const DeviceInfo& device = device_info(problem().device);
    EnhancePointArgs a = arguments(in, rows, out);
    const bool counts = pass().counts >= 0 && tables.counting(),
               wide = counts && pass().in.type == Type::u16;
    a.shared_counts = !wide || device.shared_bytes_per_block >= kWideCountBytes;
    const int shared = !counts ? 0 : !wide ? 4 * a.levels * a.count_groups : kWideCountBytes;
    const unsigned threads = wide ? kWideCountThreads : kPointThreads;
    const int planes = in.view.size.planes;
    // Each block of 16-bit counts clears and adds 65536 of them: use few blocks.
    const int enough = device.multiprocessors * (wide ? 1 : 8);
    const unsigned blocks = std::min(blocks_for(1LL * in.view.size.width * rows.count(), threads),
                                     blocks_for(enough, std::min(planes, enough)));
    for (int plane = 0; plane < planes; plane += kMostBlocks) {
      a.image.in = in.view.address(0, 0, plane);
      a.image.out = out ? out->view.address(0, rows.first - out->first_row, plane) : nullptr;
      if (pass().curve >= 0)
        a.curve = tables.curve(pass().curve) + 1LL * plane * a.curve_groups * a.levels;
      if (counts)
        a.counts = reinterpret_cast<unsigned long long*>(tables.counts(pass().counts)) +
                   1LL * plane * a.count_groups * a.levels;
      points_.launch(stream,
                     {blocks, static_cast<unsigned>(std::min(planes - plane, kMostBlocks)),
                      wide ? static_cast<unsigned>(a.count_groups) : 1},
                     {threads}, a.shared_counts ? shared : 0, a);
    }
  }

  const GpuKernel& points_;
  GreyKnobs knobs_;
  const GpuKernel* grey_;
  std::unique_ptr<const PackedSmooth> packed_;
};

}  // namespace

GreyKnobs with_table(GreyKnobs k, const Knobs& tuned) {
  k.warps = tuned.get("warps", k.warps);
  k.blocks = tuned.get("blocks", k.blocks);
  k.atomics = tuned.get("atomics", k.atomics ? 1 : 0) != 0;
  return k;
}

KernelName enhance_grey_kernel(const EnhanceProblem& p, const EnhancePass& pass,
                               const GreyKnobs& k) {
  const bool bytes = !pass.grey || has_byte_weights(p);
  KernelName name{"enhance_grey",
                  !pass.grey ? "enhance_count"
                  : bytes    ? "enhance_grey_bytes"
                             : "enhance_grey_any",
                  "", "GreyArgs", fmt::format("{}, {}", 32 * k.warps, k.blocks)};
  if (force_run_time_kernels() || !same(k, GreyKnobs{}))
    name.body = fmt::format("enhance_grey<{}, {}, GreyKnobs{{{}, {}, {}}}>", pass.in.size.channels,
                            bytes, k.warps, k.blocks, k.atomics);
  return name;
}

bool enhance_makes_grey(const EnhancePass& pass) {
  const Size& size = pass.in.size;
  if (pass.in.type != Type::u8 || pass.curve >= 0) return false;
  if (1LL * size.width * size.height < kManyPixels) return false;
  return pass.grey ? size.channels == 3 : size.channels == 1 && !pass.writes;
}

EnhancePassPointer make_point_pass(const EnhanceProblem& p, const EnhancePass& pass) {
  return std::make_unique<PointPass>(p, pass);
}

}  // namespace tessera
