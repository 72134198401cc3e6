// SPDX-License-Identifier: Apache-2.0
// The standard work of morphology: erosion by a box of 15x15. The papers time no erosion or
// dilation by itself.
#include <fmt/format.h>

#include "ops/morphology/morphology_steps.hpp"
#include "ops/morphology/study/morphology_spot_check.hpp"
#include "study/benchmark_image.hpp"
#include "study/report_ways.hpp"

namespace tessera {
namespace {

/// Minima per pixel that a box of any size needs: three along rows, three along columns (van Herk;
/// Gil and Werman).
constexpr double kMinima = 6;

ReportWork make_morphology_report(bool quick) {
  const int side = quick ? 1024 : 4096;
  const double pixels = 1.0 * side * side;
  const ImageInfo info{{side, side}, Type::f32, kHost};
  const Image image = benchmark_image(info.size, 1), element = element_from_text("box:15x15");
  const ErosionSpotCheck check(image.view(), element.view());
  const auto images =
      std::make_shared<ReportImages>(std::vector<Image>{image}, std::vector<ImageInfo>{info});
  ReportWork work{.what = fmt::format("{0}x{0} f32 eroded by 15x15", side),
                  .counts = "Mpixel",
                  .amount = 1e-6 * pixels,
                  .flops = kMinima * pixels,
                  .bytes = 2 * sizeof(float) * pixels};
  add_ways(work, "morphology", morphology_methods(),
           on_images(images, [&](const WayPlace& place, const ReportImages::Side& at) {
             const Morphology plan(MorphologyKind::erode, at.given[0].info(), element.view(),
                                   {.backend = place.backend, .method = place.method});
             return ReadyWay{
                 [plan, in = at.given[0], out = at.made[0]](Stream& stream) {
                   plan(Piece{in, 0}, MutablePiece{out, 0}, stream);
                 },
                 [&check, out = images->host().made[0]] { return check.disagreement(out); }};
           }));
  return work;
}

const bool entered = add_report_work({"morphology", make_morphology_report});

}  // namespace
}  // namespace tessera
