// SPDX-License-Identifier: Apache-2.0
#include "sample/band_voltages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "core/parallel.hpp"
#include "sample/random.hpp"
#include "sample/voltages_store.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr int kHalfFilter = 512;          // the filter has 2 kHalfFilter + 1 weights
constexpr std::size_t kTransform = 4096;  // of kPart outputs and the length of the filter
/// White noise is drawn in runs of this length, whatever is requested.
constexpr long long kDrawn = 256;
constexpr double kMostShift = 1 << 20;

double whole_part(double x) { return std::floor(x); }

/// The modified Bessel function of order zero, by its series.
double bessel(double x) {
  double sum = 1, term = 1;
  for (int k = 1; k < 60; ++k) {
    term *= x * x / (4.0 * k * k);
    sum += term;
  }
  return sum;
}

/// Kaiser's window, 80 dB.
double window(double t) {
  constexpr double kBeta = 7.86;
  const double place = t / (kHalfFilter + 0.5);
  return place * place < 1 ? bessel(kBeta * std::sqrt(1 - place * place)) / bessel(kBeta) : 0;
}

/// Whole periods of the angle are left out, so that small angles stay exact.
double sine_of_half_turns(double t) { return sine_of_turns(t / 2 - whole_part(t / 2)); }
double delay_weight(double t) {
  constexpr double kPi = 3.141592653589793238462643383280;
  return t == 0 ? 1 : sine_of_half_turns(t) / (kPi * t);
}
/// The impulse response that turns every positive frequency by a quarter turn backwards.
double quadrature_weight(double t) {
  constexpr double kPi = 3.141592653589793238462643383280;
  const double half = sine_of_half_turns(t / 2);
  return t == 0 ? 0 : 2 * half * half / (kPi * t);
}

long long floor_div(long long a, long long b) { return a / b - (a % b < 0 ? 1 : 0); }
std::uint64_t key_of(long long number) { return static_cast<std::uint64_t>(number); }

/// White noise: a value depends on its place only.
void add_white(const NormalNumbers& normal, std::uint64_t seed, std::uint64_t stream,
               std::uint64_t channel, long long first, float sigma, std::vector<float>& values) {
  std::vector<float> drawn(kDrawn);
  const long long end = first + std::ssize(values);
  for (long long run = floor_div(first, kDrawn); run * kDrawn < end; ++run) {
    Random random{seed, stream, channel, key_of(run)};
    std::ranges::fill(drawn, 0.0F);
    normal.add_to(drawn.data(), kDrawn, sigma, random);
    const long long from = std::max(first, run * kDrawn), to = std::min(end, (run + 1) * kDrawn);
    for (long long t = from; t < to; ++t)
      values[static_cast<std::size_t>(t - first)] +=
          drawn[static_cast<std::size_t>(t - run * kDrawn)];
  }
}

enum : std::uint64_t { kFieldStream = 47, kNoiseStream = 48 };

}  // namespace

struct BandVoltages::Part {
  explicit Part(long long start) : first(start), sum(kTransform), re(kPart), im(kPart) {}
  long long first;  ///< sample of the recording
  /// Source, one of its two independent fields, shift: in frequency.
  std::map<std::tuple<std::size_t, int, long long>, Numbers> fields;
  Numbers sum;
  std::vector<float> re, im;
};

BandVoltages::BandVoltages(const VoltageMaker& made, std::uint64_t seed, int threads)
    : made_(made),
      options_(made.options()),
      seed_(seed),
      threads_(threads > 0 ? threads : available_threads()),
      fft_(kTransform) {
  for (std::size_t k = 0; k < made.sources().size(); ++k)
    for (std::size_t a = 0; a < made.antennas().size(); ++a) paths_.push_back(path_of(k, a));
}

XEngineShape BandVoltages::shape() const { return {options_.antennas, options_.polarisations, 1}; }

double BandVoltages::sample_rate() const {
  return options_.channels * options_.channel_width * (options_.raw == RawBand::real ? 2 : 1);
}

