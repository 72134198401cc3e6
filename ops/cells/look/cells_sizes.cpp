// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/look/cells_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/parallel.hpp"
#include "ops/cells/cells_check.hpp"
#include "ops/cells/frames/cells_bins.hpp"
#include "ops/cells/look/cells_plain_frame.hpp"

namespace tessera {
namespace {

constexpr std::size_t kLooks = 4;
/// Circles of one scale. A larger scale begins within the smaller one's circles: noise, which
/// larger pixels have less of, makes circles look best at the smallest radius, and those do not
/// count.
constexpr double kLeastCircle = 5, kMostCircle = 12, kLeastCounted = 5.9;
constexpr int kLargerScales[] = {2, 4, 8};  ///< radii of up to 96 pixels
constexpr std::size_t kEnough = 6;          ///< circles
/// Area-weighted medians that the usual radii of 6 to 14 pixels fit.
constexpr double kLeastUsual = 5.5, kMostUsual = 14.5;

struct Circle {
  double x, y, radius, score;
};

/// Clear circles of frames that were made larger by `zoom`, in pixels of the film; one list for
/// each frame.
void add_circles(const CellsProblem& film, const std::vector<AnyView>& frames, double zoom,
                 double least, Stream& stream, std::vector<std::vector<Circle>>& circles) {
  if (frames.empty() || frames.front().size.empty()) return;
  CellsOptions options = film.options;
  options.crop = "auto";
  options.min_radius = kLeastCircle;
  options.max_radius = kMostCircle;
  options.radius_step = 1;
  options.threshold = film.threshold_alone;
  const CellsProblem problem = make_cells_problem(frames.front().info(), options);
  const auto place = [zoom](double at) { return (at + 0.5) / zoom - 0.5; };
  const std::vector<CellsCircles> found = clear_circles_in(problem, frames, stream);
  for (std::size_t k = 0; k < found.size(); ++k)
    for (const CellDetection& find : found[k]) {
      const Circle circle{place(find.x), place(find.y), find.radius / zoom, std::abs(find.score)};
      const bool inside = circle.x >= film.crop.x && circle.x < film.crop.x + film.crop.width &&
                          circle.y >= film.crop.y && circle.y < film.crop.y + film.crop.height;
      if (inside && find.radius >= least) circles[k].push_back(circle);
    }
}

/// The frames at every larger scale. They are small: threads take whole ones, and wake up once.
std::vector<std::vector<Image>> smaller_frames(const std::vector<AnyView>& frames, int threads) {
  constexpr std::size_t kScales = std::size(kLargerScales);
  std::vector<std::vector<Image>> smaller(kScales);
  for (std::vector<Image>& images : smaller) images.resize(frames.size());
  parallel_for(static_cast<int>(frames.size() * kScales), threads, [&](int i) {
    const std::size_t scale = static_cast<std::size_t>(i) % kScales,
                      k = static_cast<std::size_t>(i) / kScales;
    smaller[scale][k] = binned(frames[k], {kLargerScales[scale]});
  });
  return smaller;
}

/// The clearest circles, of which none has its centre in another.
std::vector<Circle> clearest(std::vector<Circle> circles) {
  std::ranges::stable_sort(circles, std::greater{}, &Circle::score);
  std::vector<Circle> kept;
  for (const Circle& circle : circles)
    if (std::ranges::none_of(kept, [&](const Circle& other) {
          return std::hypot(circle.x - other.x, circle.y - other.y) <
                 std::max(circle.radius, other.radius);
        }))
      kept.push_back(circle);
  return kept;
}

/// Small objects are many, and parts of large ones are small: each radius counts by its area.
double weighted_quantile(const std::vector<double>& sorted, double share) {
  double all = 0, below = 0;
  for (const double radius : sorted) all += radius * radius;
  for (const double radius : sorted)
    if ((below += radius * radius) >= share * all) return radius;
  return sorted.back();
}

}  // namespace

std::vector<double> measure_sizes(const CellsProblem& problem, const CellsSamples& samples,
                                  Stream& stream) {
  const std::vector<AnyView> frames = samples.spread(kLooks);
  const std::vector<std::vector<Image>> smaller = smaller_frames(frames, stream.threads());
  const auto views_of = [](const std::vector<Image>& images) {
    std::vector<AnyView> views;
    for (const Image& image : images) views.push_back(image.view());
    return views;
  };
  const auto radii_at = [&](bool small) {
    std::vector<std::vector<Circle>> circles(frames.size());
    if (small) {
      std::vector<Image> larger;
      for (const AnyView& frame : frames) larger.push_back(doubled(frame));
      add_circles(problem, views_of(larger), 2, 0, stream, circles);
    }
    add_circles(problem, frames, 1, small ? kLeastCounted : 0, stream, circles);
    for (std::size_t scale = 0; scale < smaller.size(); ++scale)
      add_circles(problem, views_of(smaller[scale]), 1.0 / kLargerScales[scale], kLeastCounted,
                  stream, circles);
    std::vector<double> radii;
    for (std::vector<Circle>& of_frame : circles)
      for (const Circle& circle : clearest(std::move(of_frame))) radii.push_back(circle.radius);
    return radii;
  };
  std::vector<double> radii = radii_at(false);
  if (radii.size() < kEnough) radii = radii_at(true);
  std::ranges::sort(radii);
  return radii;
}

std::optional<std::pair<double, double>> radii_to_search(std::vector<double> sizes) {
  if (sizes.size() < kEnough) return std::nullopt;
  std::ranges::sort(sizes);
  const double middle = weighted_quantile(sizes, 0.5);
  if (middle >= kLeastUsual && middle <= kMostUsual) return std::nullopt;
  const double least = std::max(0.7 * weighted_quantile(sizes, 0.1), middle / 2.5);
  const double most = std::min(1.3 * weighted_quantile(sizes, 0.9), 2 * middle);
  const auto half_pixels = [](double radius) { return std::round(2 * radius) / 2; };
  return std::pair(std::max(2.0, half_pixels(least)), std::clamp(half_pixels(most), 3.0, 100.0));
}

}  // namespace tessera
