// SPDX-License-Identifier: Apache-2.0
#include "sample/polarised.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.hpp"
#include "sample/exact_math.hpp"
#include "sample/random.hpp"
#include "sample/sample_checks.hpp"
#include "sample/store_row.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Values further out are less than 2e-8 of the peak.
constexpr double kBeamReach = 6;

ImageInfo cube_info(const Size& image, Type type, const PolarisedOptions& options) {
  check_polarised(options);
  check_one_plane("polarised", image);
  if (is_integer(type))
    throw Error(ErrorKind::usage,
                "polarised: Q and U have both signs, which integers cannot hold; give f32 or f64");
  return {{image.width, image.height, 1, options.channels}, type, kHost};
}

constexpr auto kPolarisedName = []<class T>(double value) { return static_cast<T>(value); };

double part_of(Stokes stokes, const StokesFlux& flux) {
  return stokes == Stokes::q ? flux.q : stokes == Stokes::u ? flux.u : flux.i;
}

}  // namespace

PolarisedSky::PolarisedSky(Size image, std::uint64_t seed, const PolarisedOptions& options,
                           Type type, int threads)
    : info_(cube_info(image, type, options)),
      seed_(seed),
      options_(options),
      threads_(threads > 0 ? threads : available_threads()),
      truth_(draw_polarised(image, seed, options)),
      channels_(polarised_channels(options, seed)) {}

std::vector<double> PolarisedSky::frequencies() const {
  std::vector<double> list;
  for (const PolarisedChannel& channel : channels_) list.push_back(channel.frequency);
  return list;
}

void PolarisedSky::read(Stokes stokes, Rows rows, AnyMutableView to) const {
  const std::vector<Beam> beams = beams_in(rows);
  parallel_for(info_.size.planes, threads_,
               [&](int plane) { draw_plane(stokes, plane, rows, beams, to.only_plane(plane)); });
}

std::vector<PolarisedSky::Beam> PolarisedSky::beams_in(Rows rows) const {
  const double variance = options_.sigma * options_.sigma, reach = kBeamReach * options_.sigma;
  const auto value = [&](double distance) {
    return std::abs(distance) > reach ? 0 : exp_of_minus(distance * distance / (2 * variance));
  };
  std::vector<Beam> beams;
  auto source = std::ranges::lower_bound(truth_, rows.first - reach, {}, &PolarisedSource::y);
  for (; source != truth_.end() && source->y < rows.end + reach; ++source) {
    Beam beam{&*source, std::max(0, static_cast<int>(std::ceil(source->x - reach))), {}, {}};
    const int end = std::min(info_.size.width, static_cast<int>(source->x + reach) + 1);
    for (int x = beam.first_x; x < end; ++x) beam.across.push_back(value(x - source->x));
    for (int y = rows.first; y < rows.end; ++y) beam.down.push_back(value(y - source->y));
    beams.push_back(std::move(beam));
  }
  return beams;
}

void PolarisedSky::draw_plane(Stokes stokes, int plane, Rows rows, const std::vector<Beam>& beams,
                              AnyMutableView to) const {
  const PolarisedChannel& channel = channels_[static_cast<std::size_t>(plane)];
  std::vector<double> peaks;
  for (const Beam& beam : beams) peaks.push_back(part_of(stokes, flux_at(*beam.source, channel)));
  std::vector<double> values(static_cast<std::size_t>(info_.size.width));
  for (int y = 0; y < rows.count(); ++y) {
    std::ranges::fill(values, 0.0);
    for (std::size_t b = 0; b < beams.size(); ++b) {
      const double peak = peaks[b] * beams[b].down[static_cast<std::size_t>(y)];
      if (peak == 0) continue;
      double* const first = values.data() + beams[b].first_x;
      for (std::size_t x = 0; x < beams[b].across.size(); ++x)
        first[x] += peak * beams[b].across[x];
    }
    finish_row(stokes, plane, rows.first + y, values);
    store_row(values, to, y, kPolarisedName);
  }
}

void PolarisedSky::finish_row(Stokes stokes, int plane, int row,
                              std::vector<double>& values) const {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const auto k = static_cast<std::uint64_t>(plane), y = static_cast<std::uint64_t>(row);
  if (channels_[k].dead) {
    std::ranges::fill(values, kNone);
    return;
  }
  if (options_.noise > 0) {
    std::vector<float> noise(values.size());
    Random random{seed_, 34 + static_cast<std::uint64_t>(stokes), k, y};
    normal_.add_to(noise.data(), info_.size.width, static_cast<float>(options_.noise), random);
    for (std::size_t x = 0; x < values.size(); ++x) values[x] += double{noise[x]};
  }
  if (options_.flags > 0) {
    Random random{seed_, 32, k, y};
    for (double& value : values)
      if (random.unit() < options_.flags) value = kNone;
  }
}

}  // namespace tessera
