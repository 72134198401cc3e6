// SPDX-License-Identifier: Apache-2.0
// The standard work of enhance: the paper's scan through grey, contrast and smoothing.
#include <fmt/format.h>

#include "ops/enhance/enhance_problem.hpp"
#include "ops/enhance/study/enhance_spot_check.hpp"
#include "sample/scene.hpp"
#include "study/report_ways.hpp"

namespace tessera {
namespace {

constexpr const char* kReportChain = "grey,contrast,smooth";
/// Integer operations per pixel: grey 3 products and 3 sums, 1 count, 4 of contrast, and 5 products
/// and sums each along rows and columns.
constexpr double kSteps = 6 + 1 + 4 + 20;
/// Bytes per pixel: grey reads three and writes one, which contrast and smoothing read, and they
/// write one.
constexpr double kBytes = 6;

ReportWork make_enhance_report(bool quick) {
  const Size size = quick ? Size{1600, 1200, 3} : Size{8773, 5352, 3};
  const double pixels = static_cast<double>(size.pixels());
  const Image scan = scene(size, 1, Type::u8);
  const ImageInfo result{{size.width, size.height}, Type::u8, kHost};
  const EnhanceSpotCheck check(scan.view(), kReportChain);
  const auto images =
      std::make_shared<ReportImages>(std::vector<Image>{scan}, std::vector<ImageInfo>{result});
  ReportWork work{.what = fmt::format("{}x{} RGB u8, {}", size.width, size.height, kReportChain),
                  .counts = "Mpixel",
                  .amount = 1e-6 * pixels,
                  .flops = kSteps * pixels,
                  .bytes = kBytes * pixels};
  add_ways(work, "enhance", enhance_methods(),
           on_images(images, [&](const WayPlace& place, const ReportImages::Side& at) {
             const Enhance plan(
                 at.given[0].info(),
                 {.steps = kReportChain, .backend = place.backend, .method = place.method});
             return ReadyWay{[plan, in = at.given[0], out = at.made[0]](Stream& stream) {
                               plan(in, out, stream);
                             },
                             [&check, out = images->host().made[0]] {
                               return check.agrees(out) ? "" : "some bytes differ";
                             }};
           }));
  return work;
}

const bool report_entered =
    add_report_work({"enhance", make_enhance_report,
                     "GTX 480 151 times a Xeon E5620; 53 times with allocation and copies."});

}  // namespace
}  // namespace tessera