// Channels of a filter bank of `channels` channels lie as those of a recording that is not raw.
double BandVoltages::zero_frequency() const {
  const int all = options_.channels;
  const int channel = options_.raw == RawBand::real ? (options_.lower_sideband ? all - 1 : 0)
                      : options_.lower_sideband     ? (all - 1) / 2
                                                    : all / 2;
  return made_.frequency(channel);
}

double BandVoltages::frequency() const {
  if (options_.raw != RawBand::real) return zero_frequency();
  return zero_frequency() + (options_.lower_sideband ? -0.25 : 0.25) * sample_rate();
}

BandVoltages::Path BandVoltages::path_of(std::size_t source, std::size_t antenna) const {
  const double delay = made_.delay(source, antenna), samples = delay * sample_rate();
  if (!(std::abs(samples) <= kMostShift))
    throw Error(ErrorKind::usage,
                fmt::format("voltages: source {} reaches antenna {} later by {:.4g} samples; raw "
                            "recordings can have delays of up to {:g}",
                            source, antenna, samples, kMostShift));
  Path path{.shift = static_cast<long long>(whole_part(samples + 0.5))};
  const double fraction = samples - static_cast<double>(path.shift);
  const double turns = -zero_frequency() * delay * (options_.lower_sideband ? -1 : 1);
  path.turns = turns - whole_part(turns);
  path.shifted = Numbers(kTransform);
  if (options_.raw == RawBand::real) path.quadrature = Numbers(kTransform);
  for (int j = 0; j <= 2 * kHalfFilter; ++j) {
    const double t = j - kHalfFilter - fraction;
    path.shifted.re[static_cast<std::size_t>(j)] = delay_weight(t) * window(t);
    if (options_.raw == RawBand::real)
      path.quadrature.re[static_cast<std::size_t>(j)] = quadrature_weight(t) * window(t);
  }
  fft_.forward(path.shifted);
  if (options_.raw == RawBand::real) fft_.forward(path.quadrature);
  return path;
}

// A phase turns positive frequencies of real samples forwards, negative ones backwards.
void BandVoltages::add_filtered(const Numbers& field, const Path& path, double amplitude,
                                double turns, Numbers& sum) const {
  const double c = amplitude * cosine_of_turns(turns), s = amplitude * sine_of_turns(turns);
  const bool real = options_.raw == RawBand::real;
  for (std::size_t k = 0; k < kTransform; ++k) {
    double re = c * path.shifted.re[k], im = c * path.shifted.im[k];
    re -= s * (real ? path.quadrature.re[k] : path.shifted.im[k]);
    im += s * (real ? -path.quadrature.im[k] : path.shifted.re[k]);
    sum.re[k] += re * field.re[k] - im * field.im[k];
    sum.im[k] += re * field.im[k] + im * field.re[k];
  }
}

const BandVoltages::Numbers& BandVoltages::field_of(std::size_t source, int which, long long shift,
                                                    Part& part) const {
  const auto [place, fresh] = part.fields.try_emplace(std::tuple(source, which, shift), kTransform);
  Numbers& field = place->second;
  if (!fresh) return field;
  const long long first = part.first - shift - kHalfFilter;
  const auto sigma = static_cast<float>(made_.scale() * std::sqrt(0.5));
  std::vector<float> drawn(kTransform);
  const std::uint64_t channel = 4 * source + 2 * static_cast<std::uint64_t>(which);
  add_white(normal_, seed_, kFieldStream, channel, first, sigma, drawn);
  std::ranges::copy(drawn, field.re.begin());
  if (options_.raw == RawBand::complex) {
    std::ranges::fill(drawn, 0.0F);
    add_white(normal_, seed_, kFieldStream, channel + 1, first, sigma, drawn);
    std::ranges::copy(drawn, field.im.begin());
  }
  fft_.forward(field);
  return field;
}

