// SPDX-License-Identifier: Apache-2.0
#include "jobs/history.hpp"

#include "core/link_rates.hpp"

namespace tessera {

std::vector<std::string> history_of(const std::string& ran, const std::string& options) {
  std::vector<std::string> lines{"tessera " TESSERA_VERSION, "ran: " + ran};
  if (const std::string rates = deciding_link_rates(); !rates.empty()) lines.push_back(rates);
  if (!options.empty()) lines.push_back("options: " + options);
  return lines;
}

}  // namespace tessera
