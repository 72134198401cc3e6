// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <numbers>

#include "core/machine.hpp"
#include "ops/channelise/channelise_blocks.hpp"
#include "ops/channelise/cuda/channelise_cuda.hpp"

namespace tessera {
namespace {

/// Samples of a line begin at multiples of 16 bytes.
constexpr long long kPitchSamples = 16;

std::vector<LineValue> turns_of(int count, int length) {
  std::vector<LineValue> turns;
  for (int k = 0; k < count; ++k) {
    const double angle = 2 * std::numbers::pi * k / length;
    turns.push_back({static_cast<float>(std::cos(angle)), static_cast<float>(-std::sin(angle))});
  }
  return turns;
}

/// Bytes of a packed part: ci4 becomes int8, cf16 float.
int packed_part(SampleType type) {
  return type == SampleType::ci8 || type == SampleType::ci4 ? 1 : type == SampleType::ci16 ? 2 : 4;
}
int packed_sample(const ChanneliseProblem& p) {
  return packed_part(p.options.samples) * (p.options.real ? 1 : 2);
}

bool has_multiples(const ChannelisePlaces& l, const void* data, int of) {
  return reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(of) == 0 &&
         l.channel % of == 0 && l.antenna % of == 0 && l.polarisation % of == 0;
}

}  // namespace

ChanneliseDeviceTables::ChanneliseDeviceTables(const ChanneliseProblem& p)
    : turns(turns_of(p.channels(), p.channels())), gains(p.gains) {
  if (p.options.real) half_turns = turns_of(p.channels(), p.transform);
  if (gains.empty()) gains.push_back(1);
}

bool channelise_reads(const ChanneliseProblem& p, const ChanneliseSamples& s) {
  const SampleType type = p.options.samples;
  if (s.offset_binary || type == SampleType::ci4 || type == SampleType::cf16) return false;
  const int one = packed_sample(p);
  return s.places.group == 1 && s.places.group_step == one &&
         (p.options.real || s.places.imaginary == packed_part(type)) &&
         has_multiples(s.places, s.data, one);
}

ChannelisePackArgs channelise_pack_args(const ChanneliseProblem& p, const ChanneliseSamples& s,
                                        long long first, long long count) {
  const ChannelisePlaces& l = s.places;
  const long long input = p.shape.polarisations > 1 ? l.polarisation : l.antenna;
  const long long time = l.group == 1 ? l.group_step : l.time;
  return {s,
          nullptr,
          first,
          count,
          (count + kPitchSamples - 1) / kPitchSamples * kPitchSamples,
          p.shape.inputs(),
          std::abs(input) < std::abs(time)};
}

std::size_t channelise_packed_bytes(const ChanneliseProblem& p, const ChannelisePackArgs& a) {
  return static_cast<std::size_t>(a.pitch) * static_cast<std::size_t>(packed_sample(p)) *
         static_cast<std::size_t>(a.inputs) * static_cast<std::size_t>(p.shape.channels);
}

ChanneliseSamples channelise_packed(const ChanneliseProblem& p, const ChannelisePackArgs& a) {
  ChanneliseSamples s{};
  s.data = a.out;
  s.first = a.samples.first + a.first;
  s.count = a.count;
  s.places.group = 1;
  s.places.polarisations = p.shape.polarisations;
  s.places.group_step = packed_sample(p);
  s.places.imaginary = packed_part(p.options.samples);
  s.places.polarisation = a.pitch * packed_sample(p);
  s.places.antenna = p.shape.polarisations * s.places.polarisation;
  s.places.channel = p.shape.antennas * s.places.antenna;
  return s;
}

ChanneliseArgs channelise_args(const ChanneliseProblem& p, const ChanneliseSamples& s,
                               const ChannelisePlaces& to, void* out, long long first,
                               long long spectra) {
  ChanneliseArgs a{};
  a.shape = channelise_shape(p.channels());
  a.passes = line_passes(p.channels());
  a.taps = p.options.taps;
  a.hop = p.hop;
  a.channels = p.channels();
  a.inputs = p.shape.inputs();
  a.data = s.data;
  a.from = s.places;
  a.first_sample = s.first;
  a.out = static_cast<unsigned char*>(out);
  a.to = to;
  a.first_spectrum = first;
  a.spectra = spectra;
  a.bytes = bytes_of(p.options.output_type);
  a.most = p.is_quantised() ? channelise_most(p.options.output_type) : 0;
  const int together = std::min(8 / a.bytes, a.shape.lines);
  a.wide =
      (to.group == 1 ? to.group_step == a.bytes
                     : to.time == a.bytes && to.group % together == 0 && to.group_step % 8 == 0) &&
      to.imaginary == a.bytes / 2 && has_multiples(to, out, 8);
  if (p.gains.size() > 1) {
    const bool inputs = p.gains.size() > static_cast<std::size_t>(p.outputs());
    a.gain_channel = inputs ? a.inputs : 1;
    a.gain_input = inputs ? 1 : 0;
  }
  return a;
}

std::string why_no_channelise_fft_cuda(const ChanneliseProblem& p) {
  if (std::string reason = why_no_device(p.device); !reason.empty()) return reason;
  if (line_passes(p.channels()).count == 0)
    return fmt::format("there are {} channels; it takes products of 2, 3 and 5", p.channels());
  const long long bytes = 2LL * static_cast<long long>(sizeof(LineValue)) * p.channels();
  const int most = device_info(p.device).shared_bytes_per_block;
  if (bytes > most)
    return fmt::format(
        "{} channels take {} bytes of shared memory and the device has {}; give fewer",
        p.channels(), bytes, most);
  return "";
}

// Kernels are limited by their loads and passes through shared memory, near 3e11 values per second
// on a device of 60 Tflop/s by the count in README.cuda.md; typical samples come from the host.
double channelise_fft_cuda_seconds(const ChanneliseProblem& p, const Machine& m) {
  const double values = 1.0 * p.shape.inputs() * p.shape.channels * kTypicalSpectra * p.channels();
  const double up = p.samples() * bytes_of(p.options.samples) / (p.options.real ? 2 : 1),
               down = values * bytes_of(p.options.output_type);
  return 50e-6 +
         std::max(values * 200 / m.device_flops(p.device), link_seconds(p.device, up, down));
}

}  // namespace tessera
