// SPDX-License-Identifier: Apache-2.0
// The separable and lowrank methods on a GPU: one launch per term; the last one writes the result.
#include <fmt/format.h>

#include "core/counted.hpp"
#include "ops/convolve/cuda/convolve_cuda.hpp"
#include "ops/convolve/cuda/convolve_direct_args.cuh"
#include "ops/convolve/cuda/convolve_pack_args.cuh"
#include "ops/convolve/cuda/convolve_run_time.hpp"
#include "ops/convolve/cuda/convolve_separable_args.cuh"
#include "ops/convolve/split_signs.hpp"
#include "tune/table.hpp"

namespace tessera {
namespace {

/// Tiles with pixels that are not finite are found and recomputed in blocks of this many rows.
constexpr int kRepairRows = 32;

int separable_shared_bytes(const ConvolveProblem& p, const SeparableKnobs& k,
                           int shift = kMostShift) {
  const int reach = reach_of(8, p.filter_width, p.image.size.channels, shift);
  return tile_bytes(120 + reach, k.block_y * k.rows + p.filter_height - 1, 32);
}

SeparableKnobs find_separable_knobs(const ConvolveProblem& p) {
  SeparableKnobs k = with_table(usual_separable_knobs(p), find_knobs(kSeparableSite, problem_key(p),
                                                                     device_table_name(p.device)));
  const int most = device_info(p.device).shared_bytes_per_block;
  while (k.block_y > 2 && separable_shared_bytes(p, k) > most) k.block_y /= 2;
  return k;
}

class SeparableCuda : public ConvolveCudaRunner {
 public:
  SeparableCuda(const ConvolveProblem& problem, const FilterSplit& split)
      : ConvolveCudaRunner(problem),
        terms_(split.terms),
        knobs_(find_separable_knobs(problem)),
        kernel_(find_kernel(problem.device,
                            separable_kernel_name(problem, knobs_, split.terms.size() > 1,
                                                  alignment_shift(problem)))),
        weights_(problem.device, repairs(problem) ? std::vector<float>(problem.weights.begin(),
                                                                       problem.weights.end())
                                                  : std::vector<float>{}),
        repair_(
            repairs(problem)
                ? &find_kernel(problem.device,
                               {"convolve_direct",
                                fmt::format("repair_f32_{}", name_of(problem.output.type)), "", ""})
                : nullptr) {}

  std::string describe() const override {
    return fmt::format("device {}, {}, blocks of 32x{}, {} rows per thread, {}", problem().device,
                       counted(terms_.size(), "term"), knobs_.block_y, knobs_.rows,
                       kernel_.origin());
  }
  int row_step() const override { return repair_ ? kRepairRows : 1; }

 protected:
  void launch(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    if (is_flat(in, out)) return launch_flat(in, out, stream);
    // Pixels with gaps are rare: such images are packed for the kernel.
    const Scratch packed_in = stream.scratch(static_cast<std::size_t>(bytes_of(in.view.info())));
    const Scratch packed_out =
        stream.scratch(static_cast<std::size_t>(bytes_of(AnyView(out.view).info())));
    const AnyMutableView from = packed(packed_in.data(), in.view.info());
    const AnyMutableView to = packed(packed_out.data(), AnyView(out.view).info());
    move(in.view, from, stream);
    launch_flat({from, in.first_row}, {to, out.first_row}, stream);
    move(to, out.view, stream);
  }

 private:
  void move(const AnyView& from, const AnyMutableView& to, Stream& stream) const {
    const Size size = from.size;
    const PackArgs args{from.data,  to.data,     from.pixel,    from.row,
                        from.plane, to.pixel,    to.row,        to.plane,
                        size.width, size.height, size.channels, size.samples()};
    find_kernel(problem().device,
                {"convolve_pack", fmt::format("pack_{}", bytes_of(from.type)), "", ""})
        .launch(stream, {blocks_for(size.samples(), kPackThreads)}, {kPackThreads}, 0, args);
  }

  bool repairs(const ConvolveProblem& p) const {
    const bool as_direct = terms_.size() == 1 && keeps_signs<float>(p, terms_[0]);
    return !as_direct && p.image.type == Type::f32;
  }

  void launch_flat(const Piece& in, const MutablePiece& out, Stream& stream) const {
    const auto samples = static_cast<std::size_t>(out.view.size.samples());
    const Scratch sums = stream.scratch(terms_.size() > 1 ? samples * sizeof(float) : 0);
    for (std::size_t term = 0; term < terms_.size(); ++term)
      launch_term(in, out, term, sums.as<float>(), stream);
    if (repair_) launch_repair(in, out, stream);
  }

