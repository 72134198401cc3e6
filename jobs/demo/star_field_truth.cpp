// SPDX-License-Identifier: Apache-2.0
#include "jobs/demo/star_field_truth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <numbers>

#include "tessera/error.hpp"

namespace tessera {
namespace {

bool away_from_edges(double x, double y, const Size& size) {
  return x >= kStarMargin && y >= kStarMargin && x <= size.width - 1 - kStarMargin &&
         y <= size.height - 1 - kStarMargin;
}

/// The value that a star of flux 1 adds to a pixel at (dx, dy) from its centre.
double height_at(const StarShape& shape, double dx, double dy) {
  const double determinant = shape.xx * shape.yy - shape.xy * shape.xy;
  const double distance =
      (shape.yy * dx * dx - 2 * shape.xy * dx * dy + shape.xx * dy * dy) / determinant;
  return std::exp(-distance / 2) / (2 * std::numbers::pi * std::sqrt(determinant));
}

/// The pixels compared for a star: its top, and some around it that show its shape.
std::array<Point, 25> pixels_around(const PointSource& star) {
  constexpr int kStep = 3;
  std::array<Point, 25> pixels;
  for (int k = 0; k < 25; ++k)
    pixels[static_cast<std::size_t>(k)] = {
        static_cast<int>(std::lround(star.x)) + (k % 5 - 2) * kStep,
        static_cast<int>(std::lround(star.y)) + (k / 5 - 2) * kStep};
  return pixels;
}

bool close_to(const Point& peak, const PointSource& star) {
  constexpr double kReach = 4;  // noise moves the top of a faint star by a few pixels
  return std::hypot(peak.x - star.x, peak.y - star.y) <= kReach;
}

void draw_frame(View<unsigned char> to, Point centre) {
  constexpr int kHalf = 9;
  constexpr std::array<unsigned char, 3> kColour{90, 220, 120};
  for (int y = -kHalf; y <= kHalf; ++y)
    for (int x = -kHalf; x <= kHalf; ++x) {
      const int column = centre.x + x, row = centre.y + y;
      if (std::max(std::abs(x), std::abs(y)) < kHalf || column < 0 || row < 0 ||
          column >= to.size.width || row >= to.size.height)
        continue;
      for (int channel = 0; channel < 3; ++channel)
        to.at(column, row, channel) = kColour[static_cast<std::size_t>(channel)];
    }
}

}  // namespace

std::vector<PointSource> read_stars(const std::string& path) {
  std::ifstream file(path);
  std::string header;
  std::getline(file, header);
  std::vector<PointSource> stars;
  char comma = 0;
  for (PointSource star; file >> star.x >> comma >> star.y >> comma >> star.flux;)
    stars.push_back(star);
  if (stars.empty() || !file.eof())
    throw Error(ErrorKind::input, fmt::format("{}: it is not a catalogue of stars", path));
  return stars;
}

StarShape shape_of_star(double sigma, double along, double across, double degrees) {
  const double turn = degrees * std::numbers::pi / 180, own = sigma * sigma;
  const double x = std::cos(turn), y = -std::sin(turn);  // rows count downwards
  const double a = along * along, b = across * across;
  return {own + a * x * x + b * y * y, (a - b) * x * y, own + a * y * y + b * x * x};
}

double misfit_over_noise(const Image& filtered, const std::vector<PointSource>& stars,
                         const StarShape& shape, double background, double noise) {
  double squares = 0;
  long long pixels = 0;
  for (const PointSource& star : stars) {
    if (!away_from_edges(star.x, star.y, filtered.info().size)) continue;
    for (const Point& pixel : pixels_around(star)) {
      const double expected =
          background + star.flux * height_at(shape, pixel.x - star.x, pixel.y - star.y);
      squares += std::pow(double{filtered.as<float>().at(pixel.x, pixel.y)} - expected, 2);
      ++pixels;
    }
  }
  return std::sqrt(squares / static_cast<double>(pixels)) / noise;
}

std::vector<Point> peaks_above(const Image& image, const Image& dilated, double threshold) {
  const View<const float> values = image.as<float>(), highest = dilated.as<float>();
  std::vector<Point> peaks;
  for (int y = 0; y < values.size.height; ++y)
    for (int x = 0; x < values.size.width; ++x)
      if (values.at(x, y) > threshold && values.at(x, y) == highest.at(x, y))
        peaks.push_back({x, y});
  return peaks;
}

StarsFound stars_found(const std::vector<Point>& peaks, const std::vector<PointSource>& stars,
                       double least_flux, Size size) {
  StarsFound result;
  for (const PointSource& star : stars) {
    if (star.flux < least_flux || !away_from_edges(star.x, star.y, size)) continue;
    ++result.there;
    result.found +=
        std::ranges::any_of(peaks, [&](const Point& peak) { return close_to(peak, star); });
  }
  result.mistaken = static_cast<int>(std::ranges::count_if(peaks, [&](const Point& peak) {
    return away_from_edges(peak.x, peak.y, size) &&
           std::ranges::none_of(stars,
                                [&](const PointSource& star) { return close_to(peak, star); });
  }));
  return result;
}

Image framed_peaks(const Image& picture, const std::vector<Point>& peaks, Point corner) {
  const Size size = picture.info().size;
  Image colour({size.width, size.height, 3}, Type::u8);
  const View<const unsigned char> grey = picture.as<unsigned char>();
  const View<unsigned char> to = colour.as<unsigned char>();
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      for (int channel = 0; channel < 3; ++channel) to.at(x, y, channel) = grey.at(x, y);
  for (const Point& peak : peaks) draw_frame(to, {peak.x - corner.x, peak.y - corner.y});
  return colour;
}

}  // namespace tessera
