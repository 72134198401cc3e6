// SPDX-License-Identifier: Apache-2.0
/// Voltages for tests of the X-engine: random samples, laid out in any way, and plans run on them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "ops/xengine/cpu/xengine_host.hpp"
#include "tessera/xengine.hpp"

namespace tessera::testing {

/// Samples of all inputs and channels, [channel][input][time] packed.
struct Voltages {
  XEngineShape shape;
  SampleType type = SampleType::ci8;
  long long samples = 0;
  std::vector<unsigned char> bytes;
  std::vector<unsigned char> valid = {};  ///< as VoltageBlock's; empty: all
  long long valid_samples = 0;
};

/// Integers fill their range; floats lie in [-1, 1).
inline Voltages random_voltages(const XEngineShape& shape, SampleType type, long long samples,
                                unsigned seed) {
  Voltages v{shape, type, samples, {}};
  std::mt19937 random(seed);
  v.bytes.resize(
      static_cast<std::size_t>(samples * bytes_of(type) * shape.inputs() * shape.channels));
  for (unsigned char& byte : v.bytes) byte = static_cast<unsigned char>(random());
  if (type == SampleType::cf16)  // exponents below that of 1
    for (std::size_t k = 1; k < v.bytes.size(); k += 2)
      v.bytes[k] = static_cast<unsigned char>((v.bytes[k] & 0x83) | (random() % 15) << 2);
  std::uniform_real_distribution<float> unit(-1, 1);
  for (std::size_t k = 0; type == SampleType::cf32 && k < v.bytes.size(); k += 4) {
    const float value = unit(random);
    std::memcpy(&v.bytes[k], &value, 4);
  }
  return v;
}

/// About a third of the stretches of some inputs have no data.
inline void add_random_mask(Voltages& v, long long stretch, unsigned seed) {
  std::mt19937 random(seed);
  v.valid_samples = stretch;
  v.valid.resize(static_cast<std::size_t>((v.samples + stretch - 1) / stretch * v.shape.inputs()));
  for (unsigned char& byte : v.valid)
    byte = random() % 3 == 0 ? 0 : static_cast<unsigned char>(1 + random() % 255);
}

/// A block with memory of its own.
struct LaidOut {
  std::vector<unsigned char> bytes, valid;
  VoltageBlock block;
};

/// Odd steps, channels from the last to the first, real parts first and imaginary ones far behind.
inline VoltageLayout odd_layout(const XEngineShape& s, SampleType type, long long samples) {
  VoltageLayout l;
  const long long part = bytes_of(type);
  l.time = l.group_step = part + 1;
  l.polarisation = samples * l.time + 3;
  l.antenna = s.polarisations * l.polarisation + 5;
  l.channel = -(s.antennas * l.antenna + 7);
  l.imaginary = type == SampleType::ci4 ? 0 : -l.channel * s.channels;
  return l;
}

inline VoltageLayout layout_of(const std::string& name, const XEngineShape& s, SampleType type,
                               long long samples) {
  return name == "odd" ? odd_layout(s, type, samples) : voltage_layout(name, s, type, samples);
}

/// Samples [first, first + count); the bytes between them are not samples of any input.
inline LaidOut lay_out(const Voltages& v, const std::string& name, long long first,
                       long long count) {
  LaidOut to;
  const XEngineShape& s = v.shape;
  const VoltageLayout l = layout_of(name, s, v.type, count);
  to.block = {nullptr, count, l};
  const int one = bytes_of(v.type), part = v.type == SampleType::ci4 ? 1 : one / 2;
  const long long all = 1LL * s.inputs() * s.channels * count;
  to.bytes.assign(static_cast<std::size_t>(4 * all * (one + 1) + 4096 * s.channels), 0xa5);
  to.block.data = to.bytes.data() + (l.channel < 0 ? -l.channel * (s.channels - 1) : 0);
  for (int c = 0; c < s.channels; ++c)
    for (int i = 0; i < s.inputs(); ++i)
      for (long long t = 0; t < count; ++t) {
        const unsigned char* const from =
            v.bytes.data() + ((1LL * c * s.inputs() + i) * v.samples + first + t) * one;
        auto* const at = const_cast<unsigned char*>(
            sample_address(to.block, c, i / s.polarisations, i % s.polarisations, t));
        std::memcpy(at, from, static_cast<std::size_t>(part));
        if (l.imaginary) std::memcpy(at + l.imaginary, from + part, static_cast<std::size_t>(part));
      }
  if (v.valid.empty()) return to;
  to.block.valid_samples = 1;  // blocks may begin within a stretch
  for (long long t = first; t < first + count; ++t)
    for (int i = 0; i < s.inputs(); ++i)
      to.valid.push_back(v.valid[static_cast<std::size_t>(t / v.valid_samples * s.inputs() + i)]);
  if (first == 0 && count == v.samples) {
    to.valid = v.valid;
    to.block.valid_samples = v.valid_samples;
  }
  to.block.valid = to.valid;
  return to;
}

struct Correlated {
  std::vector<unsigned char> bytes;  ///< of the visibilities
  XEngineDump dump;

