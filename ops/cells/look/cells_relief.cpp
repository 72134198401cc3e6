// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/look/cells_relief.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "ops/cells/frames/cells_bins.hpp"
#include "ops/cells/look/cells_plain_frame.hpp"

namespace tessera {
namespace {

constexpr std::size_t kReliefLooks = 3;
// Chosen on the films of docs/judging-cells.md: of circles with relief 57% to 76% have a partner,
// of others up to 27%, in any direction.
constexpr double kPartnerReach = 2.6;  ///< radii
constexpr double kPartners = 0.4;      ///< share of circles that have one
constexpr double kSameWay = 0.6;       ///< length of the mean of the pairs' unit vectors
constexpr int kLeastPartners = 6;
constexpr double kOneSign = 0.85;  ///< share of clear circles after integration
/// Clear circles after integration, in those before, of which two are one cell.
constexpr double kStillClear = 0.3;
// The integral forgets after 15 pixels, so that light that is not even does not add up.
constexpr double kReach = 15, kLineWidth = 0.7;

/// Convolves with weights along a line through the middle: plus on the bright side, minus on the
/// dark one.
Convolve line_integral(Size frame, double direction) {
  const int half = static_cast<int>(3 * kReach);
  const double c = std::cos(direction), s = std::sin(direction);
  Image weights({2 * half + 1, 2 * half + 1}, Type::f32);
  for (int y = -half; y <= half; ++y)
    for (int x = -half; x <= half; ++x) {
      const double along = c * x + s * y, across = c * y - s * x;
      const double weight = -std::tanh(along) * std::exp(-std::abs(along) / kReach) *
                            std::exp(-across * across / (2 * kLineWidth * kLineWidth));
      weights.as<float>().at(x + half, y + half) =
          std::hypot(x, y) > half ? 0.0F : static_cast<float>(weight);
    }
  return Convolve({{frame.width, frame.height}, Type::f32}, weights.view(),
                  {.backend = Backend::cpu, .method = "fft"});
}

/// A sample that is not finite counts as the last finite one before it in its row.
void fill_rows(View<float> frames) {
  for (int plane = 0; plane < frames.size.planes; ++plane)
    for (int y = 0; y < frames.size.height; ++y) {
      float last = 0;
      for (int x = 0; x < frames.size.width; ++x) {
        float& value = frames.at(x, y, 0, plane);
        if (!std::isfinite(value)) value = last;
        last = value;
      }
    }
}

struct Partners {
  int circles = 0, paired = 0, clear = 0;
  std::complex<double> direction = 0;  ///< sum of unit vectors from bright to dark
  void add(const CellsCircles& found) {
    for (const CellDetection& one : found) {
      ++circles;
      clear += std::abs(one.score) >= kClearScore ? 1 : 0;
      const CellDetection* nearest = nullptr;
      double least = kPartnerReach;
      for (const CellDetection& other : found) {
        const double apart =
            std::hypot(other.x - one.x, other.y - one.y) / std::max(one.radius, other.radius);
        if (one.score * other.score < 0 && apart < least) {
          least = apart;
          nearest = &other;
        }
      }
      if (!nearest) continue;
      ++paired;
      const std::complex<double> offset(nearest->x - one.x, nearest->y - one.y);
      const double sign = one.score < 0 ? 1 : -1;
      if (std::abs(offset) > 0) direction += sign * offset / std::abs(offset);
    }
  }
  bool show_relief() const {
    return paired >= kLeastPartners && paired >= kPartners * circles &&
           std::abs(direction) >= kSameWay * paired;
  }
};

}  // namespace

std::optional<double> measure_relief(const CellsProblem& film_problem, const CellsSamples& samples,
                                     Stream& stream) {
  CellsProblem problem = film_problem;
  problem.threshold = problem.threshold_alone;
  const std::vector<AnyView> frames = samples.spread(kReliefLooks);
  Partners before;
  for (const CellsCircles& circles : circles_in(problem, frames, stream)) before.add(circles);
  if (!before.show_relief()) return std::nullopt;
  const double direction = std::arg(before.direction);
  const CellsRelief relief(problem.frame.size, direction);
  std::vector<Image> integrated;
  std::vector<AnyView> views;
  for (const AnyView& frame : frames)
    views.push_back(integrated.emplace_back(relief.integrated(frame, stream)).view());
  int bright = 0, dark = 0;
  for (const CellsCircles& circles : clear_circles_in(problem, views, stream))
    for (const CellDetection& circle : circles) ++(circle.score < 0 ? bright : dark);
  const int clear = bright + dark;
  if (clear < kStillClear * before.clear || std::max(bright, dark) < kOneSign * clear)
    return std::nullopt;
  return direction;
}

CellsRelief::CellsRelief(Size frame, double direction) : plan_(line_integral(frame, direction)) {}

Image CellsRelief::integrated(AnyView frames, Stream& stream) const {
  const Image copy = frames.device == kHost ? Image() : host_copy(frames, stream);
  Image whole = binned(frames.device == kHost ? frames : copy.view(), {1});
  fill_rows(whole.as<float>());
  Image result(whole.info());
  Stream host(kHost, stream.threads());
  for (int plane = 0; plane < frames.size.planes; ++plane)
    plan_(std::as_const(whole).view().only_plane(plane), result.view().only_plane(plane), host);
  return result;
}

}  // namespace tessera
