// SPDX-License-Identifier: Apache-2.0
#include "sample/polarised_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sample/exact_math.hpp"
#include "sample/points_place.hpp"
#include "sample/random.hpp"

namespace tessera {
namespace {

constexpr double kLightSpeed = 299792458;
constexpr double kPi = std::numbers::pi;
/// The number of sources brighter than S goes as S to the power -1.5, as in uniform density.
constexpr double kSlope = 1.5;

double exp_of(double x) { return x <= 0 ? exp_of_minus(-x) : 1 / exp_of_minus(x); }

/// sin(x) / x.
double sinc(double x) { return x == 0 ? 1 : sine_of_turns(x / (2 * kPi)) / x; }

std::vector<bool> draw_dead(const PolarisedOptions& options, std::uint64_t seed) {
  std::vector<bool> dead(static_cast<std::size_t>(options.channels));
  Random random{seed, 33};
  for (int left = options.dead; left > 0;) {
    const auto k = static_cast<std::size_t>(random.below(options.channels));
    if (!dead[k]) --left;
    dead[k] = true;
  }
  return dead;
}

/// Over channels that are not dead.
double mean_lambda2(const std::vector<PolarisedChannel>& channels) {
  double sum = 0;
  int count = 0;
  for (const PolarisedChannel& channel : channels)
    if (!channel.dead) {
      sum += channel.lambda2;
      ++count;
    }
  return sum / count;
}

}  // namespace

std::vector<PolarisedSource> draw_polarised(const Size& size, std::uint64_t seed,
                                            const PolarisedOptions& o) {
  const std::vector<PointSource> places = place_points({size.width, size.height}, seed,
                                                       {.sources = o.sources,
                                                        .sigma = o.sigma,
                                                        .flux_low = o.flux_low,
                                                        .flux_high = o.flux_high,
                                                        .slope = kSlope,
                                                        .separation = o.separation});
  std::vector<PolarisedSource> sources;
  for (const PointSource& place : places) {
    Random random{seed, 31, sources.size()};
    PolarisedSource s{.x = place.x, .y = place.y};
    s.first = {random.between(-o.rm_max, o.rm_max), place.flux, random.between(0, 180)};
    s.index = random.between(-1.2, -0.2);
    s.fraction = random.between(0.05, 0.6);
    const PolarisedComponent second{random.between(-o.rm_max, o.rm_max),
                                    place.flux * random.between(0.3, 0.8), random.between(0, 180)};
    const double thickness = o.thickness * random.between(0.3, 1);
    if (random.unit() < o.second) s.second = second;
    if (random.unit() < o.thick) s.thickness = thickness;
    sources.push_back(s);
  }
  return sources;
}

std::vector<PolarisedChannel> polarised_channels(const PolarisedOptions& o, std::uint64_t seed) {
  const std::vector<bool> dead = draw_dead(o, seed);
  std::vector<PolarisedChannel> channels(dead.size());
  for (int k = 0; k < o.channels; ++k) {
    PolarisedChannel& channel = channels[static_cast<std::size_t>(k)];
    channel.frequency = o.low + k * ((o.high - o.low) / (o.channels - 1));
    const double lambda = kLightSpeed / channel.frequency;
    channel.lambda2 = lambda * lambda;
    channel.dead = dead[static_cast<std::size_t>(k)];
  }
  const double reference = kLightSpeed / std::sqrt(mean_lambda2(channels));
  for (PolarisedChannel& channel : channels)
    channel.log_ratio = log_of(channel.frequency / reference);
  return channels;
}

StokesFlux flux_at(const PolarisedSource& source, const PolarisedChannel& channel) {
  const double power = exp_of(source.index * channel.log_ratio);
  StokesFlux flux;
  const auto add = [&](const PolarisedComponent& c, double share) {
    const double turns = c.angle / 180 + c.rm * channel.lambda2 / kPi;
    flux.q += power * c.flux * share * cosine_of_turns(turns);
    flux.u += power * c.flux * share * sine_of_turns(turns);
  };
  add(source.first, sinc(source.thickness * channel.lambda2));
  if (source.second.flux > 0) add(source.second, 1);
  flux.i = power * (source.first.flux + source.second.flux) / source.fraction;
  return flux;
}

std::string truth_as_csv(const std::vector<PolarisedSource>& sources) {
  std::string text =
      "x,y,rm,flux,angle,thickness,second_rm,second_flux,second_angle,index,fraction\n";
  for (const PolarisedSource& s : sources)
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", s.x, s.y, s.first.rm, s.first.flux,
                        s.first.angle, s.thickness, s.second.rm, s.second.flux, s.second.angle,
                        s.index, s.fraction);
  return text;
}

}  // namespace tessera
