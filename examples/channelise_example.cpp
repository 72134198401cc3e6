// SPDX-License-Identifier: Apache-2.0
// From raw voltages to visibilities, block by block: channelise_example [CHANNELS]
//
// Two antennas receive the same noise, the second one three samples later. Over frequency the phase
// of their product is a slope, from which the delay comes back. Prints one line per channel:
// frequency in units of the sample rate, amplitude of the coherence, phase in turns.
#include <algorithm>
#include <cmath>
#include <complex>
#include <iostream>
#include <numbers>
#include <random>
#include <vector>

#include "tessera/channelise.hpp"
#include "tessera/error.hpp"
#include "tessera/xengine.hpp"

namespace {

constexpr int kDelay = 3;
constexpr long long kSamples = 200000, kSpectraAtOnce = 64;

/// [time][antenna][re, im] of ci8.
std::vector<signed char> record() {
  std::mt19937 random(1);
  std::normal_distribution<double> draw(0, 20);
  std::vector<double> sky(2 * (kSamples + kDelay));
  for (double& value : sky) value = draw(random);
  std::vector<signed char> samples(4 * kSamples);
  for (long long t = 0; t < kSamples; ++t)
    for (int antenna = 0; antenna < 2; ++antenna)
      for (int part = 0; part < 2; ++part) {
        const long long heard = t + kDelay - antenna * kDelay;
        const double value = sky[static_cast<std::size_t>(2 * heard + part)] + 0.3 * draw(random);
        samples[static_cast<std::size_t>((2 * t + antenna) * 2 + part)] =
            static_cast<signed char>(std::clamp(std::round(value), -127.0, 127.0));
      }
  return samples;
}

/// Means of products, [channel][baseline (0, 0), (1, 0), (1, 1)].
std::vector<std::complex<double>> correlate(const std::vector<signed char>& samples, int channels) {
  const tessera::XEngineShape recorded{.antennas = 2, .polarisations = 1, .channels = 1};
  const tessera::Channelise bank(recorded,
                                 {.channels = channels, .output_type = tessera::SampleType::ci8});
  const tessera::XEngine engine(bank.output(), {.samples = tessera::SampleType::ci8});
  tessera::ChanneliseState making = bank.start();
  tessera::XEngineState adding = engine.start();
  tessera::Stream bank_stream(bank.device()), engine_stream(engine.device());
  std::vector<signed char> memory(static_cast<std::size_t>(bank.bytes(kSpectraAtOnce)));
  const long long all = bank.spectra(kSamples);
  for (long long first = 0; first < all; first += kSpectraAtOnce) {
    const long long count = std::min(kSpectraAtOnce, all - first);
    // A block begins where its first spectrum does; neighbours share the end of the filter.
    const tessera::SampleRange needed = bank.needs(first, count);
    const tessera::VoltageLayout in =
        tessera::voltage_layout("tci", recorded, tessera::SampleType::ci8, needed.count);
    const tessera::VoltageLayout out = bank.layout(count);
    bank(making,
         {{.data = samples.data() + 4 * needed.first, .samples = needed.count, .layout = in},
          needed.first},
         {.data = memory.data(), .first = first, .spectra = count, .layout = out}, bank_stream);
    engine.add(adding, {.data = memory.data(), .samples = count, .layout = out}, engine_stream);
  }
  std::vector<long long> sums(2 * 3 * static_cast<std::size_t>(channels));
  engine.dump(adding, {sums.data()}, engine_stream);
  std::vector<std::complex<double>> means;
  for (std::size_t k = 0; k < sums.size(); k += 2)
    means.emplace_back(static_cast<double>(sums[k]) / static_cast<double>(all),
                       static_cast<double>(sums[k + 1]) / static_cast<double>(all));
  const auto saturated = bank.take_counts(making, bank_stream).saturated;
  if (saturated > 0) std::cerr << saturated << " parts of spectra are at the limits of ci8\n";
  return means;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    int channels = 32;
    if (argc > 1) tessera::from_text("CHANNELS", argv[1], channels);
    const std::vector<std::complex<double>> means = correlate(record(), channels);
    std::cout << "frequency,coherence,turns\n";
    for (int c = 0; c < channels; ++c) {
      const auto* const v = &means[3 * static_cast<std::size_t>(c)];
      std::cout << static_cast<double>(c - channels / 2) / channels << ","
                << std::abs(v[1]) / std::sqrt(v[0].real() * v[2].real()) << ","
                << std::arg(v[1]) / (2 * std::numbers::pi) << "\n";
    }
    return 0;
  } catch (const tessera::Error& error) {
    std::cerr << error.what() << "\n";
    return static_cast<int>(error.kind());
  }
}
