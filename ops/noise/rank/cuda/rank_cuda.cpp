// SPDX-License-Identifier: Apache-2.0
#include "ops/noise/rank/cuda/rank_cuda.hpp"

#include <fmt/format.h>

#include "core/kernel.hpp"
#include "core/piece_launch.hpp"
#include "core/resident.hpp"
#include "core/rows.hpp"
#include "core/staging.hpp"

namespace tessera {
namespace {

const GpuKernel& rank_kernel(const RankProblem& p, const std::string& unit,
                             const std::string& entry, const std::string& body,
                             const RankKnobs& knobs) {
  const std::string with = fmt::format("{}, RankKnobs{{{}, {}}}>", body, knobs.threads, knobs.rows);
  return find_kernel(p.device, {unit, entry, force_run_time_kernels() ? with : "", "RankArgs",
                                std::to_string(knobs.threads)});
}

class RankCuda : public RankRunner {
 public:
  RankCuda(const RankProblem& problem, RankKnobs knobs, const GpuKernel& kernel)
      : problem_(problem),
        knobs_(knobs),
        kernel_(kernel),
        pixels_(problem.device, rank_pixels(problem)) {}

  std::string describe() const override {
    return fmt::format("device {}, blocks of {} threads, {} per thread, {}", problem_.device,
                       knobs_.threads, knobs_.rows == 1 ? "one row" : "several rows",
                       kernel_.origin());
  }

  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    const int height = problem_.image.size.height;
    const auto checked = [&](const Piece& device_in, const MutablePiece& device_out, Stream& lane) {
      // Throws if a row is missing; the kernel could not report that.
      find_rows(problem_.operation, problem_.reads(device_out.rows()), device_in.rows(), height,
                problem_.border);
      launch(device_in, device_out, lane);
    };
    if (in.view.device != kHost) return checked(in, out, stream);
    const RowRule rule{problem_.operation, [this](Rows rows) { return problem_.needs(rows); },
                       height, problem_.border};
    run_staged(in, out, rule, stream, checked);
  }

 private:
  void launch(const Piece& in, const MutablePiece& out, Stream& stream) const {
    RankArgs args = rank_args(problem_, in, out);
    args.pixels = pixels_.as<RankPixel>();
    const long long samples = 1LL * out.view.size.width * out.view.size.channels;
    each_launch(out, knobs_.rows, 1, [&](Rows rows, int first_plane, int planes) {
      for (int plane = first_plane; plane < first_plane + planes; ++plane) {
        move_to_part(args, in, out, rows, plane);
        args.plane = plane;
        kernel_.launch(stream,
                       {blocks_for(samples, knobs_.threads), blocks_for(rows.count(), knobs_.rows)},
                       {static_cast<unsigned>(knobs_.threads)}, 0, args);
      }
    });
    pixels_.used_by(stream);
  }

  RankProblem problem_;
  RankKnobs knobs_;
  const GpuKernel& kernel_;
  Resident pixels_;
};

}  // namespace

RankArgs rank_args(const RankProblem& p, const Piece& in, const MutablePiece& out) {
  RankArgs a{};
  fill_piece(a, in, out, p.image.size, out.view.size.width, p.anchor, p.border);
  move_to_part(a, in, out, {0, out.view.size.height}, 0);
  a.constant = p.constant;
  a.percent = p.percent;
  a.count = p.count();
  a.planes = p.image.size.planes;
  return a;
}

std::vector<RankPixel> rank_pixels(const RankProblem& p) {
  std::vector<RankPixel> pixels;
  for (const Point at : p.pixels) {
    const int plane = p.is_flat() ? 0 : p.planes[pixels.size()] - p.anchor_plane;
    pixels.push_back(
        {static_cast<short>(at.x), static_cast<short>(at.y), static_cast<short>(plane)});
  }
  return pixels;
}

RankRunnerPointer make_rank_square_cuda(const RankProblem& p) {
  const Size& size = p.image.size;
  const bool small =
      p.width < 7 && 1LL * size.width * size.channels * size.height <= kMostSmallRankPixels;
  const RankKnobs knobs = small ? small_rank_knobs(p.width) : usual_rank_knobs(p.width);
  const std::string type = kernel_type(p.image.type);
  return std::make_unique<RankCuda>(
      p, knobs,
      rank_kernel(
          p, "rank_square",
          fmt::format("rank_square_{}{}_{}", small ? "small_" : "", p.width, name_of(p.image.type)),
          fmt::format("rank_square_column<{}, {}", type, p.width), knobs));
}
RankRunnerPointer make_rank_bisect_cuda(const RankProblem& p) {
  return std::make_unique<RankCuda>(
      p, kRankBisectKnobs,
      rank_kernel(p, "rank_bisect", fmt::format("rank_bisect_{}", name_of(p.image.type)),
                  fmt::format("rank_bisect_column<{}", kernel_type(p.image.type)),
                  kRankBisectKnobs));
}

}  // namespace tessera
