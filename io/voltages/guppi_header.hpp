// SPDX-License-Identifier: Apache-2.0
/// The header of a block of GUPPI RAW: cards of 80 characters up to END.
#pragma once

#include "io/voltages/voltage_keys.hpp"
#include "io/voltages/voltage_order.hpp"

namespace tessera {

struct GuppiHeader {
  VoltageKeys keys;
  long long bytes = 0;  ///< with the padding of DIRECTIO
};

/// Nothing at the end of the file. Throws Error(input) if there is no header at this place.
std::optional<GuppiHeader> read_guppi_header(VoltageInput& input, long long offset);

/// The order of the samples of a block according to the header.
VoltageOrder guppi_order(const std::string& name, const VoltageKeys& keys,
                         const VoltageOptions& options);
VoltageInfo guppi_info(const VoltageKeys& keys, const VoltageOrder& order);

}  // namespace tessera
