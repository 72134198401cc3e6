// SPDX-License-Identifier: Apache-2.0
// The standard work of convolve: a filter of 15x15 that is not the product of a row and a column.
#include <fmt/format.h>

#include <algorithm>

#include "ops/convolve/convolve_problem.hpp"
#include "ops/convolve/study/convolve_spot_check.hpp"
#include "study/benchmark_image.hpp"
#include "study/report_ways.hpp"

namespace tessera {
namespace {

constexpr int kTaps = 15;

/// By the plain sum, or by real transforms of the whole image to the frequencies and back.
double least_flops(double pixels) {
  return std::min(2 * kTaps * kTaps * pixels, 2 * transform_flops(pixels) / 2 + 3 * pixels);
}

ReportWork make_convolve_report(bool quick) {
  const int side = quick ? 1024 : 4096;
  const double pixels = 1.0 * side * side;
  const ImageInfo info{{side, side}, Type::f32, kHost};
  const Image image = benchmark_image(info.size, 1), filter = benchmark_image({kTaps, kTaps}, 2);
  ConvolveOptions options{.border = Border::replicate};
  const ConvolveSpotCheck check(image.view(), filter.view(), options);
  const auto images =
      std::make_shared<ReportImages>(std::vector<Image>{image}, std::vector<ImageInfo>{info});
  ReportWork work{.what = fmt::format("{0}x{0} f32 by {1}x{1}", side, kTaps),
                  .counts = "Mpixel",
                  .amount = 1e-6 * pixels,
                  .flops = least_flops(pixels),
                  .bytes = 2 * sizeof(float) * pixels};
  add_ways(work, "convolve", convolve_methods(),
           on_images(images, [&](const WayPlace& place, const ReportImages::Side& at) {
             options.backend = place.backend;
             options.method = place.method;
             const Convolve plan(at.given[0].info(), filter.view(), options);
             return ReadyWay{[plan, in = at.given[0], out = at.made[0]](Stream& stream) {
                               plan(Piece{in, 0}, MutablePiece{out, 0}, stream);
                             },
                             [&check, plan, out = images->host().made[0]] {
                               return check.disagreement(plan, out);
                             }};
           }));
  return work;
}

const bool report_entered = add_report_work(
    {"convolve", make_convolve_report,
     "The GPU 7 times the CPU (i7-3770K). GTX 680: up to 938.4 GFLOP/s, 9.14 times its naive "
     "kernel at most."});

}  // namespace
}  // namespace tessera
