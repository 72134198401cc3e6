// SPDX-License-Identifier: Apache-2.0
// Points of light in noise: a filter of the same shape, a beam of 63x63 weights, and peaks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "io/formats.hpp"
#include "jobs/demo/demo_part.hpp"
#include "jobs/demo/reference_share.hpp"
#include "jobs/demo/star_field_truth.hpp"

namespace tessera {
namespace {

constexpr double kStarSigma = 2, kBackground = 100, kGrain = 12;
constexpr double kBeamDegrees = 30;

/// The standard deviation that a Gaussian filter leaves of noise that is independent from pixel to
/// pixel.
double noise_after(double along, double across) {
  return kGrain / (2 * std::sqrt(std::numbers::pi * along * across));
}
const double kSmoothNoise = noise_after(kStarSigma, kStarSigma);
/// Noise alone does not reach this in millions of pixels.
const double kThreshold = kBackground + 7 * kSmoothNoise;

struct StarField {
  int width = 3000, height = 2000, stars = 2000;
  Point corner{1000, 700};  ///< of the part that the pictures show
  int shown_width = 900, shown_height = 600;
  double along = 8, across = 4;  ///< of the beam
  int radius = 31;
  double allowance = 0.05;  ///< of the misfit, which is less certain with few stars

  std::string beam() const {
    return fmt::format("agauss:{},{},{},{}", along, across, kBeamDegrees, radius);
  }
};

StarField star_field(bool quick) {
  if (quick) return {480, 320, 40, {0, 0}, 480, 320, 4, 2, 15, 0.3};
  return {};
}

std::string sample_line(const StarField& field, int seed) {
  return fmt::format(
      "tessera sample points stars.npy --size {}x{} --sources {} --sigma {} --noise {} --flux-low "
      "300 --flux-high 30000 --slope 1 --separation 36 --truth stars.csv --seed {}",
      field.width, field.height, field.stars, kStarSigma, kGrain, seed);
}

std::string picture_line(const StarField& field, const char* name, const char* range) {
  return fmt::format("tessera convert {0}.npy {0}.png --type u8 --range {1} --crop {2},{3},{4}x{5}",
                     name, range, field.corner.x, field.corner.y, field.shown_width,
                     field.shown_height);
}

std::string python_lines(const StarField& field, const DemoOptions& options) {
  return fmt::format(R"(import tessera

stars = tessera.read("stars.npy")
smooth = tessera.convolve(stars, "gauss:{0}"{3})
beam = tessera.convolve(stars, "{1}"{3})
peaks = tessera.dilate(smooth, "disk:6"{3})

found = (smooth == peaks) & (smooth > {2:.1f})
print(found.sum(), "stars found")
)",
                     kStarSigma, field.beam(), kThreshold, options.backend_argument());
}

/// Stars so far above the threshold that noise cannot hide them.
double least_flux(const StarShape& shape) {
  const double pixel_apart = 1.1;  // a star between pixels is lower at the nearest one
  return (kThreshold + 5 * kSmoothNoise - kBackground) * pixel_apart * 2 * std::numbers::pi *
         std::sqrt(shape.xx * shape.yy);
}

DemoCheck check_stars(const StarField& field, const std::vector<Json>& said) {
  const ReferenceShare smoothed = reference_share(said.at(1)), beamed = reference_share(said.at(2));
  const Image smooth = read_image("smooth.npy");
  const std::vector<PointSource> stars = read_stars("stars.csv");
  const StarShape round = shape_of_star(kStarSigma, kStarSigma, kStarSigma, 0);
  const StarShape oval = shape_of_star(kStarSigma, field.along, field.across, kBeamDegrees);
  const double off_round = misfit_over_noise(smooth, stars, round, kBackground, kSmoothNoise),
               off_oval = misfit_over_noise(read_image("beam.npy"), stars, oval, kBackground,
                                            noise_after(field.along, field.across));
  const std::vector<Point> peaks = peaks_above(smooth, read_image("peaks.npy"), kThreshold);
  const StarsFound tally = stars_found(peaks, stars, least_flux(round), smooth.info().size);
  const Image found = framed_peaks(read_image("smooth.png"), peaks, field.corner);
  write_image("found.png", found.view(), {.force = true});
  return {
      smoothed.right && beamed.right && std::abs(off_round - 1) <= field.allowance &&
          std::abs(off_oval - 1) <= field.allowance && tally.all_right(),
      fmt::format("largest error {:.2g} of the bound, compared with the reference in double; "
                  "around stars the images differ from the catalogue by {:.3f} and {:.3f} times "
                  "the expected noise ({} to {} allowed); {} of {} bright stars found (all "
                  "required), {} false peaks (none allowed)",
                  std::max(smoothed.share, beamed.share), off_round, off_oval, 1 - field.allowance,
                  1 + field.allowance, tally.found, tally.there, tally.mistaken)};
}

}  // namespace

DemoPart demo_convolve(const DemoOptions& options) {
  const StarField field = star_field(options.quick);
  const std::string where = options.backend_words();
  DemoPart part;
  part.operation = "convolve";
  part.field = "Microscopy and astronomy";
  part.title = "Finding faint points of light in noise";
  part.story = fmt::format(
      "{} points of light, stars or fluorescent molecules, lie in noise that hides the faint ones. "
      "A Gaussian filter of the same width brings them out. A pixel that equals the maximum of its "
      "neighbourhood (a dilation) is a peak; peaks above seven times the noise are framed. A "
      "second, rotated filter of {}x{} weights "
      "brings "
      "the field to the resolution of a radio image, for comparison.",
      field.stars, 2 * field.radius + 1, 2 * field.radius + 1);
  part.commands = {
      {sample_line(field, options.seed)},
      {fmt::format("tessera convolve stars.npy gauss:{} smooth.npy --check", kStarSigma) + where,
       true},
      {"tessera convolve stars.npy " + field.beam() + " beam.npy --check" + where, true},
      {"tessera dilate smooth.npy disk:6 peaks.npy" + where, true},
      {picture_line(field, "stars", "80,180")},
      {picture_line(field, "smooth", "92,140")},
      {picture_line(field, "beam", "97,120")}};
  part.python = python_lines(field, options);
  part.inputs = {{{"stars.png"}, "A part of the field as recorded"}};
  part.outputs = {
      {{"found.png"}, "After the Gaussian filter: peaks above seven times the noise are framed"},
      {{"beam.png"}, "The same part after the rotated filter"}};
  part.check = [field](const std::vector<Json>& said) { return check_stars(field, said); };
  return part;
}

}  // namespace tessera
