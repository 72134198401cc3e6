// SPDX-License-Identifier: Apache-2.0
// Samples of a block on the device, whatever their type and layout. Includes no third-party header.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

/// A block in the form kernels take: XEngineShape, VoltageLayout and the mask of a VoltageBlock.
struct XEngineSamples {
  const unsigned char* data;
  long long channel, antenna, polarisation, time, group_step, imaginary;  ///< bytes
  int group;  ///< large if time has one step, so that walks seldom wrap
  int channels, inputs, polarisations;
  long long samples;  ///< in time, for the block
  bool offset_binary, real_low;
  bool aligned;                          ///< parts are aligned to their size
  const unsigned char* valid;            ///< [stretch][input]; null: all are valid
  long long valid_samples, valid_first;  ///< per stretch; in the mask before the block

  TESSERA_BOTH const unsigned char* address(int c, int input, long long t) const {
    return data + c * channel + input / polarisations * antenna +
           input % polarisations * polarisation + t / group * group_step + t % group * time;
  }
};

/// Walks through an input's samples in time without divisions.
struct XEngineWalk {
  const unsigned char* at;
  int in_group;

  TESSERA_BOTH XEngineWalk(const XEngineSamples& s, int c, int input, long long t)
      : at(s.address(c, input, t)), in_group(static_cast<int>(t % s.group)) {}
  TESSERA_BOTH void next(const XEngineSamples& s) {
    at += s.time;
    if (++in_group < s.group) return;
    in_group = 0;
    at += s.group_step - s.group * s.time;
  }
  TESSERA_BOTH void skip(const XEngineSamples& s, int steps) {
    at += steps * s.time;
    for (in_group += steps; in_group >= s.group; in_group -= s.group)
      at += s.group_step - s.group * s.time;
  }
};

/// The same through an input's mask.
struct XEngineMaskWalk {
  const unsigned char* at = nullptr;
  long long left = 0;  ///< samples of the stretch

  TESSERA_BOTH XEngineMaskWalk(const XEngineSamples& s, int input, long long t) {
    if (!s.valid) return;
    const long long first = s.valid_first + t;
    at = s.valid + first / s.valid_samples * s.inputs + input;
    left = s.valid_samples - first % s.valid_samples;
  }
  TESSERA_BOTH bool is_valid() const { return !at || *at; }
  TESSERA_BOTH void skip(const XEngineSamples& s, int steps) {
    if (!at) return;
    for (left -= steps; left <= 0; left += s.valid_samples) at += s.inputs;
  }
};

/// Two bytes (re, im), re in the low one.
TESSERA_BOTH inline unsigned ci8_sample(const XEngineSamples& s, const unsigned char* at) {
  const unsigned both = at[0] | static_cast<unsigned>(at[s.imaginary]) << 8;
  return s.offset_binary ? both ^ 0x8080U : both;
}

/// The same for a ci4 byte: its halves, sign-extended.
TESSERA_BOTH inline unsigned ci4_sample(const XEngineSamples& s, const unsigned char* at) {
  const unsigned both = s.offset_binary ? *at ^ 0x88U : *at;
  const unsigned high = both >> 4, low = both & 15;
  const auto wide = [](unsigned half) { return ((half ^ 8U) - 8U) & 0xffU; };
  return s.real_low ? wide(low) | wide(high) << 8 : wide(high) | wide(low) << 8;
}

}  // namespace tessera