// As in VoltageMaker: X has a part of the first field, Y parts of both.
void BandVoltages::receive(std::size_t antenna, int polarisation, Part& part) const {
  std::ranges::fill(part.sum.re, 0.0);
  std::ranges::fill(part.sum.im, 0.0);
  for (std::size_t k = 0; k < made_.sources().size(); ++k) {
    const SampleSource& s = made_.sources()[k];
    const Path& path = paths_[k * made_.antennas().size() + antenna];
    const double xx = std::sqrt(s.i + s.q);
    const std::complex<double> yx = xx > 0 ? coherency(s, 1, 0) / xx : 0;
    if (polarisation == 0) {
      add_filtered(field_of(k, 0, path.shift, part), path, xx, path.turns, part.sum);
      continue;
    }
    const double yy = std::sqrt(std::max(0.0, s.i - s.q - std::norm(yx)));
    if (yy > 0) add_filtered(field_of(k, 1, path.shift, part), path, yy, path.turns, part.sum);
    // In the lower sideband the samples are conjugates.
    const double side = options_.lower_sideband ? -1 : 1;
    if (yx.real() != 0)
      add_filtered(field_of(k, 0, path.shift, part), path, yx.real(), path.turns, part.sum);
    if (yx.imag() != 0)
      add_filtered(field_of(k, 0, path.shift, part), path, side * yx.imag(), path.turns + 0.25,
                   part.sum);
  }
  fft_.inverse(part.sum);
  for (std::size_t t = 0; t < part.re.size(); ++t) {
    constexpr double kOne = 1.0 / kTransform;
    part.re[t] = static_cast<float>(part.sum.re[t + 2 * kHalfFilter] * kOne);
    part.im[t] = static_cast<float>(part.sum.im[t + 2 * kHalfFilter] * kOne);
  }
  const auto sigma = static_cast<float>(made_.scale() * std::sqrt(options_.noise / 2));
  const std::uint64_t channel = 4 * antenna + 2 * static_cast<std::uint64_t>(polarisation);
  add_white(normal_, seed_, kNoiseStream, channel, part.first, sigma, part.re);
  if (options_.raw == RawBand::complex)
    add_white(normal_, seed_, kNoiseStream, channel + 1, part.first, sigma, part.im);
  else
    std::ranges::fill(part.im, 0.0F);  // rounding of the transform
  if (options_.tone) add_tone(part);
}

void BandVoltages::add_tone(Part& part) const {
  const double step =
      (*options_.tone - zero_frequency()) / sample_rate() * (options_.lower_sideband ? -1 : 1);
  for (std::size_t t = 0; t < part.re.size(); ++t) {
    const double turns = step * static_cast<double>(part.first + static_cast<long long>(t));
    const double rest = turns - whole_part(turns);
    part.re[t] += static_cast<float>(options_.tone_level * cosine_of_turns(rest));
    if (options_.raw == RawBand::complex)
      part.im[t] += static_cast<float>(options_.tone_level * sine_of_turns(rest));
  }
}

long long BandVoltages::fill(long long number, long long first, long long end,
                             const VoltageLayout& layout, unsigned char* to) const {
  Part part(number * kPart);
  const long long from = std::max(first, part.first), stop = std::min(end, part.first + kPart);
  const auto skipped = static_cast<std::size_t>(from - part.first);
  long long saturated = 0;
  for (int a = 0; a < options_.antennas; ++a)
    for (int p = 0; p < options_.polarisations; ++p) {
      receive(static_cast<std::size_t>(a), p, part);
      saturated += store_voltages(options_.type, layout, from - first, stop - from,
                                  part.re.data() + skipped, part.im.data() + skipped,
                                  to + a * layout.antenna + p * layout.polarisation);
    }
  return saturated;
}

long long BandVoltages::read(long long first, long long count, const VoltageLayout& layout,
                             void* to) const {
  if (count < 1) return 0;
  const long long from = first / kPart;
  const auto parts = static_cast<int>((first + count - 1) / kPart - from + 1);
  std::vector<long long> saturated(static_cast<std::size_t>(parts));
  // A part is an index: its samples share no bytes with others.
  parallel_for(parts, threads_, [&](int part) {
    saturated[static_cast<std::size_t>(part)] =
        fill(from + part, first, first + count, layout, static_cast<unsigned char*>(to));
  });
  return std::accumulate(saturated.begin(), saturated.end(), 0LL);
}

}  // namespace tessera
