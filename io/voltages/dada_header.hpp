// SPDX-License-Identifier: Apache-2.0
/// The header of PSRDADA: HDR_SIZE bytes of lines "KEY value # comment".
#pragma once

#include "io/voltages/voltage_keys.hpp"
#include "io/voltages/voltage_order.hpp"

namespace tessera {

struct DadaHeader {
  VoltageKeys keys;
  long long bytes = 0;
};

/// Nothing at the end of the file. Throws Error(input) if there is no header at this place.
std::optional<DadaHeader> read_dada_header(VoltageInput& input, long long offset);

/// The order of the samples according to the header. If it does not say, `doubt` gets a sentence.
VoltageOrder dada_order(const std::string& name, const VoltageKeys& keys, std::string& doubt);
VoltageInfo dada_info(const std::string& name, const VoltageKeys& keys, const VoltageOrder& order);

}  // namespace tessera
