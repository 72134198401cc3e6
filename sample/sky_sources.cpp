// SPDX-License-Identifier: Apache-2.0
#include "sample/sky_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sample/exact_math.hpp"
#include "sample/points_place.hpp"
#include "sample/random.hpp"

namespace tessera {
namespace {

constexpr double kLogOf2 = 0.693147180559945309417232121458;
/// exp(-18) is 1.5e-8: six standard deviations.
constexpr double kFarthest = 18;

/// Wider than the beam each way: along it by at least one half.
SkyShape draw_extended(const SkyShape& beam, double extent, Random& random) {
  const double major = beam.major * random.between(std::min(1.5, extent), extent);
  const double minor = random.between(beam.major, major);
  return {major, minor, random.between(-90, 90)};
}

}  // namespace

SkyShape sky_beam(const SkyOptions& options) {
  return {options.beam, options.beam * options.beam_ratio, options.beam_angle};
}

std::vector<SkySource> draw_sky_sources(const Size& size, std::uint64_t seed, const SkyOptions& o) {
  const std::vector<PointSource> places = place_points({size.width, size.height}, seed,
                                                       {.sources = o.sources,
                                                        .flux_low = o.flux_low,
                                                        .flux_high = o.flux_high,
                                                        .slope = o.slope,
                                                        .separation = o.separation});
  const SkyShape beam = sky_beam(o);
  std::vector<SkySource> sources;
  for (const PointSource& place : places) {
    Random random{seed, 53, sources.size()};
    SkySource source{place.x, place.y, place.flux, 0, beam};
    if (random.unit() < o.extended) source.shape = draw_extended(beam, o.extent, random);
    const double areas = source.shape.major * source.shape.minor / (beam.major * beam.minor);
    source.flux = source.peak * areas;
    sources.push_back(source);
  }
  return sources;
}

SkyProfile::SkyProfile(const SkySource& source) : x_(source.x), y_(source.y), peak_(source.peak) {
  const double along = 4 * kLogOf2 / (source.shape.major * source.shape.major),
               across = 4 * kLogOf2 / (source.shape.minor * source.shape.minor);
  const double turns = source.shape.angle / 360;
  const double sine = sine_of_turns(turns), cosine = cosine_of_turns(turns);
  // The long axis goes along (-sine, cosine).
  a_ = along * sine * sine + across * cosine * cosine;
  b_ = 2 * sine * cosine * (across - along);
  c_ = along * cosine * cosine + across * sine * sine;
  reach_ = std::sqrt(kFarthest / along);
}

void SkyProfile::add_to(int row, std::vector<double>& values) const {
  const double dy = row - y_;
  if (std::abs(dy) > reach_) return;
  const int first = std::max(0, static_cast<int>(std::ceil(x_ - reach_)));
  const int end =
      std::min(static_cast<int>(values.size()), static_cast<int>(std::floor(x_ + reach_)) + 1);
  for (int x = first; x < end; ++x) {
    const double dx = x - x_, far = a_ * dx * dx + b_ * dx * dy + c_ * dy * dy;
    if (far < kFarthest) values[static_cast<std::size_t>(x)] += peak_ * exp_of_minus(far);
  }
}

std::string truth_as_csv(const std::vector<SkySource>& sources) {
  std::string text = "x,y,peak,flux,major,minor,angle\n";
  for (const SkySource& s : sources)
    text += fmt::format("{},{},{},{},{},{},{}\n", s.x, s.y, s.peak, s.flux, s.shape.major,
                        s.shape.minor, s.shape.angle);
  return text;
}

}  // namespace tessera
