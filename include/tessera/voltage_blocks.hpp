// SPDX-License-Identifier: Apache-2.0
/// Voltages of an array of antennas in memory: their types, where they lie, which are missing. The
/// X-engine, the fringe tracker and the filter bank take them.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "tessera/export.hpp"
#include "tessera/options.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// The type of a complex sample: two integers of 8 or 16 bits, two of 4 in a byte, or two floats.
enum class SampleType : unsigned char { ci8, ci4, ci16, cf16, cf32 };
template <>
struct Names<SampleType> {
  static constexpr std::array<std::pair<std::string_view, SampleType>, 5> list{
      {{"ci8", SampleType::ci8},
       {"ci4", SampleType::ci4},
       {"ci16", SampleType::ci16},
       {"cf16", SampleType::cf16},
       {"cf32", SampleType::cf32}}};
};

/// Bytes of a complex sample.
constexpr int bytes_of(SampleType type) {
  return type == SampleType::ci4    ? 1
         : type == SampleType::ci8  ? 2
         : type == SampleType::cf32 ? 8
                                    : 4;
}
constexpr bool is_integer(SampleType type) {
  return type != SampleType::cf16 && type != SampleType::cf32;
}

struct XEngineShape {
  int antennas = 0, polarisations = 2, channels = 1;

  bool operator==(const XEngineShape&) const = default;
  constexpr std::array<int, 3> numbers() const { return {antennas, polarisations, channels}; }
  constexpr int inputs() const { return antennas * polarisations; }
  constexpr long long baselines() const { return 1LL * antennas * (antennas + 1) / 2; }
  /// Visibilities of a channel in triangular order.
  constexpr long long values() const { return baselines() * polarisations * polarisations; }
};

/// Where the samples of a block lie, in bytes: sample t of input (a, p) in channel c begins at
///     c channel + a antenna + p polarisation + (t / group) group_step + (t % group) time
/// and its imaginary part `imaginary` bytes further (except for ci4: one byte has both).
struct VoltageLayout {
  long long channel = 0, antenna = 0, polarisation = 0, time = 0;
  int group = 1;
  long long group_step = 0;
  long long imaginary = 0;

  bool operator==(const VoltageLayout&) const = default;
};

/// Named layouts, packed:
///     tci        [time][channel][antenna][pol][re, im]       xGPU, Bifrost
///     cti        [channel][time][antenna][pol][re, im]
///     cit        [channel][antenna][pol][time][re, im]
///     act        [antenna][channel][time][pol][re, im]       GUPPI RAW, a batch of katgpucbf
///     tcc        [channel][time / n][antenna][pol][n][re, im], n = 128 / bits of a part: the
///                Tensor-Core Correlator's
///     dp4a       [time / 4][channel][antenna][pol][re or im][4]   xGPU's for ci8
/// Throws Error(usage) for other names, and if tcc or dp4a do not fit the type or the number of
/// samples.
TESSERA_API VoltageLayout voltage_layout(const std::string& name, const XEngineShape& shape,
                                         SampleType type, long long samples);

/// Some samples of all inputs and channels.
struct VoltageBlock {
  const void* data = nullptr;
  long long samples = 0;  ///< in time
  VoltageLayout layout;
  int device = kHost;
  /// [stretch of time][input], one byte each, on the host: 0 if an input has no data. Stretches
  /// are `valid_samples` long, the last may be shorter. Empty: all are valid.
  std::span<const unsigned char> valid = {};
  long long valid_samples = 0;
};

}  // namespace tessera
