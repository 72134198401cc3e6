// SPDX-License-Identifier: Apache-2.0
// Layouts of samples that have only real parts.
#include <fmt/format.h>

#include "tessera/channelise.hpp"
#include "tessera/error.hpp"

namespace tessera {

VoltageLayout real_voltage_layout(const std::string& name, const XEngineShape& shape,
                                  SampleType type, long long samples) {
  if (type == SampleType::ci4)
    throw Error(
        ErrorKind::usage,
        "channelise: samples are ci4, which have both parts in a byte; give voltage_layout's "
        "layout");
  if (name == "tcc" || name == "dp4a")
    throw Error(
        ErrorKind::usage,
        fmt::format("channelise: layout {} is for complex samples; give tci, cti, cit or act",
                    name));
  VoltageLayout l = voltage_layout(name, shape, type, samples);
  for (long long* step : {&l.channel, &l.antenna, &l.polarisation, &l.time, &l.group_step})
    *step /= 2;
  l.imaginary = 0;
  return l;
}

}  // namespace tessera
