// SPDX-License-Identifier: Apache-2.0
/// Blocks of a call in the form that host code and kernels take, and how host code stores values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "ops/channelise/channelise_problem.hpp"
#include "ops/channelise/channelise_samples.cuh"

namespace tessera {

static_assert(static_cast<int>(SampleType::ci8) == kChanneliseCi8 &&
              static_cast<int>(SampleType::ci4) == kChanneliseCi4 &&
              static_cast<int>(SampleType::ci16) == kChanneliseCi16 &&
              static_cast<int>(SampleType::cf16) == kChanneliseCf16 &&
              static_cast<int>(SampleType::cf32) == kChanneliseCf32);

/// Time with one step is a single group.
inline ChannelisePlaces channelise_places(const VoltageLayout& l, int polarisations,
                                          long long samples) {
  ChannelisePlaces to{l.channel,    l.antenna,   l.polarisation, l.time,
                      l.group_step, l.imaginary, l.group,        polarisations};
  if (l.group >= samples && l.group > 1) {
    to.group = 1;
    to.group_step = l.time;
  }
  return to;
}

inline ChanneliseSamples channelise_samples(const ChanneliseProblem& p, const RawVoltages& in) {
  return {static_cast<const unsigned char*>(in.block.data),
          channelise_places(in.block.layout, p.shape.polarisations, in.block.samples),
          in.first,
          in.block.samples,
          p.options.offset_binary,
          p.options.real_low};
}

inline ChannelisePlaces channelise_places_of(const ChanneliseProblem& p, const SpectraBlock& out) {
  return channelise_places(out.layout, p.shape.polarisations, out.spectra);
}

/// Calls use(type) with the type of the samples as std::integral_constant, and whether only real
/// parts are read as std::bool_constant.
template <class Use>
auto with_channelise_type(const ChanneliseOptions& o, Use use) {
  const auto with_real = [&](auto type) {
    return o.real ? use(type, std::true_type()) : use(type, std::false_type());
  };
  switch (o.samples) {
    case SampleType::ci8:
      return with_real(std::integral_constant<int, kChanneliseCi8>());
    case SampleType::ci4:
      return with_real(std::integral_constant<int, kChanneliseCi4>());
    case SampleType::ci16:
      return with_real(std::integral_constant<int, kChanneliseCi16>());
    case SampleType::cf16:
      return with_real(std::integral_constant<int, kChanneliseCf16>());
    case SampleType::cf32:
      break;
  }
  return with_real(std::integral_constant<int, kChanneliseCf32>());
}

inline float channelise_most(SampleType type) {
  return type == SampleType::ci8 ? 127.0F : 32767.0F;
}

/// Stores a value that is already of the output's kind: integers as they are.
template <class T>
void store_part(unsigned char* at, long long imaginary, T re, T im) {
  std::memcpy(at, &re, sizeof(T));
  std::memcpy(at + imaginary, &im, sizeof(T));
}

/// Stores a value of a spectrum.
inline void store_channelised(const ChanneliseProblem& p, unsigned char* at, long long imaginary,
                              float gain, ChanneliseValue v, ChanneliseTallies& counts) {
  if (!p.is_quantised()) return store_part(at, imaginary, v.re, v.im);
  const float most = channelise_most(p.options.output_type);
  const int re = channelise_quantise(v.re, gain, most, counts),
            im = channelise_quantise(v.im, gain, most, counts);
  if (p.options.output_type == SampleType::ci8)
    store_part(at, imaginary, static_cast<std::int8_t>(re), static_cast<std::int8_t>(im));
  else
    store_part(at, imaginary, static_cast<std::int16_t>(re), static_cast<std::int16_t>(im));
}

}  // namespace tessera
