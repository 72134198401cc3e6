// SPDX-License-Identifier: Apache-2.0
// Integer weights on a GPU, after a curve if there is one: two sums per word if they fit, otherwise
// through shared memory, or weight by weight.
#include <fmt/format.h>

#include "core/piece_launch.hpp"
#include "core/resident.hpp"
#include "ops/enhance/cuda/enhance_args.cuh"
#include "ops/enhance/cuda/enhance_packed_smooth.hpp"
#include "ops/enhance/cuda/enhance_pass.hpp"
#include "ops/enhance/cuda/enhance_tables_cuda.hpp"

namespace tessera {
namespace {

KernelName smooth_kernel(const EnhanceProblem& p) {
  const char* kind = p.smoothing.separable() ? "separable" : "any";
  KernelName name{"enhance_smooth",
                  fmt::format("enhance_smooth_{}_{}", kind, name_of(p.image.type)), "",
                  "EnhanceSmoothArgs"};
  if (force_run_time_kernels())
    name.body = fmt::format("enhance_smooth_{}<{}>", kind, kernel_type(p.image.type));
  return name;
}

std::vector<int> weights_of(const Smoothing& s) {
  if (!s.separable()) return s.weights;
  std::vector<int> weights = s.across;
  weights.insert(weights.end(), s.down.begin(), s.down.end());
  return weights;
}

class SmoothPass : public EnhancePassCuda {
 public:
  SmoothPass(const EnhanceProblem& p, const EnhancePass& pass)
      : EnhancePassCuda(p, pass),
        kernel_(find_kernel(p.device, smooth_kernel(p))),
        weights_(p.device, weights_of(p.smoothing)),
        packed_(PackedSmooth::find(p, pass)) {}

  std::string describe() const override {
    if (packed_) return packed_->describe();
    return fmt::format("{} weights, {}", problem().smoothing.separable() ? "separable" : "any",
                       kernel_.origin());
  }

  void launch(const Piece& in, Rows rows, const MutablePiece* out, const EnhanceTables& tables,
              Stream& stream) const override {
    const std::uint16_t* curve = pass().curve >= 0 ? tables.curve(pass().curve) : nullptr;
    const MutablePiece to = rows_of(*out, rows);
    if (packed_ && packed_->takes(in, to)) return packed_->launch(in, to, curve, stream);
    launch_any(in, to, curve, stream);
    weights_.used_by(stream);
  }

 private:
  void launch_any(const Piece& in, const MutablePiece& out, const std::uint16_t* curve,
                  Stream& stream) const {
    const Smoothing& s = problem().smoothing;
    const Size& size = in.view.size;
    EnhanceSmoothArgs a{};
    Size image = size;
    image.height = problem().image.size.height;
    fill_piece(a.image, in, out, image, size.width, s.anchor, Border::inside);
    a.groups = groups_of(problem(), pass().in);
    a.levels = problem().levels();
    a.weights = weights_.as<int>();
    a.filter_width = s.width;
    a.filter_height = s.height;
    const int tile_rows = s.separable() ? kSmoothHeight : kSmoothThreads / 32;
    each_launch(out, tile_rows, size.channels, [&](Rows rows, int plane, int planes) {
      move_to_part(a.image, in, out, rows, plane);
      a.curve = curve ? curve + 1LL * plane * a.groups * a.levels : nullptr;
      kernel_.launch(stream,
                     {blocks_for(size.width, kSmoothWidth), blocks_for(rows.count(), tile_rows),
                      static_cast<unsigned>(planes * size.channels)},
                     {kSmoothThreads}, s.separable() ? smooth_shared_bytes(s.width, s.height) : 0,
                     a);
    });
  }

  const GpuKernel& kernel_;
  Resident weights_;
  std::unique_ptr<const PackedSmooth> packed_;
};

}  // namespace

EnhancePassPointer make_smooth_pass(const EnhanceProblem& p, const EnhancePass& pass) {
  return std::make_unique<SmoothPass>(p, pass);
}

}  // namespace tessera
