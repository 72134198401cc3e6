// SPDX-License-Identifier: Apache-2.0
#include "tune/table_file.hpp"

#include <fmt/format.h>

#include <set>

#include "core/device.hpp"
#include "core/machine.hpp"
#include "core/regular_file.hpp"
#include "core/text_parts.hpp"

namespace tessera {

std::vector<TuningLine> read_table(const std::string& path) {
  return parse_table(read_regular(path).value_or(""), path);
}

void write_table(const std::string& path, const std::string& machine_text,
                 const std::vector<TuningLine>& lines) {
  std::set<std::string> sites;
  for (const TuningLine& line : lines) sites.insert(line.site);
  std::string text = fmt::format("# Tuning table, made by tessera tune {}.\n# {}\n#",
                                 TESSERA_VERSION, machine_text);
  for (const std::string& site : sites) text += " " + site;
  text += "\n# machine site@version problem | knobs | measured\n";
  for (const TuningLine& line : lines) text += line_text(line) + "\n";
  write_regular(path, text);
}

std::string machine_text_of(const std::string& path) {
  const std::string text = read_regular(path).value_or("");
  const std::vector<std::string_view> lines = lines_of(text);
  if (lines.size() < 2 || !lines[1].starts_with("# ")) return "";
  return std::string(lines[1].substr(2));
}

std::string cpu_text() {
  return fmt::format("{}, {} threads", this_machine().cpu_name, this_machine().threads);
}

std::string device_text(int device) {
  const DeviceVersions versions = device_versions();
  return fmt::format("{}, driver {}, NVRTC {}",
                     this_machine().devices.at(static_cast<std::size_t>(device)).name,
                     versions.driver, versions.nvrtc);
}

}  // namespace tessera
