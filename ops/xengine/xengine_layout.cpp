// SPDX-License-Identifier: Apache-2.0
// Named layouts.
#include <fmt/format.h>

#include "ops/xengine/xengine_check.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Samples of a group have to be whole.
void check_groups(const char* name, int group, long long samples) {
  if (samples % group != 0)
    throw Error(ErrorKind::usage,
                fmt::format("xengine: layout {} has groups of {} samples and the block {}; give a "
                            "multiple, or another layout",
                            name, group, samples));
}

/// A group of tcc: 16 bytes of every part.
int tcc_group(SampleType type, long long samples) {
  if (type == SampleType::cf32)
    throw Error(ErrorKind::usage,
                "xengine: layout tcc has parts of 4, 8 or 16 bits and samples are cf32; give "
                "another layout");
  const int group = 32 / bytes_of(type);
  check_groups("tcc", group, samples);
  return group;
}

VoltageLayout dp4a_layout(const XEngineShape& s, SampleType type, long long samples) {
  if (type != SampleType::ci8)
    throw Error(ErrorKind::usage,
                fmt::format("xengine: layout dp4a is for ci8 and samples are {}; give another "
                            "layout",
                            name_of(type)));
  check_groups("dp4a", 4, samples);
  const long long input = 8, row = input * s.inputs();
  return {row, input * s.polarisations, input, 1, 4, row * s.channels, 4};
}

}  // namespace

VoltageLayout voltage_layout(const std::string& name, const XEngineShape& s, SampleType type,
                             long long samples) {
  check_xengine_shape(s, type);
  check_samples(s, type, samples);
  if (name == "dp4a") return dp4a_layout(s, type, samples);
  const long long one = bytes_of(type), antenna = one * s.polarisations, row = one * s.inputs();
  VoltageLayout l;
  l.imaginary = type == SampleType::ci4 ? 0 : one / 2;
  l.polarisation = one;
  l.antenna = antenna;
  if (name == "tci") {
    l.channel = row;
    l.time = row * s.channels;
  } else if (name == "cti") {
    l.channel = row * samples;
    l.time = row;
  } else if (name == "cit") {
    l = {row * samples, antenna * samples, one * samples, one, 1, 0, l.imaginary};
  } else if (name == "act") {
    l.channel = antenna * samples;
    l.antenna = antenna * samples * s.channels;
    l.time = antenna;
  } else if (name == "tcc") {
    const int n = tcc_group(type, samples);
    l = {row * samples, antenna * n, one * n, one, n, row * n, l.imaginary};
  } else {
    throw_unknown("xengine: layout", name, {"tci", "cti", "cit", "act", "tcc", "dp4a"});
  }
  if (l.group == 1) l.group_step = l.time;
  return l;
}

}  // namespace tessera
