// SPDX-License-Identifier: Apache-2.0
#include "core/cpu_name.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <map>

#include "core/text_parts.hpp"

namespace tessera {
namespace {

struct Part {
  long maker, part;
  const char* name;
};
// Numbers of the Main ID Register, as in the makers' reference manuals.
constexpr Part kParts[] = {
    {0x41, 0xd03, "Cortex-A53"},    {0x41, 0xd05, "Cortex-A55"},   {0x41, 0xd07, "Cortex-A57"},
    {0x41, 0xd08, "Cortex-A72"},    {0x41, 0xd09, "Cortex-A73"},   {0x41, 0xd0a, "Cortex-A75"},
    {0x41, 0xd0b, "Cortex-A76"},    {0x41, 0xd0c, "Neoverse-N1"},  {0x41, 0xd0d, "Cortex-A77"},
    {0x41, 0xd40, "Neoverse-V1"},   {0x41, 0xd41, "Cortex-A78"},   {0x41, 0xd42, "Cortex-A78AE"},
    {0x41, 0xd44, "Cortex-X1"},     {0x41, 0xd46, "Cortex-A510"},  {0x41, 0xd47, "Cortex-A710"},
    {0x41, 0xd48, "Cortex-X2"},     {0x41, 0xd49, "Neoverse-N2"},  {0x41, 0xd4a, "Neoverse-E1"},
    {0x41, 0xd4d, "Cortex-A715"},   {0x41, 0xd4e, "Cortex-X3"},    {0x41, 0xd4f, "Neoverse-V2"},
    {0x41, 0xd83, "Neoverse-V3AE"}, {0x41, 0xd84, "Neoverse-V3"},  {0x41, 0xd8e, "Neoverse-N3"},
    {0x46, 0x001, "A64FX"},         {0x43, 0x0af, "ThunderX2"},    {0x48, 0xd01, "Kunpeng-920"},
    {0x4e, 0x004, "Carmel"},        {0x61, 0x022, "Apple-M1"},     {0x61, 0x023, "Apple-M1"},
    {0x61, 0x024, "Apple-M1-Pro"},  {0x61, 0x025, "Apple-M1-Pro"}, {0x61, 0x028, "Apple-M1-Max"},
    {0x61, 0x029, "Apple-M1-Max"},  {0x61, 0x032, "Apple-M2"},     {0x61, 0x033, "Apple-M2"},
    {0xc0, 0xac3, "Ampere-1"},      {0xc0, 0xac4, "Ampere-1A"},
};

/// The first value of each name.
std::map<std::string, std::string> first_values(std::istream& cpuinfo) {
  std::map<std::string, std::string> values;
  for (std::string line; std::getline(cpuinfo, line);) {
    const size_t colon = line.find(':');
    if (colon != std::string::npos)
      values.emplace(trimmed(std::string_view(line).substr(0, colon)),
                     trimmed(std::string_view(line).substr(colon + 1)));
  }
  return values;
}

}  // namespace

std::string cpu_name(std::istream& cpuinfo) {
  auto values = first_values(cpuinfo);
  if (!values["model name"].empty()) return values["model name"];
  if (values["CPU part"].empty()) return "unknown CPU";
  const long maker = std::strtol(values["CPU implementer"].c_str(), nullptr, 0);
  const long part = std::strtol(values["CPU part"].c_str(), nullptr, 0);
  for (const Part& known : kParts)
    if (known.maker == maker && known.part == part) return known.name;
  return fmt::format("ARM CPU {:#x}:{:#x}", maker, part);
}

}  // namespace tessera