  void launch_term(const Piece& in, const MutablePiece& out, std::size_t term, float* sums,
                   Stream& stream) const {
    const auto& [row, column] = terms_[term];
    struct Between {
      const float* before;
      float* after;
    };
    RunTimeArgs<float> args(row.size() + column.size(), sizeof(Between));
    fill(args.common(), in, out);
    std::copy(row.begin(), row.end(), args.values());
    std::copy(column.begin(), column.end(), args.values() + row.size());
    const int height = knobs_.block_y * knobs_.rows;
    const int shift = alignment_shift(problem(), args.common(), in.view);
    const GpuKernel& kernel =
        shift == alignment_shift(problem())
            ? kernel_
            : find_kernel(problem().device,
                          separable_kernel_name(problem(), knobs_, terms_.size() > 1, shift));
    // The sums of terms have as many rows as the launch makes: it must make them all.
    const long long part_rows = terms_.size() > 1 ? out.view.size.height : height;
    each_launch(out, part_rows, 1, [&](Rows rows, int plane, int planes) {
      move_to_part(args.common(), in, out, rows, plane);
      float* here =
          sums ? sums + 1LL * plane * rows.count() * out.view.size.width * out.view.size.channels
               : nullptr;
      *static_cast<Between*>(args.extra()) = {term > 0 ? here : nullptr,
                                              term + 1 < terms_.size() ? here : nullptr};
      kernel.launch(stream,
                    {blocks_across(args.common(), 128), blocks_for(rows.count(), height),
                     static_cast<unsigned>(planes)},
                    {32, static_cast<unsigned>(knobs_.block_y)},
                    separable_shared_bytes(problem(), knobs_, shift), args.bytes());
    });
  }

  void launch_repair(const Piece& in, const MutablePiece& out, Stream& stream) const {
    DirectArgs<float> args{};
    fill(args, in, out);
    args.weights = weights_.as<float>();
    const int channels = problem().image.size.channels;
    each_launch(out, kRepairRows, channels, [&](Rows rows, int plane, int planes) {
      move_to_part(args, in, out, rows, plane);
      repair_->launch(stream,
                      {blocks_for(args.out_width, kRepairRows),
                       blocks_for(rows.count() + kRepairRows - 1, kRepairRows),
                       static_cast<unsigned>(planes * channels)},
                      {kRepairRows, 8}, 0, args);
    });
    weights_.used_by(stream);
  }

  std::vector<FilterSplit::Term> terms_;
  SeparableKnobs knobs_;
  const GpuKernel& kernel_;
  Resident weights_;
  const GpuKernel* repair_;
};

}  // namespace

SeparableKnobs usual_separable_knobs(const ConvolveProblem& p) {
  if (p.filter_height > 25) return {.block_y = 12, .rows = 8, .min_blocks = 2};
  if (p.filter_height > 11) return {.block_y = 8, .rows = 6, .min_blocks = 3};
  return {.block_y = 8, .rows = 4, .min_blocks = 4};
}

SeparableKnobs with_table(SeparableKnobs knobs, const Knobs& tuned) {
  knobs.block_y = tuned.get("block_y", knobs.block_y);
  knobs.rows = tuned.get("rows", knobs.rows);
  knobs.min_blocks = tuned.get("min_blocks", knobs.min_blocks);
  return knobs;
}

KernelName separable_kernel_name(const ConvolveProblem& p, const SeparableKnobs& k,
                                 bool several_terms, int shift) {
  return {
      "convolve_separable", "",
      fmt::format("separable_tile<{}, {}, SeparableKnobs{{{}, {}, {}}}, {}, {}, {}, {}, {}, {}>",
                  kernel_type(p.image.type), kernel_type(p.output.type), k.block_y, k.rows,
                  k.min_blocks, p.filter_width, p.filter_height, p.image.size.channels, shift,
                  p.border == Border::inside, several_terms),
      fmt::format("SeparableArgs<{}, {}>", p.filter_width, p.filter_height),
      fmt::format("{}, {}", 32 * k.block_y, k.min_blocks)};
}

std::string why_not_separable_on_device(const ConvolveProblem& p) {
  if (p.sums == Type::f64) return "its sums are in double; use direct or fft-library";
  if (!run_time_compiler_found()) return "the run-time compiler (NVRTC) is not found";
  if (std::max(p.filter_width, p.filter_height) > kMostSeparableWeights)
    return fmt::format("the filter is {}x{}; up to {} weights in each direction are compiled",
                       p.filter_width, p.filter_height, kMostSeparableWeights);
  const int most = device_info(p.device).shared_bytes_per_block;
  if (separable_shared_bytes(p, {.block_y = 2, .rows = usual_separable_knobs(p).rows}) > most)
    return fmt::format("its tile does not fit the {} bytes of shared memory", most);
  return "";
}

std::unique_ptr<const ConvolveRunner> make_convolve_separable_cuda(const ConvolveProblem& problem) {
  return std::make_unique<SeparableCuda>(problem, problem.split_in_one());
}

std::unique_ptr<const ConvolveRunner> make_convolve_lowrank_cuda(const ConvolveProblem& problem) {
  return std::make_unique<SeparableCuda>(problem, problem.split_in_few());
}

}  // namespace tessera
