// SPDX-License-Identifier: Apache-2.0
// The direct method on a GPU. Large images of samples go through a kernel compiled at run time for
// the filter's size; everything else, and a machine without a run-time compiler, through the one
// for any size. Both add weights row by row: the bits are the same.
#include <fmt/format.h>

#include <optional>

#include "ops/convolve/cuda/convolve_any_cuda.hpp"
#include "ops/convolve/cuda/convolve_run_time.hpp"
#include "tune/table.hpp"

namespace tessera {
namespace {

FixedKnobs find_fixed_knobs(const ConvolveProblem& p) {
  return with_table(usual_fixed_knobs(p),
                    find_knobs(kDirectSite, problem_key(p), device_table_name(p.device)));
}

int shared_bytes_of(const ConvolveProblem& p, const FixedKnobs& k, int shift = kMostShift) {
  const int reach = reach_of(k.columns, p.filter_width, p.image.size.channels, shift);
  const int samples = 31 * k.columns + reach, rows = k.block_y * k.rows + p.filter_height - 1;
  if (k.straight) return 4 * (samples + rows);
  return tile_bytes(samples, rows, k.columns == 8 ? 32 : samples);
}

/// The kernel for this filter's size, if compiling pays.
struct FixedKernel {
  FixedKnobs knobs;
  const GpuKernel* kernel;
};

std::optional<FixedKernel> find_fixed(const ConvolveProblem& p) {
  if (p.sums != Type::f32 || p.weights.size() > kMostFixedWeights || !compiling_pays(p)) return {};
  FixedKnobs knobs = find_fixed_knobs(p);
  const int most = device_info(p.device).shared_bytes_per_block;
  while (knobs.block_y > 1 && shared_bytes_of(p, knobs) > most) knobs.block_y /= 2;
  if (shared_bytes_of(p, knobs) > most) return {};
  return FixedKernel{knobs,
                     &find_kernel(p.device, fixed_kernel_name(p, knobs, alignment_shift(p)))};
}

template <class T>
class DirectCuda : public ConvolveCudaRunner {
 public:
  explicit DirectCuda(const ConvolveProblem& problem)
      : ConvolveCudaRunner(problem), any_(problem), fixed_(find_fixed(problem)) {}

  std::string describe() const override {
    if (!fixed_) return fmt::format("device {}, kernel for any filter", problem().device);
    const FixedKnobs& k = fixed_->knobs;
    return fmt::format("device {}, blocks of 32x{}, {}x{} outputs per thread, {}", problem().device,
                       k.block_y, k.columns, k.rows, fixed_->kernel->origin());
  }

 protected:
  void launch(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    if constexpr (std::is_same_v<T, float>)
      if (fixed_ && is_flat(in, out)) return launch_fixed(in, out, stream);
    DirectArgs<T> args{};
    fill(args, in, out);
    any_.launch(args, in, out, nullptr, stream);
  }

 private:
  void launch_fixed(const Piece& in, const MutablePiece& out, Stream& stream) const {
    const FixedKnobs& k = fixed_->knobs;
    RunTimeArgs<float> args(any_.weights().size());
    fill(args.common(), in, out);
    std::copy(any_.weights().begin(), any_.weights().end(), args.values());
    const int shift = alignment_shift(problem(), args.common(), in.view);
    const GpuKernel& kernel =
        shift == alignment_shift(problem())
            ? *fixed_->kernel
            : find_kernel(problem().device, fixed_kernel_name(problem(), k, shift));
    each_launch(out, 1LL * k.block_y * k.rows, 1, [&](Rows rows, int plane, int planes) {
      move_to_part(args.common(), in, out, rows, plane);
      kernel.launch(stream,
                    {blocks_across(args.common(), 32 * k.columns),
                     blocks_for(rows.count(), k.block_y * k.rows), static_cast<unsigned>(planes)},
                    {32, static_cast<unsigned>(k.block_y)}, shared_bytes_of(problem(), k, shift),
                    args.bytes());
    });
  }

  AnyFilterKernel<T> any_;
  std::optional<FixedKernel> fixed_;
};

}  // namespace

FixedKnobs usual_fixed_knobs(const ConvolveProblem& p) {
  const long long taps = 1LL * p.filter_width * p.filter_height;
  const int span = (p.filter_width - 1) * p.image.size.channels;
  if (span > 20 || taps > 256) return {.block_y = 8, .columns = 8, .rows = 4, .min_blocks = 2};
  if (taps > 180) return {.block_y = 8, .columns = 4, .rows = 2, .min_blocks = 5};
  if (taps <= (p.image.type == Type::u8 ? 9 : 25) && span <= 4)
    return {.block_y = 4, .columns = 4, .rows = 4, .min_blocks = 8, .straight = 1};
  return {.block_y = 8, .columns = 4, .rows = 4, .min_blocks = 4};
}

FixedKnobs with_table(FixedKnobs knobs, const Knobs& tuned) {
  knobs.block_y = tuned.get("block_y", knobs.block_y);
  knobs.columns = tuned.get("columns", knobs.columns);
  knobs.rows = tuned.get("rows", knobs.rows);
  knobs.min_blocks = tuned.get("min_blocks", knobs.min_blocks);
  knobs.straight = tuned.get("straight", knobs.straight);
  return knobs;
}

KernelName fixed_kernel_name(const ConvolveProblem& p, const FixedKnobs& k, int shift) {
  return {"convolve_fixed", "",
          fmt::format(
              "direct_fixed<{}, {}, float, FixedKnobs{{{}, {}, {}, {}, {}}}, {}, {}, {}, {}, {}>",
              kernel_type(p.image.type), kernel_type(p.output.type), k.block_y, k.columns, k.rows,
              k.min_blocks, k.straight, p.filter_width, p.filter_height, p.image.size.channels,
              shift, p.border == Border::inside),
          fmt::format("FixedArgs<float, {}>", p.weights.size()),
          fmt::format("{}, {}", 32 * k.block_y, k.min_blocks)};
}

std::unique_ptr<const ConvolveRunner> make_convolve_direct_cuda(const ConvolveProblem& problem) {
  if (problem.sums == Type::f64) return std::make_unique<DirectCuda<double>>(problem);
  return std::make_unique<DirectCuda<float>>(problem);
}

}  // namespace tessera
