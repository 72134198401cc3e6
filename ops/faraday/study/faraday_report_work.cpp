// SPDX-License-Identifier: Apache-2.0
// The standard work of faraday: synthesis of 300 channels to 401 depths.
#include <fmt/format.h>

#include <algorithm>

#include "ops/faraday/study/faraday_spot_check.hpp"
#include "ops/faraday/synth/faraday_problem.hpp"
#include "study/benchmark_image.hpp"
#include "study/report_ways.hpp"

namespace tessera {
namespace {

/// A pixel's spectrum by the plain sum, where depths of both signs share their products, or by a
/// transform that is not uniform: every channel goes to about eight complex points of a grid
/// twice as fine, which is transformed.
double least_flops_a_pixel(const FaradayAxes& axes) {
  double points = 1;
  while (points < 2 * axes.depths()) points *= 2;
  return std::min(4.0 * axes.channels() * axes.depths(),
                  8 * 4.0 * axes.channels() + transform_flops(points));
}

ReportWork make_faraday_report(bool quick) {
  const int side = quick ? 48 : 256;
  const double pixels = 1.0 * side * side;
  const FaradayAxes axes = spot_axes();
  const Size given{side, side, 1, axes.channels()}, made{side, side, 1, axes.depths()};
  const ImageInfo spectra{made, Type::f32, kHost};
  const auto images = std::make_shared<ReportImages>(
      std::vector<Image>{benchmark_image(given, 1), benchmark_image(given, 2)},
      std::vector<ImageInfo>{spectra, spectra});
  ReportWork work{.what = fmt::format("{} channels of {}x{} f32, {} depths", axes.channels(), side,
                                      side, axes.depths()),
                  .counts = "Mspectra",
                  .amount = 1e-6 * pixels,
                  .flops = least_flops_a_pixel(axes) * pixels,
                  .bytes = 2 * sizeof(float) * pixels * (axes.channels() + axes.depths())};
  add_ways(work, "faraday", faraday_methods(),
           on_images(images, [&](const WayPlace& place, const ReportImages::Side& at) {
             const FaradaySynth plan(at.given[0].info(), axes,
                                     {.backend = place.backend, .method = place.method});
             return ReadyWay{[plan, at](Stream& stream) {
                               plan(at.given[0], at.given[1], at.made[0], at.made[1], stream);
                             },
                             [&axes, host = images->host()] {
                               return spectra_agree(host.given[0], host.given[1], axes,
                                                    host.made[0], host.made[1])
                                          ? ""
                                          : "a spectrum is outside the bound";
                             }};
           }));
  return work;
}

const bool report_entered =
    add_report_work({"faraday", make_faraday_report, "CPU and GPU about equal."});

}  // namespace
}  // namespace tessera
