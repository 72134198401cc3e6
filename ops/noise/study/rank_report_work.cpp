// SPDX-License-Identifier: Apache-2.0
// The standard work of ranks: the median of 5x5 pixels.
#include <fmt/format.h>

#include "ops/noise/rank/rank_problem.hpp"
#include "study/benchmark_image.hpp"
#include "study/report_ways.hpp"
#include "study/spot_rows.hpp"

namespace tessera {
namespace {

/// Minima and maxima per pixel of the median of 25 values by the shortest known network of 99
/// exchanges (Devillard 1998), each window by itself.
constexpr double kExchangeSteps = 2 * 99;

ReportWork make_rank_report(bool quick) {
  const int side = quick ? 1024 : 4096;
  const double pixels = 1.0 * side * side;
  const ImageInfo info{{side, side}, Type::f32, kHost};
  const Image image = benchmark_image(info.size, 1), window = box_element(5, 5);
  const SpotRows check(info, [&](const MutablePiece& made, Stream& stream) {
    const RankFilter reference(info, window.view(),
                               {.backend = Backend::cpu, .method = "reference"});
    reference(Piece{image.view(), 0}, made, stream);
  });
  const auto images =
      std::make_shared<ReportImages>(std::vector<Image>{image}, std::vector<ImageInfo>{info});
  ReportWork work{.what = fmt::format("{0}x{0} f32, median of 5x5", side),
                  .counts = "Mpixel",
                  .amount = 1e-6 * pixels,
                  .flops = kExchangeSteps * pixels,
                  .bytes = 2 * sizeof(float) * pixels};
  add_ways(work, "rank", rank_methods(),
           on_images(images, [&](const WayPlace& place, const ReportImages::Side& at) {
             const RankFilter plan(at.given[0].info(), window.view(),
                                   {.backend = place.backend, .method = place.method});
             return ReadyWay{
                 [plan, in = at.given[0], out = at.made[0]](Stream& stream) {
                   plan(Piece{in, 0}, MutablePiece{out, 0}, stream);
                 },
                 [&check, out = images->host().made[0]] { return check.disagreement(out, 0); }};
           }));
  return work;
}

const bool rank_report_entered = add_report_work({"rank", make_rank_report});

}  // namespace
}  // namespace tessera
