// SPDX-License-Identifier: Apache-2.0
#include "jobs/demo/visibility_sky.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>

#include "core/parallel.hpp"
#include "io/npy/npy_header.hpp"
#include "sample/voltages_geometry.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

using Value = std::complex<double>;
constexpr double kLight = 299792458;
constexpr int kProducts = 4;  // of two polarisations
constexpr int kSweeps = 50;   // iterations for the equations of the fluxes: more than they need

/// All numbers of an NPY file whose items are `kind`.
template <class T>
std::vector<T> numbers_of(const std::string& path, const std::string& kind, std::size_t count) {
  const File file = File::open_to_read(path);
  const NpyText header = read_npy_text(file);
  const long long bytes = static_cast<long long>(count * sizeof(T));
  if (parse_npy_header(path, header.text).descr != kind ||
      file.bytes() != header.data_offset + bytes)
    throw Error(ErrorKind::input, path + ": it does not have the truth's number of visibilities");
  std::vector<T> numbers(count);
  file.read_all(header.data_offset, numbers.data(), bytes);
  return numbers;
}

EarthVector vector_of(const Json& list) { return {list.at(0), list.at(1), list.at(2)}; }

Value turned(double turns) { return std::polar(1.0, 2 * std::numbers::pi * turns); }

/// exp(-2 pi i f delay) of every antenna.
std::vector<Value> phases(const std::vector<double>& delays, double frequency) {
  std::vector<Value> all;
  for (const double delay : delays) all.push_back(turned(-frequency * delay));
  return all;
}

/// Without C's rules for infinities, which would take most of the time.
Value product_of(Value a, Value b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// The mean, over baselines of two different antennas, of conj(phase_a conj(phase_b)) times a
/// value; values are requested in the order of baselines.
template <class Of>
double along(const std::vector<Value>& phase, Of value) {
  double sum = 0;
  for (std::size_t a = 1; a < phase.size(); ++a) {
    Value row = 0;
    for (std::size_t b = 0; b < a; ++b)
      row += product_of(value(static_cast<int>(a), static_cast<int>(b)), phase[b]);
    sum += (std::conj(phase[a]) * row).real();
  }
  return 2 * sum / static_cast<double>(phase.size() * (phase.size() - 1));
}

/// Equations for the sources: the response to a source of flux 1 at the position of another, and
/// the measured value there.
struct FluxEquations {
  std::vector<std::vector<double>> response;
  std::vector<double> seen;
};

FluxEquations flux_equations(const VisibilitySky& sky) {
  const Json& sources = sky.truth.at("sources");
  const std::size_t count = sources.size();
  FluxEquations all{std::vector(count, std::vector<double>(count)), std::vector<double>(count)};
  for (int c = 0; c < sky.channels; ++c) {
    std::vector<std::vector<Value>> phase;
    for (const Json& source : sources)
      phase.push_back(phases(source.at("delays"), sky.frequency(c)));
    for (std::size_t s = 0; s < count; ++s) {
      all.seen[s] +=
          along(phase[s], [&](int a, int b) { return sky.stokes_i(c, a, b); }) / sky.channels;
      for (std::size_t r = 0; r < count; ++r)
        all.response[s][r] += along(phase[s],
                                    [&](int a, int b) {
                                      return phase[r][static_cast<std::size_t>(a)] *
                                             std::conj(phase[r][static_cast<std::size_t>(b)]);
                                    }) /
                              sky.channels;
    }
  }
  return all;
}

/// The rms over channels for one product of polarisations.
double distance_of_pair(const VisibilitySky& sky, int a, int b, std::size_t product) {
  double sum = 0;
  for (int c = 0; c < sky.channels; ++c) {
    const double power = sky.model[sky.place(c, a, a) + 3 * (product / 2)].real() *
                         sky.model[sky.place(c, b, b) + 3 * (product % 2)].real();
    const std::size_t k = sky.place(c, a, b) + product;
    sum += std::norm(sky.measured[k] - sky.model[k]) / power;
  }
  return std::sqrt(sum / sky.channels * sky.samples);
}

/// Some channels of a sky, arranged for evaluation in many directions.
class SkyLooker {
 public:
  SkyLooker(const VisibilitySky& sky, int step)
      : channels_(sky.channels / step),
        first_(sky.frequency(0)),
        step_(sky.frequency(step) - first_) {
    for (const Json& antenna : sky.truth.at("antennas"))
      places_.push_back(vector_of(antenna.at("position")));
    for (int c = 0; c < channels_; ++c)
      for (int a = 1; a < sky.antennas; ++a)
        for (int b = 0; b < a; ++b) values_.push_back(sky.stokes_i(c * step, a, b));
  }

  double flux_from(const EarthVector& direction) const {
    std::vector<double> delays;
    for (const EarthVector& place : places_)
      delays.push_back(-dot(place - places_[0], direction) / kLight);
    std::vector<Value> phase = phases(delays, first_);
    const std::vector<Value> turn = phases(delays, step_);
    double sum = 0;
    const Value* value = values_.data();
    for (int c = 0; c < channels_; ++c) {
      sum += along(phase, [&](int, int) { return *value++; });
      std::ranges::transform(phase, turn, phase.begin(), product_of);
    }
    return sum / channels_;
  }

 private:
  std::vector<EarthVector> places_;
  int channels_;
  double first_, step_;        ///< Hz
  std::vector<Value> values_;  ///< [channel], baselines of two antennas
};

}  // namespace