  template <class T>
  std::vector<T> as() const {
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
};

/// All samples, in blocks of `length`.
inline Correlated correlate(const XEngine& plan, const Voltages& v, const std::string& layout,
                            long long length, Stream& stream) {
  XEngineState state = plan.start();
  for (long long t = 0; t < v.samples; t += length) {
    const LaidOut laid = lay_out(v, layout, t, std::min(length, v.samples - t));
    plan.add(state, laid.block, stream);
  }
  Correlated made;
  constexpr unsigned char kPoison = 0x5a;
  constexpr std::size_t kGuard = 64;
  const auto bytes = static_cast<std::size_t>(plan.output().bytes());
  made.bytes.assign(bytes + kGuard, kPoison);
  made.dump = plan.dump(state, {made.bytes.data()}, stream);
  if (std::count(made.bytes.end() - kGuard, made.bytes.end(), kPoison) != kGuard)
    throw Error(ErrorKind::failure, "xengine wrote behind the visibilities");
  made.bytes.resize(bytes);
  return made;
}
inline Correlated correlate(const XEngine& plan, const Voltages& v) {
  Stream stream(plan.device());
  return correlate(plan, v, "cit", std::max(1LL, v.samples), stream);
}

inline XEngineOptions reference_for(XEngineOptions options) {
  options.backend = Backend::cpu;
  options.method = "reference";
  return options;
}

/// The methods of a backend that do this, except the reference.
inline std::vector<std::string> xengine_methods_for(const XEngineShape& shape,
                                                    const XEngineOptions& options,
                                                    Backend backend) {
  std::vector<std::string> names;
  for (const XEngineMethod& method : xengine_methods())
    if (method.backend == backend && std::string(method.name) != "reference" &&
        method.refuses({shape, options, {}, options.device}).empty())
      names.emplace_back(method.name);
  return names;
}

/// The bound of the header for float samples, for every part: (kFloatRun + 3) 2^-23 sum |A_i|
/// |A_j|.
inline std::vector<double> float_bounds(const Voltages& v, XEngineOptions options) {
  const auto one = static_cast<std::size_t>(bytes_of(v.type)), count = v.bytes.size() / one;
  const VoltageLayout layout = voltage_layout("cit", v.shape, v.type, v.samples);
  std::vector<std::complex<float>> size;
  for (std::size_t k = 0; k < count; ++k)
    size.emplace_back(std::abs(float_sample(v.type, layout, &v.bytes[k * one])), 0.0f);
  Voltages sizes{v.shape, SampleType::cf32, v.samples, {}, v.valid, v.valid_samples};
  sizes.bytes.resize(8 * count);
  std::memcpy(sizes.bytes.data(), size.data(), 8 * count);
  options.samples = SampleType::cf32;
  std::vector<double> bounds =
      correlate(XEngine(v.shape, reference_for(options)), sizes).as<double>();
  for (std::size_t k = 0; k < bounds.size(); k += 2) {
    bounds[k] *= (kFloatRun + 3) * 0x1p-23;
    bounds[k + 1] = bounds[k];
  }
  return bounds;
}

}  // namespace tessera::testing
