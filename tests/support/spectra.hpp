// SPDX-License-Identifier: Apache-2.0
/// Recordings for tests of the filter bank: random samples, laid out in any way, plans run on them.
#pragma once

#include <complex>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "ops/channelise/channelise_blocks.hpp"
#include "tessera/channelise.hpp"
#include "tests/support/poison.hpp"

namespace tessera::testing {

/// Samples of all inputs and coarse channels, [channel][input][time] packed; real ones have one
/// part.
struct Recording {
  XEngineShape shape;
  SampleType type = SampleType::ci8;
  bool real = false;
  long long samples = 0;
  std::vector<unsigned char> bytes;
  std::vector<unsigned char> valid = {};  ///< [time][input], empty: all

  int bytes_a_sample() const {
    return type == SampleType::ci4 ? 1 : bytes_of(type) / (real ? 2 : 1);
  }
};

/// Integers fill their range, floats lie in [-1, 1).
inline Recording random_recording(const XEngineShape& shape, SampleType type, bool real,
                                  long long samples, unsigned seed) {
  Recording r{shape, type, real, samples, {}};
  std::mt19937 random(seed);
  r.bytes.resize(
      static_cast<std::size_t>(samples * shape.inputs() * shape.channels * r.bytes_a_sample()));
  for (unsigned char& byte : r.bytes) byte = static_cast<unsigned char>(random());
  if (type == SampleType::cf16)  // exponents below that of 1
    for (std::size_t k = 1; k < r.bytes.size(); k += 2)
      r.bytes[k] = static_cast<unsigned char>((r.bytes[k] & 0x83) | (random() % 15) << 2);
  std::uniform_real_distribution<float> unit(-1, 1);
  for (std::size_t k = 0; type == SampleType::cf32 && k < r.bytes.size(); k += 4) {
    const float value = unit(random);
    std::memcpy(&r.bytes[k], &value, 4);
  }
  return r;
}

/// A recording of float samples of one input and channel.
inline Recording float_recording(const std::vector<std::complex<float>>& samples, bool real) {
  Recording r{{1, 1, 1}, SampleType::cf32, real, std::ssize(samples), {}};
  std::vector<float> parts;
  for (const std::complex<float> x : samples) {
    parts.push_back(x.real());
    if (!real) parts.push_back(x.imag());
  }
  r.bytes.resize(4 * parts.size());
  std::memcpy(r.bytes.data(), parts.data(), r.bytes.size());
  return r;
}

/// Odd steps, channels from the last to the first, imaginary parts first.
inline VoltageLayout odd_recording_layout(const Recording& r, long long samples) {
  VoltageLayout l;
  l.time = l.group_step = r.bytes_a_sample() + 1;
  l.polarisation = samples * l.time + 3;
  l.antenna = r.shape.polarisations * l.polarisation + 5;
  l.channel = -(r.shape.antennas * l.antenna + 7);
  l.imaginary = r.type == SampleType::ci4 || r.real ? 0 : -(-l.channel * r.shape.channels);
  return l;
}

inline VoltageLayout recording_layout(const Recording& r, const std::string& name,
                                      long long samples) {
  if (name == "odd") return odd_recording_layout(r, samples);
  if (r.real && r.type != SampleType::ci4)
    return real_voltage_layout(name, r.shape, r.type, samples);
  return voltage_layout(name, r.shape, r.type, samples);
}

/// A block with memory of its own.
struct LaidSamples {
  std::vector<unsigned char> bytes, valid;
  RawVoltages in;
};

/// Samples [first, first + count) of a recording; bytes between them are not samples of any input.
inline LaidSamples lay_samples(const Recording& r, const std::string& name, long long first,
                               long long count) {
  LaidSamples to;
  const XEngineShape& s = r.shape;
  const VoltageLayout l = recording_layout(r, name, count);
  const int one = r.bytes_a_sample();
  const int part = r.real || r.type == SampleType::ci4 ? one : one / 2;
  const std::size_t most =
      static_cast<std::size_t>(3 * (s.inputs() * s.channels * (count * (one + 1) + 16) + 4096));
  to.bytes.assign(2 * most, 0xa5);
  unsigned char* const middle = to.bytes.data() + most;
  const ChannelisePlaces places = channelise_places(l, s.polarisations, count);
  for (int c = 0; c < s.channels; ++c)
    for (int i = 0; i < s.inputs(); ++i)
      for (long long t = 0; t < count; ++t) {
        const unsigned char* const from =
            r.bytes.data() + ((1LL * c * s.inputs() + i) * r.samples + first + t) * one;
        unsigned char* const at = middle + places.input(c, i) + places.at(t);
        std::memcpy(at, from, static_cast<std::size_t>(part));
        if (part < one) std::memcpy(at + l.imaginary, from + part, static_cast<std::size_t>(part));
      }
  to.in.block = {middle, count, l};
  to.in.first = first;
  if (r.valid.empty()) return to;
  const long long inputs = s.inputs();
  to.valid.assign(r.valid.begin() + first * inputs, r.valid.begin() + (first + count) * inputs);
  to.in.block.valid = to.valid;
  to.in.block.valid_samples = 1;
  return to;
}

/// Spectra [channel][input][spectrum], and what came with them.
struct Channelised {
  SampleType type = SampleType::cf32;
  long long lines = 0, spectra = 0;
  std::vector<std::complex<float>> values;
  std::vector<unsigned char> valid;  ///< [spectrum][input]
  ChanneliseCounts counts;

