// SPDX-License-Identifier: Apache-2.0
#include "io/voltages/voltage_reader.hpp"

#include <cmath>
#include <cstdlib>

#include "core/memory.hpp"
#include "core/pools.hpp"

namespace tessera {
namespace {

// Far above any real array; products of smaller numbers cannot overflow.
constexpr long long kMostAntennas = 1 << 16, kMostPolarisations = 4, kMostChannels = 1 << 24,
                    kMostInputsTimesChannels = 1LL << 28;

void check(const std::string& name, const char* what, long long value, long long most) {
  if (value < 1 || value > most)
    throw voltage_error(name, "it has {} {}; there can be 1 to {}", value, what, most);
}

}  // namespace

XEngineShape checked_shape(const std::string& name, const ClaimedVoltages& claimed) {
  check(name, "antennas", claimed.antennas, kMostAntennas);
  check(name, "polarisations", claimed.polarisations, kMostPolarisations);
  check(name, "channels", claimed.channels, kMostChannels);
  check(name, "inputs times channels", claimed.antennas * claimed.polarisations * claimed.channels,
        kMostInputsTimesChannels);
  return {static_cast<int>(claimed.antennas), static_cast<int>(claimed.polarisations),
          static_cast<int>(claimed.channels)};
}

void check_voltage_memory(const std::string& name, long long bytes) {
  const auto needed = static_cast<double>(bytes), free = static_cast<double>(available_memory());
  if (needed <= free) return;
  throw Error(ErrorKind::resources, fmt::format("{}: it needs {} of memory; {} is free", name,
                                                bytes_text(needed), bytes_text(free)));
}

double VoltageInfo::bits_of_all() const {
  return 1.0 * (bits > 0 ? bits : 8 * bytes_of(samples)) * shape.inputs() * shape.channels;
}

void VoltageInfo::set_start(long long day, double second) {
  constexpr double kMostSeconds = 1e10;
  constexpr long long kMostDays = 10'000'000;
  start.reset();
  start_day = 0;
  start_second = 0;
  if (!(std::abs(second) < kMostSeconds) || std::abs(day) >= kMostDays) return;
  const double days = std::floor(second / 86400);
  start_day = day + static_cast<long long>(days);
  start_second = second - 86400 * days;
  start = static_cast<double>(start_day) + start_second / 86400;
}

}  // namespace tessera
