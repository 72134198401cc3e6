// SPDX-License-Identifier: Apache-2.0
#include "jobs/history.hpp"

#include <algorithm>

#include "core/link_rates.hpp"

namespace tessera {

std::string without_device(std::string words) {
  words.insert(0, " ");
  for (const std::string name : {", device ", " device="})
    for (std::size_t at = 0; (at = words.find(name, at)) != std::string::npos;) {
      const std::size_t end = words.find_first_not_of("0123456789", at + name.size());
      words.erase(at, std::min(end, words.size()) - at);
    }
  return words.empty() ? words : words.substr(1);
}

std::vector<std::string> history_of(const std::string& ran, const std::string& options) {
  std::vector<std::string> lines{"tessera " TESSERA_VERSION, "ran: " + without_device(ran)};
  if (const std::string rates = deciding_link_rates(); !rates.empty()) lines.push_back(rates);
  if (const std::string given = without_device(options); !given.empty())
    lines.push_back("options: " + given);
  return lines;
}

}  // namespace tessera
