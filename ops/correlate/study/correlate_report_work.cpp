// SPDX-License-Identifier: Apache-2.0
// The standard work of correlate: the paper's image of four planes with itself.
#include <fmt/format.h>

#include <algorithm>

#include "ops/correlate/correlate_problem.hpp"
#include "ops/correlate/study/correlate_spot_check.hpp"
#include "study/benchmark_image.hpp"
#include "study/report_ways.hpp"
#include "tessera/correlate.hpp"

namespace tessera {
namespace {

/// By the definition, or by real transforms of every plane to the frequencies, products of them
/// (8 flop per two points), and one transform back; padded for all shifts.
double least_flops(int side, int shifts) {
  const double points = 1.0 * (side + shifts) * (side + shifts);
  const double transforms = (kSpotPlanes + 1) * transform_flops(points) / 2;
  return std::min(correlation_flops(side, shifts, 1), transforms + 4 * kSpotPlanes * points);
}

ReportWork make_correlate_report(bool quick) {
  const int side = quick ? 250 : 500, shifts = side / 2;
  const Image image = benchmark_image({side, side, 1, kSpotPlanes}, 1);
  const ImageInfo map{{shifts, shifts}, Type::f32, kHost};
  const auto images =
      std::make_shared<ReportImages>(std::vector<Image>{image}, std::vector<ImageInfo>{map});
  ReportWork work{.what = fmt::format("{0}x{0} f32, 4 planes, {1}x{1} shifts", side, shifts),
                  .counts = "images",
                  .amount = 1,
                  .flops = least_flops(side, shifts),
                  .bytes = static_cast<double>(bytes_of(image.info()) + bytes_of(map))};
  add_ways(work, "correlate", correlate_methods(),
           on_images(images, [&](const WayPlace& place, const ReportImages::Side& at) {
             const Correlate plan(
                 at.given[0].info(),
                 {.max_shift = shifts, .backend = place.backend, .method = place.method});
             return ReadyWay{[plan, in = at.given[0], out = at.made[0]](Stream& stream) {
                               plan(in, in, out, stream);
                             },
                             [image, host = images->host(), plan] {
                               const double bound = plan.method() == "fft" ? 5e-7 : 1e-6;
                               const bool right = correlation_agrees(
                                   image.as<float>(), AnyView(host.made[0]).as<const float>(),
                                   bound);
                               return right ? "" : "a shift is outside the bound";
                             }};
           }));
  return work;
}

const bool report_entered = add_report_work(
    {"correlate", make_correlate_report,
     "A Fermi GPU 465.74 ms; two X5680 1.786 s with 24 threads, two Power7 0.650 s with 64."});

}  // namespace
}  // namespace tessera
