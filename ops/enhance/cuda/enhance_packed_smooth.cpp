// SPDX-License-Identifier: Apache-2.0
#include "ops/enhance/cuda/enhance_packed_smooth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/machine.hpp"
#include "ops/enhance/cuda/enhance_tuned.hpp"

namespace tessera {
namespace {

/// Below a million samples, compiling a kernel for other weights does not pay.
constexpr long long kCompilingPays = 1 << 20;

unsigned sum_of(const std::vector<int>& weights) {
  return static_cast<unsigned>(std::accumulate(weights.begin(), weights.end(), 0));
}

/// Sums that fit, the anchor in the middle, and never a sum without weights.
bool fits(const Smoothing& s) {
  if (!s.separable() || std::max(s.width, s.height) > kMostPackedSide) return false;
  const bool centred = s.anchor.x == s.width / 2 && s.anchor.y == s.height / 2;
  return centred && s.across[static_cast<std::size_t>(s.anchor.x)] > 0 &&
         s.down[static_cast<std::size_t>(s.anchor.y)] > 0 &&
         1LL * sum_of(s.across) * sum_of(s.down) <= kMostPackedSum;
}

Smoothing no_smoothing() {
  Smoothing one;
  one.weights = one.across = one.down = {1};
  return one;
}

bool has_entry(const Smoothing& s) {
  return s.width == s.height && (s.width == 1 || s.width == 3 || s.width == 5);
}

const Smoothing no_weights = no_smoothing();
const Smoothing& smoothing_of(const EnhanceProblem& p, const EnhancePass& pass) {
  return pass.smooth >= 0 ? p.smoothing : no_weights;
}

bool same(const PackedSmoothKnobs& a, const PackedSmoothKnobs& b) {
  return a.warps == b.warps && a.blocks == b.blocks;
}

}  // namespace

PackedSmoothKnobs with_table(PackedSmoothKnobs k, const Knobs& tuned) {
  k.warps = tuned.get("warps", k.warps);
  k.blocks = tuned.get("blocks", k.blocks);
  return k;
}

bool enhance_packs_words(const EnhanceProblem& p, const EnhancePass& pass) {
  const Size& size = pass.in.size;
  return pass.in.type == Type::u8 && size.channels == 1 && fits(smoothing_of(p, pass)) &&
         1LL * size.width * size.height >= kManyPixels;
}

PackedSmoothKnobs usual_packed_knobs(const EnhanceProblem& p, const EnhancePass& pass) {
  PackedSmoothKnobs k;
  if (smoothing_of(p, pass).height > 7) k.blocks = 2;  // sums of this many rows take more registers
  return k;
}

KernelName enhance_packed_kernel(const EnhanceProblem& p, const EnhancePass& pass,
                                 const PackedSmoothKnobs& k, bool compiled) {
  const Smoothing& s = smoothing_of(p, pass);
  KernelName name{"enhance_smooth_packed", fmt::format("enhance_smooth_packed_{}", s.width), "",
                  "PackedSmoothArgs", fmt::format("{}, {}", 32 * k.warps, k.blocks)};
  if (compiled)
    name.body = fmt::format("enhance_smooth_packed<{}, {}, PackedSmoothKnobs{{{}, {}}}>", s.width,
                            s.height, k.warps, k.blocks);
  return name;
}

std::unique_ptr<const PackedSmooth> PackedSmooth::find(const EnhanceProblem& p,
                                                       const EnhancePass& pass) {
  if (!enhance_packs_words(p, pass)) return nullptr;
  const Smoothing& s = smoothing_of(p, pass);
  const Knobs tuned =
      find_knobs(kEnhanceSmoothSite, problem_key(p), table_name(device_info(p.device).name));
  PackedSmoothKnobs knobs =
      with_table(usual_packed_knobs(p, pass),
                 worth_compiling(tuned, static_cast<double>(pass.in.size.samples())));
  const bool can_compile = run_time_compiler_found() &&
                           (pass.in.size.samples() >= kCompilingPays || force_run_time_kernels());
  if (!has_entry(s) && !can_compile) return nullptr;
  const bool compiled =
      run_time_compiler_found() && (!has_entry(s) || force_run_time_kernels() || !same(knobs, {}));
  const GpuKernel& kernel = find_kernel(p.device, enhance_packed_kernel(p, pass, knobs, compiled));
  if (kernel.origin() == "ahead of time") knobs = {};  // the entry point's own
  return std::unique_ptr<const PackedSmooth>(new PackedSmooth(p, s, knobs, kernel));
}

PackedSmooth::PackedSmooth(const EnhanceProblem& p, const Smoothing& s,
                           const PackedSmoothKnobs& knobs, const GpuKernel& kernel)
    : knobs_(knobs), kernel_(kernel), multiprocessors_(device_info(p.device).multiprocessors) {
  usual_.width = p.image.size.width;
  usual_.height = p.image.size.height;
  usual_.anchor_x = s.anchor.x;
  usual_.anchor_y = s.anchor.y;
  std::copy(s.across.begin(), s.across.end(), usual_.across);
  std::copy(s.down.begin(), s.down.end(), usual_.down);
  usual_.across_sum = sum_of(s.across);
  usual_.divisor = packed_divisor(usual_.across_sum, sum_of(s.down));
}

bool PackedSmooth::takes(const Piece& in, const MutablePiece& out) const {
  return in.view.pixel == 1 && out.view.pixel == 1;
}

std::string PackedSmooth::describe() const {
  return fmt::format("packed words, {} blocks of {} warps, {}", knobs_.blocks, knobs_.warps,
                     kernel_.origin());
}

void PackedSmooth::launch(const Piece& in, const MutablePiece& out, const std::uint16_t* curve,
                          Stream& stream) const {
  PackedSmoothArgs a = usual_;
  a.in_row = in.view.row;
  a.out_row = out.view.row;
  a.held = in.rows();
  a.made = out.rows();
  a.grid = packed_grid(a.width, a.made.count(), knobs_.warps, multiprocessors_ * knobs_.blocks);
  for (int plane = 0; plane < in.view.size.planes; ++plane) {
    a.in = in.view.address(0, 0, plane);
    a.out = out.view.address(0, 0, plane);
    a.curve = curve ? curve + 256LL * plane : nullptr;
    kernel_.launch(stream, {static_cast<unsigned>(a.grid.blocks())},
                   {static_cast<unsigned>(32 * knobs_.warps)}, kPackedSharedBytes, a);
  }
}

}  // namespace tessera
