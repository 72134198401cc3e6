// SPDX-License-Identifier: Apache-2.0
// The standard work of noise: exact background and noise from boxes of 64x64. (Mode binned makes
// different maps, so it is not another way to these.)
#include <fmt/format.h>

#include <algorithm>

#include "ops/noise/noise_check.hpp"
#include "ops/noise/study/noise_sky.hpp"
#include "study/report_ways.hpp"
#include "tessera/error.hpp"
#include "tessera/noise.hpp"

namespace tessera {
namespace {

constexpr int kBox = 64;
/// Operations per pixel of a median that takes the same time for every box (Perreault and Hébert
/// 2007), of three quantiles: 2 counts in columns, 16 coarse ones added and subtracted, 16 coarse
/// and 16 fine ones searched for each quantile.
constexpr double kSteps = 2 + 2 * 16 + 3 * (16 + 16);
/// A method that is expected to take longer is left out: every box by itself takes minutes on a
/// CPU.
constexpr double kMostSeconds = 20;

/// A row at the top, in the middle and at the bottom.
struct SkyRows {
  std::vector<int> rows;
  std::vector<Image> truth;

  SkyRows(AnyView sky, NoiseOptions options) : rows{0, sky.size.height / 2, sky.size.height - 1} {
    options.backend = Backend::cpu;
    options.method = "reference";
    const Noise reference(sky.info(), options);
    Stream stream;
    for (const int row : rows) {
      truth.emplace_back(Size{sky.size.width, 1, 1, 2}, Type::f32);
      reference(Piece{sky, 0}, MutablePiece{truth.back().view(), row}, stream);
    }
  }
  /// Exact maps are the same to the bit.
  std::string disagreement(AnyView maps) const {
    for (std::size_t k = 0; k < rows.size(); ++k)
      for (int p = 0; p < 2; ++p)
        for (int x = 0; x < maps.size.width; ++x) {
          const float found = maps.as<const float>().at(x, rows[k], 0, p);
          const float right = truth[k].as<float>().at(x, 0, 0, p);
          if (found != right)
            return fmt::format("plane {}, pixel {},{} is {}, not {}", p, x, rows[k], found, right);
        }
    return "";
  }
};

void refuse_slow(const WayPlace& place, const NoiseProblem& problem) {
  for (const NoiseMethod& method : noise_methods()) {
    if (method.name != place.method || method.backend != place.backend) continue;
    if (const double seconds = method.seconds(problem, this_machine()); seconds > kMostSeconds)
      throw Error(
          ErrorKind::usage,
          fmt::format("noise: it would take about {:.1f} s, more than the {:.0f} s a way may take",
                      seconds, kMostSeconds));
  }
}

ReportWork make_noise_report(bool quick) {
  const int side = quick ? 256 : 4096;
  const double pixels = 1.0 * side * side;
  const Image sky = noise_sky(side, false);
  NoiseOptions options{.box = {kBox, kBox}};
  const SkyRows check(sky.view(), options);
  const ImageInfo maps{{side, side, 1, 2}, Type::f32, kHost};
  const auto images =
      std::make_shared<ReportImages>(std::vector<Image>{sky}, std::vector<ImageInfo>{maps});
  ReportWork work{.what = fmt::format("{0}x{0} f32, box {1}x{1}, exact", side, kBox),
                  .counts = "Mpixel",
                  .amount = 1e-6 * pixels,
                  .flops = kSteps * pixels,
                  .bytes = 3 * sizeof(float) * pixels};
  add_ways(work, "noise", noise_methods(),
           on_images(images, [&](const WayPlace& place, const ReportImages::Side& at) {
             options.backend = place.backend;
             options.method = place.method;
             refuse_slow(place, make_noise_problem(at.given[0].info(), options));
             const Noise plan(at.given[0].info(), options);
             return ReadyWay{
                 [plan, in = at.given[0], out = at.made[0]](Stream& stream) {
                   plan(Piece{in, 0}, MutablePiece{out, 0}, stream);
                 },
                 [&check, out = images->host().made[0]] { return check.disagreement(out); }};
           }));
  return work;
}

const bool report_entered =
    add_report_work({"noise", make_noise_report, "About equal: not worth a GPU."});

}  // namespace
}  // namespace tessera
