// SPDX-License-Identifier: Apache-2.0
// Two passes on a GPU, with their own kernels, in bands of rows so that the image between them
// takes little memory.
#include <fmt/format.h>

#include <algorithm>

#include "core/piece_launch.hpp"
#include "core/staging.hpp"
#include "ops/morphology/cuda/morphology_subtract_args.cuh"
#include "ops/morphology/morphology_steps.hpp"

namespace tessera {
namespace {

/// The approximate memory between the passes.
constexpr long long kMiddleBytes = 64LL << 20;

const GpuKernel& subtract_kernel(const MorphologySteps& s) {
  const std::string body =
      fmt::format("morphology_subtract_rows<{}, MorphologySubtractKnobs{{{}, {}}}>",
                  kernel_type(s.image.type), kSubtractKnobs.threads, kSubtractKnobs.rows);
  return find_kernel(s.device, {"morphology_subtract",
                                fmt::format("morphology_subtract_{}", name_of(s.image.type)),
                                force_run_time_kernels() ? body : "", "MorphologySubtractArgs",
                                std::to_string(kSubtractKnobs.threads)});
}

class MorphologyStepsCuda : public RowsRunner {
 public:
  MorphologyStepsCuda(const MorphologySteps& steps, MorphologyRunnerPointer first,
                      MorphologyRunnerPointer second)
      : steps_(steps),
        first_(std::move(first)),
        second_(std::move(second)),
        subtract_(steps.difference == MorphologyDifference::none ? nullptr
                                                                 : &subtract_kernel(steps)) {}

  std::string describe() const override {
    return fmt::format("{}, both passes over {} rows at once", second_->describe_part(),
                       std::min(band_rows(), steps_.output.size.height));
  }

  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    const auto on_device = [&](const Piece& from, const MutablePiece& to, Stream& work) {
      steps_.check_rows(from, to.rows());
      for (int plane = 0; plane < to.view.size.planes; ++plane)
        for (int row = 0; row < to.view.size.height; row += band_rows()) {
          const int count = std::min(band_rows(), to.view.size.height - row);
          run_band({from.view.only_plane(plane), from.first_row},
                   {to.view.only_plane(plane).rows(row, count), to.first_row + row}, work);
        }
    };
    if (in.view.device != kHost) return on_device(in, out, stream);
    RowRule rule{name_of(steps_.kind).data(), [this](Rows rows) { return steps_.needs(rows); },
                 steps_.image.size.height, steps_.border};
    rule.limit_parts = 2;  // the middle is about as large as a strip
    run_staged(in, out, rule, stream, on_device);
  }

 private:
  int band_rows() const {
    const Size size = steps_.passes.front().output.size;
    const long long row =
        std::max(1LL, 1LL * size.width * size.channels * bytes_of(steps_.image.type));
    const long long rows = kMiddleBytes / row - steps_.passes.back().height;
    return static_cast<int>(std::clamp<long long>(
        rows, std::min(2 * steps_.passes.back().height, kMostBlocks), kMostBlocks));
  }

  /// Rows of one plane.
  void run_band(const Piece& in, const MutablePiece& out, Stream& stream) const {
    const Rows rows = steps_.chained() ? steps_.middle_rows(out.rows()) : out.rows();
    ImageInfo info = steps_.passes.front().output;
    info.size.height = rows.count();
    info.size.planes = 1;
    info.device = stream.device();
    const Scratch memory = stream.scratch(static_cast<std::size_t>(bytes_of(info)));
    const AnyMutableView middle = packed(memory.data(), info);
    first_->run_part(in, {middle, rows.first}, stream);
    second_->run_part(steps_.chained() ? Piece{middle, rows.first} : in, out, stream);
    if (!subtract_) return;
    const auto [a, b] = steps_.operands(in, middle, out);
    subtract(a, b, out.view, stream);
  }

  void subtract(const AnyView& a, const AnyView& b, const AnyMutableView& out,
                Stream& stream) const {
    const Size size = out.size;
    const MorphologySubtractArgs args{a.data,
                                      b.data,
                                      out.data,
                                      a.pixel,
                                      a.row,
                                      b.pixel,
                                      b.row,
                                      out.pixel,
                                      out.row,
                                      size.width,
                                      size.channels,
                                      size.height,
                                      steps_.difference_rule()};
    subtract_->launch(stream,
                      {blocks_for(1LL * size.width * size.channels, kSubtractKnobs.threads),
                       blocks_for(size.height, kSubtractKnobs.rows)},
                      {static_cast<unsigned>(kSubtractKnobs.threads)}, 0, args);
  }

  MorphologySteps steps_;
  MorphologyRunnerPointer first_, second_;
  const GpuKernel* subtract_;
};

}  // namespace

std::unique_ptr<const RowsRunner> make_morphology_steps_cuda(const MorphologySteps& steps,
                                                             MorphologyRunnerPointer first,
                                                             MorphologyRunnerPointer second) {
  return std::make_unique<MorphologyStepsCuda>(steps, std::move(first), std::move(second));
}

}  // namespace tessera
