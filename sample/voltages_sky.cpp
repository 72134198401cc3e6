// SPDX-License-Identifier: Apache-2.0
#include "sample/voltages_sky.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sample/exact_math.hpp"
#include "sample/random.hpp"
#include "tessera/error.hpp"

namespace tessera {

std::vector<SampleAntenna> draw_antennas(const VoltagesOptions& o, std::uint64_t seed) {
  const EarthVector middle = earth_place(o.latitude, o.longitude, o.height);
  const LocalAxes axes = local_axes(middle);
  Random random{seed, 41};
  std::vector<SampleAntenna> antennas;
  for (int a = 0; a < o.antennas; ++a) {
    const double distance = o.radius * std::sqrt(random.unit()), turns = random.unit();
    antennas.push_back({fmt::format("A{}", a), middle +
                                                   axes.east * (distance * cosine_of_turns(turns)) +
                                                   axes.north * (distance * sine_of_turns(turns))});
  }
  return antennas;
}

std::vector<SampleSource> draw_sources(const VoltagesOptions& o, const EarthVector& centre,
                                       std::uint64_t seed) {
  const double reach = sine_of_turns(o.field_width / 720);
  Random random{seed, 42};
  std::vector<SampleSource> sources;
  for (int k = 0; k < o.sources; ++k) {
    const double distance = reach * std::sqrt(random.unit()), place = random.unit();
    SampleSource source{offset_direction(centre, distance * cosine_of_turns(place),
                                         distance * sine_of_turns(place))};
    source.i = random.between(o.flux_low, o.flux_high);
    // A direction of Poincare's sphere: every polarisation is equally likely.
    const double part = source.i * random.between(0, o.polarised);
    const double height = random.between(-1, 1), turns = random.unit();
    const double level = std::sqrt(1 - height * height);
    source.q = part * level * cosine_of_turns(turns);
    source.u = part * level * sine_of_turns(turns);
    source.v = part * height;
    sources.push_back(source);
  }
  return sources;
}

EarthVector middle_of(const std::vector<SampleAntenna>& antennas) {
  EarthVector sum;
  for (const SampleAntenna& antenna : antennas) sum = sum + antenna.place;
  return sum * (1 / static_cast<double>(antennas.size()));
}

EarthVector field_centre(const VoltagesOptions& o, const EarthVector& middle) {
  if (o.right_ascension) return equatorial_direction(*o.right_ascension, *o.declination, o.start);
  return local_axes(middle).up;
}

void check_source(const SampleSource& s, std::size_t number) {
  constexpr double kRounding = 1 + 1e-12;
  const double polarised = std::sqrt(s.q * s.q + s.u * s.u + s.v * s.v);
  if (!(s.i >= 0 && polarised <= s.i * kRounding))
    throw Error(ErrorKind::usage,
                fmt::format("voltages: source {} has I {} and a polarised flux of {}; I must not "
                            "be negative, and the polarised flux must not exceed it",
                            number, s.i, polarised));
}

std::complex<double> coherency(const SampleSource& s, int p, int q) {
  if (p == q) return p == 0 ? s.i + s.q : s.i - s.q;
  return {s.u, p == 0 ? s.v : -s.v};
}

}  // namespace tessera
