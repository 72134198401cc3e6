// SPDX-License-Identifier: Apache-2.0
#include "sample/voltage_maker.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/parallel.hpp"
#include "sample/exact_math.hpp"
#include "sample/random.hpp"
#include "sample/voltages_store.hpp"

namespace tessera {
namespace {

constexpr double kVoltageLightSpeed = 299792458;
constexpr int kRun = VoltageMaker::kRun;

std::uint64_t key(long long number) { return static_cast<std::uint64_t>(number); }

/// The start of the field of a source and polarisation, [re, im][kRun].
std::size_t field_place(std::size_t source, int polarisation) {
  return (2 * source + static_cast<std::size_t>(polarisation)) * 2 * kRun;
}

std::complex<double> turned(double turns) { return {cosine_of_turns(turns), sine_of_turns(turns)}; }

}  // namespace

/// The target of samples.
struct VoltageMaker::Target {
  long long first, count;
  const VoltageLayout& layout;
  unsigned char* data;
};

VoltageMaker::VoltageMaker(const VoltagesOptions& options, std::uint64_t seed, int threads,
                           std::vector<SampleAntenna> antennas, std::vector<SampleSource> sources)
    : options_(options),
      seed_(seed),
      threads_(threads > 0 ? threads : available_threads()),
      antennas_(std::move(antennas)),
      sources_(std::move(sources)) {
  if (!antennas_.empty()) options_.antennas = static_cast<int>(antennas_.size());
  if (!sources_.empty()) options_.sources = static_cast<int>(sources_.size());
  check_voltages(options_);
  if (antennas_.empty()) antennas_ = draw_antennas(options_, seed);
  middle_ = middle_of(antennas_);
  centre_ = field_centre(options_, middle_);
  if (sources_.empty()) sources_ = draw_sources(options_, centre_, seed);
  double power = options_.noise;
  for (std::size_t k = 0; k < sources_.size(); ++k) {
    check_source(sources_[k], k);
    power += sources_[k].i;
  }
  if (power > 0) scale_ = voltages_rms(options_) / std::sqrt(power / 2);
}

XEngineShape VoltageMaker::shape() const {
  return {options_.antennas, options_.polarisations, options_.channels};
}

double VoltageMaker::frequency(int channel) const {
  return options_.frequency + channel * options_.channel_width;
}

double VoltageMaker::delay(std::size_t source, std::size_t antenna) const {
  const EarthVector& towards = sources_[source].direction;
  return -dot(antennas_[antenna].place - middle_, options_.tracked ? towards - centre_ : towards) /
         kVoltageLightSpeed;
}

std::complex<double> VoltageMaker::model(int channel, int i, int j) const {
  const int each = options_.polarisations;
  const auto a = static_cast<std::size_t>(i / each), b = static_cast<std::size_t>(j / each);
  std::complex<double> sum = i == j ? options_.noise : 0;
  for (std::size_t k = 0; k < sources_.size(); ++k)
    sum += coherency(sources_[k], i % each, j % each) *
           turned(-frequency(channel) * (delay(k, a) - delay(k, b)));
  const double parts = options_.raw == RawBand::real ? 0.5 : 1;
  return parts * (scale_ * scale_ * sum + (i == j && is_integer(options_.type) ? 2 / 12.0 : 0));
}

long long VoltageMaker::read(long long first, long long count, const VoltageLayout& layout,
                             void* to) const {
  if (count < 1) return 0;
  const Target target{first, count, layout, static_cast<unsigned char*>(to)};
  const long long from = first / kRun, runs = (first + count - 1) / kRun - from + 1;
  std::vector<long long> saturated(static_cast<std::size_t>(options_.channels));
  // A channel is an index: its samples share no bytes with others.
  parallel_for(options_.channels, threads_, [&](int channel) {
    for (long long run = from; run < from + runs; ++run)
      saturated[static_cast<std::size_t>(channel)] += fill(channel, run, target);
  });
  return std::accumulate(saturated.begin(), saturated.end(), 0LL);
}

long long VoltageMaker::fill(int channel, long long run, const Target& target) const {
  const long long begin = std::max(target.first, run * kRun);
  const long long end = std::min(target.first + target.count, (run + 1) * kRun);
  std::vector<float> fields(field_place(sources_.size(), 0));
  send(channel, run, fields);
  std::vector<float> parts(2 * kRun);
  long long saturated = 0;
  for (int a = 0; a < options_.antennas; ++a)
    for (int p = 0; p < options_.polarisations; ++p) {
      receive(channel, run, a, p, fields, parts);
      const auto skipped = static_cast<std::size_t>(begin - run * kRun);
      unsigned char* const at = target.data + channel * target.layout.channel +
                                a * target.layout.antenna + p * target.layout.polarisation;
      saturated += store_voltages(options_.type, target.layout, begin - target.first, end - begin,
                                  parts.data() + skipped, parts.data() + kRun + skipped, at);
    }
  return saturated;
}

// The lower triangle L of L L* = coherency turns independent numbers into both polarisations.
void VoltageMaker::send(int channel, long long run, std::vector<float>& fields) const {
  std::vector<float> drawn(2 * kRun);
  for (std::size_t k = 0; k < sources_.size(); ++k) {
    const SampleSource& s = sources_[k];
    const double xx = std::sqrt(s.i + s.q);
    const std::complex<double> yx = xx > 0 ? coherency(s, 1, 0) / xx : 0;
    const double yy = std::sqrt(std::max(0.0, s.i - s.q - std::norm(yx)));
    const auto sigma = static_cast<float>(scale_ * std::sqrt(0.5));
    Random random{seed_, 43, key(static_cast<long long>(k)), key(channel), key(run)};
    float* const x = fields.data() + field_place(k, 0);
    float* const y = fields.data() + field_place(k, 1);
    normal_.add_to(x, 2 * kRun, sigma, random);
    std::ranges::fill(drawn, 0.0F);
    normal_.add_to(drawn.data(), 2 * kRun, sigma, random);
    const auto re = static_cast<float>(yx.real()), im = static_cast<float>(yx.imag());
    const auto alone = static_cast<float>(yy), both = static_cast<float>(xx);
    for (int t = 0; t < kRun; ++t) {
      const float a = x[t], b = x[kRun + t];
      y[t] = re * a - im * b + alone * drawn[static_cast<std::size_t>(t)];
      y[kRun + t] = re * b + im * a + alone * drawn[static_cast<std::size_t>(kRun + t)];
      x[t] = both * a;
      x[kRun + t] = both * b;
    }
  }
}

void VoltageMaker::receive(int channel, long long run, int antenna, int polarisation,
                           const std::vector<float>& fields, std::vector<float>& parts) const {
  std::ranges::fill(parts, 0.0F);
  Random random{seed_, 44, key(antenna * 2 + polarisation), key(channel), key(run)};
  normal_.add_to(parts.data(), 2 * kRun, static_cast<float>(scale_ * std::sqrt(options_.noise / 2)),
                 random);
  float* const re = parts.data();
  float* const im = re + kRun;
  for (std::size_t k = 0; k < sources_.size(); ++k) {
    const std::complex<double> turn =
        turned(-frequency(channel) * delay(k, static_cast<std::size_t>(antenna)));
    const auto c = static_cast<float>(turn.real()), s = static_cast<float>(turn.imag());
    const float* const sent = fields.data() + field_place(k, polarisation);
    for (int t = 0; t < kRun; ++t) {
      re[t] += c * sent[t] - s * sent[kRun + t];
      im[t] += c * sent[kRun + t] + s * sent[t];
    }
  }
}

}  // namespace tessera
