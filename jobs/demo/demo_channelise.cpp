// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "jobs/demo/demo_part.hpp"
#include "jobs/demo/visibility_sky.hpp"

namespace tessera {
namespace {

/// Noise alone gives 1; the worst of a thousand pairs with about thirty channels each is about 1.3.
constexpr double kMostBankDistance = 1.6;
/// The tone lies in this channel; its filter reaches two channels further.
constexpr int kToneChannel = 11, kToneReach = 2, kEdge = 2;

struct BandSize {
  int antennas, channels, samples;
};

BandSize band_size(bool quick) { return quick ? BandSize{6, 32, 60000} : BandSize{12, 64, 400000}; }

const char* const kChanneliseStory =
    "An array records its band undivided, as real samples at twice the band's width: five sources "
    "in the receivers' noise, and a transmitter. A polyphase filter bank divides the band into "
    "channels; the transmitter stays in its own. The X-engine then multiplies all pairs of inputs, "
    "either from the file of spectra or in the same run, with the same bits.";

std::string channelise_lines(const BandSize& size, const DemoOptions& options) {
  return fmt::format(R"(import numpy as np
import tessera

recorded = tessera.read_voltages("array.dada")
samples = recorded["voltages"][:, 0, :, :, 0]          # real: (time, antennas, polarisations)
spectra = tessera.channelise(samples, "tap", channels={0}, real=True{1})
power = (abs(spectra) ** 2).mean(axis=(0, 2, 3))
print(f"{{len(spectra)}} spectra; the transmitter is in channel {{power.argmax()}}")
)",
                     size.channels, options.backend_argument());
}

std::string whole_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Products of different antennas differ from the model by this many times their noise: the rms
/// over channels of the worst pair. Channels at the edges and near the tone are left out.
double bank_distance(const VisibilitySky& sky, double unit, double spectra) {
  double worst = 0;
  for (int a = 0; a < sky.antennas; ++a)
    for (int b = 0; b < a; ++b)
      for (std::size_t product = 0; product < 4; ++product) {
        double sum = 0;
        int channels = 0;
        for (int c = kEdge; c < sky.channels - kEdge; ++c) {
          if (std::abs(c - kToneChannel) <= kToneReach) continue;
          const double power = sky.model[sky.place(c, a, a) + 3 * (product / 2)].real() *
                               sky.model[sky.place(c, b, b) + 3 * (product % 2)].real();
          const std::size_t k = sky.place(c, a, b) + product;
          sum += std::norm(sky.measured[k] / unit - sky.model[k]) / power;
          ++channels;
        }
        worst = std::max(worst, std::sqrt(sum / channels * spectra));
      }
  return worst;
}

/// How far the tone's channel exceeds those two away, dB.
double tone_height(const VisibilitySky& sky) {
  const auto power = [&](int c) { return sky.measured[sky.place(c, 0, 0)].real(); };
  return 10 * std::log10(power(kToneChannel) / power(kToneChannel + kToneReach));
}

DemoCheck check_channelise(const std::vector<Json>& said) {
  const VisibilitySky sky = read_visibility_sky("array");
  const Json bank = Json::parse(whole_file("spectra.npy.json")).at("filter_bank");
  const double gain = bank.at("gain"), squares = bank.at("sum_of_squares");
  // The sky has been divided by the number of recorded samples.
  const double spectra = said.at(1).value("spectra", 0.0);
  const double unit = gain * gain * squares * spectra / sky.samples;
  const double distance = bank_distance(sky, unit, spectra), tone = tone_height(sky);
  const std::string one = whole_file("fused.npy");
  const bool same = !one.empty() && one == whole_file("array.npy");
  return {same && distance < kMostBankDistance && tone > 10,
          fmt::format("one run and two give {} bytes; the worst pair of inputs differs from the "
                      "model by {:.2f} times the noise ({} allowed); the tone's channel exceeds "
                      "one two further by {:.1f} dB (10 needed); {:.0f} spectra",
                      same ? "the same" : "different", distance, kMostBankDistance, tone, spectra)};
}

}  // namespace

DemoPart demo_channelise(const DemoOptions& options) {
  const BandSize size = band_size(options.quick);
  const std::string sample = fmt::format(
      "tessera sample voltages array.dada --raw real --antennas {} --channels {} --samples {} "
      "--radius 150 --sources 5 --flux-low 4 --noise 20 --tone {} --tone-level 30 --seed {}",
      size.antennas, size.channels, size.samples, 150000000 + 100000 * kToneChannel, options.seed);
  const std::string more = options.backend_words();
  return {
      .operation = "channelise",
      .field = "Radio interferometers",
      .title = "From an undivided band to channels and visibilities",
      .story = kChanneliseStory,
      .commands = {{sample},
                   {fmt::format("tessera channelise array.dada -o spectra.npy --channels {} "
                                "--picture spectra.png{}",
                                size.channels, more),
                    true},
                   {"tessera xengine spectra.npy -o array.npy" + more},
                   {fmt::format("tessera xengine array.dada -o fused.npy --channelise {}{}",
                                size.channels, more)}},
      .python = channelise_lines(size, options),
      .inputs = {},
      .outputs = {{{"spectra.png"},
                   "How a channel answers tones around its middle, and the mean spectra of the "
                   "array: the transmitter stays in its channel"}},
      .check = check_channelise,
  };
}

}  // namespace tessera