double VisibilitySky::frequency(int channel) const {
  const Json& options = truth.at("options");
  return options.at("frequency").get<double>() +
         channel * options.at("channel-width").get<double>();
}

std::size_t VisibilitySky::place(int channel, int a, int b) const {
  return static_cast<std::size_t>((channel * baselines() + a * (a + 1) / 2 + b) * kProducts);
}

Value VisibilitySky::stokes_i(int channel, int a, int b) const {
  const Value* v = &measured[place(channel, a, b)];
  return (v[0] + v[3]) / (2 * scale * scale);
}

VisibilitySky read_visibility_sky(const std::string& name) {
  VisibilitySky sky;
  sky.truth = Json::parse(std::ifstream(name + "_truth.json"));
  const Json& options = sky.truth.at("options");
  sky.antennas = options.at("antennas");
  sky.channels = options.at("channels");
  sky.samples = options.at("samples");
  sky.scale = sky.truth.at("scale");
  const std::size_t count = static_cast<std::size_t>(kProducts * sky.baselines() * sky.channels);
  sky.model = numbers_of<Value>(name + "_model.npy", "<c16", count);
  const auto sums = numbers_of<long long>(name + ".npy", "<i8", 2 * count);
  for (std::size_t k = 0; k < count; ++k)
    sky.measured.emplace_back(static_cast<double>(sums[2 * k]) / sky.samples,
                              static_cast<double>(sums[2 * k + 1]) / sky.samples);
  return sky;
}

double distance_from_model(const VisibilitySky& sky) {
  double worst = 0;
  for (int a = 1; a < sky.antennas; ++a)
    for (int b = 0; b < a; ++b)
      for (std::size_t product = 0; product < kProducts; ++product)
        worst = std::max(worst, distance_of_pair(sky, a, b, product));
  return worst;
}

std::vector<double> fitted_fluxes(const VisibilitySky& sky) {
  const FluxEquations all = flux_equations(sky);
  std::vector<double> flux(all.seen.size());
  for (int sweep = 0; sweep < kSweeps; ++sweep)
    for (std::size_t s = 0; s < flux.size(); ++s) {
      double rest = all.seen[s];
      for (std::size_t r = 0; r < flux.size(); ++r)
        if (r != s) rest -= all.response[s][r] * flux[r];
      flux[s] = rest;
    }
  return flux;
}

SkyMap map_sky(const VisibilitySky& sky, int side, double reach, int step) {
  const SkyLooker looker(sky, step);
  const EarthVector centre = vector_of(sky.truth.at("centre"));
  SkyMap map{side, reach, std::vector<double>(static_cast<std::size_t>(side * side))};
  parallel_for(side, available_threads(), [&](int y) {
    for (int x = 0; x < side; ++x) {
      const double l = reach * (1 - (2 * x + 1.0) / side), m = reach * (1 - (2 * y + 1.0) / side);
      map.flux[static_cast<std::size_t>(y * side + x)] =
          looker.flux_from(offset_direction(centre, l, m));
    }
  });
  return map;
}

}  // namespace tessera