  std::complex<float> at(long long line, long long spectrum) const {
    return values[static_cast<std::size_t>(line * spectra + spectrum)];
  }
};

inline std::complex<float> spectrum_value(SampleType type, const unsigned char* at,
                                          long long imaginary) {
  const auto part = [&](const unsigned char* from) -> float {
    if (type == SampleType::ci8) return channelise_part<kChanneliseCi8>(from, false);
    if (type == SampleType::ci16) return channelise_part<kChanneliseCi16>(from, false);
    return channelise_part<kChanneliseCf32>(from, false);
  };
  return {part(at), part(at + imaginary)};
}

/// How a recording is cut and laid out.
struct ChanneliseWay {
  std::string layout = "cit", out_layout = "cit";
  long long block = 1LL << 40;  ///< spectra per call
};

/// All spectra of a recording.
inline Channelised channelise_all(const Channelise& plan, const Recording& r, Stream& stream,
                                  const ChanneliseWay& way = {}) {
  const XEngineShape out = plan.output();
  const int inputs = out.inputs();
  Channelised made{
      plan.options().output_type, 1LL * out.channels * inputs, plan.spectra(r.samples), {}, {}, {}};
  made.values.resize(static_cast<std::size_t>(made.lines * made.spectra));
  ChanneliseState state = plan.start();
  for (long long first = 0; first < made.spectra; first += way.block) {
    const long long count = std::min(way.block, made.spectra - first);
    const SampleRange range = plan.needs(first, count);
    const LaidSamples laid = lay_samples(r, way.layout, range.first, range.count);
    constexpr std::size_t kGuard = 64;
    constexpr unsigned char kPoison = 0x5b;
    // Groups of the layout may be larger than the block.
    const VoltageLayout l = way.out_layout == "plan"
                                ? plan.layout(count)
                                : voltage_layout(way.out_layout, out, made.type, count);
    std::vector<unsigned char> memory(static_cast<std::size_t>(plan.bytes(count)) + 2 * kGuard,
                                      kPoison);
    std::vector<unsigned char> valid(static_cast<std::size_t>(count * inputs), 7);
    SpectraBlock block{memory.data() + kGuard, first, count, l, kHost, valid};
    plan(state, laid.in, block, stream);
    stream.wait();
    if (std::count(memory.end() - kGuard, memory.end(), kPoison) != kGuard ||
        std::count(memory.begin(), memory.begin() + kGuard, kPoison) != kGuard)
      throw Error(ErrorKind::failure, "channelise wrote around the spectra");
    const ChannelisePlaces places = channelise_places(l, out.polarisations, count);
    for (int c = 0; c < out.channels; ++c)
      for (int i = 0; i < inputs; ++i)
        for (long long s = 0; s < count; ++s)
          made.values[static_cast<std::size_t>((1LL * c * inputs + i) * made.spectra + first + s)] =
              spectrum_value(made.type, memory.data() + kGuard + places.input(c, i) + places.at(s),
                             l.imaginary);
    made.valid.insert(made.valid.end(), valid.begin(), valid.end());
  }
  made.counts = plan.take_counts(state, stream);
  return made;
}
inline Channelised channelise_all(const Channelise& plan, const Recording& r,
                                  const ChanneliseWay& way = {}) {
  Stream stream(plan.device());
  return channelise_all(plan, r, stream, way);
}

inline ChanneliseOptions channelise_reference(ChanneliseOptions options) {
  options.backend = Backend::cpu;
  options.method = "reference";
  return options;
}

}  // namespace tessera::testing
