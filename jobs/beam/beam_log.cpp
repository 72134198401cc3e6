// SPDX-License-Identifier: Apache-2.0
#include "jobs/beam/beam_log.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include "core/folder.hpp"
#include "core/refuse.hpp"
#include "core/text_parts.hpp"
#include "io/file.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr long long kMostBytes = 1 << 26;  // a longer file is not a list of channels
constexpr const char* kRight = "a beam log has lines of channel, BMAJ and BMIN in arcsec, and BPA";

std::string log_text(const std::string& path) {
  const File file = File::open_to_read(path);
  if (file.bytes() > kMostBytes)
    refuse_input(path, fmt::format("it has {} bytes; {}", file.bytes(), kRight));
  std::string text(static_cast<std::size_t>(file.bytes()), '\0');
  file.read_all(0, text.data(), std::ssize(text));
  return text;
}

/// Where a quantity stands in a line, and its unit in degrees.
struct LogColumn {
  const char* name;
  std::size_t place;
  double degrees;
};
using LogColumns = std::array<LogColumn, 4>;

/// "BMAJ[arcsec]" of a line of names; without a unit it stays as it is.
void find_columns(const std::string& path, const std::vector<std::string_view>& names,
                  LogColumns& columns) {
  for (LogColumn& column : columns)
    for (std::size_t k = 0; k < names.size(); ++k) {
      const std::size_t bracket = names[k].find('[');
      if (names[k].substr(0, bracket) != column.name) continue;
      column.place = k;
      if (bracket == std::string_view::npos) continue;
      const std::string_view unit = names[k].substr(bracket);
      if (unit != "[arcsec]" && unit != "[deg]")
        refuse_input(path, fmt::format("the unit of {} is {}; it must be [arcsec] or [deg]",
                                       column.name, unit));
      column.degrees = unit == "[arcsec]" ? 1.0 / 3600 : 1;
    }
}

double log_number(const std::string& path, int line, const std::vector<std::string_view>& words,
                  const LogColumn& column) {
  double number = 0;
  if (column.place < words.size()) {
    const std::string_view word = words[column.place];
    const char* const last = word.data() + word.size();
    const auto [end, error] = std::from_chars(word.data(), last, number);
    if (error == std::errc() && end == last) return number * column.degrees;
  }
  refuse_input(path, fmt::format("line {} has no {}; {}", line, column.name, kRight));
}

}  // namespace

BeamTable read_beam_log(const std::string& path) {
  LogColumns columns{
      {{"Channel", 0, 1}, {"BMAJ", 1, 1.0 / 3600}, {"BMIN", 2, 1.0 / 3600}, {"BPA", 3, 1}}};
  BeamTable table;
  const std::string text = log_text(path);
  int number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    const std::size_t hash = line.find('#');
    if (hash != std::string_view::npos && line.find("BMAJ", hash) != std::string_view::npos)
      find_columns(path, words_of(line.substr(hash + 1)), columns);
    const std::vector<std::string_view> words = words_of(line.substr(0, hash));
    if (words.empty()) continue;
    const double channel = log_number(path, number, words, columns[0]);
    if (!(channel >= 0 && channel < 1e9 && channel == std::floor(channel)))
      refuse_input(path, fmt::format("line {} has channel {}; channels are counted from 0", number,
                                     channel));
    table.rows.push_back({log_number(path, number, words, columns[1]),
                          log_number(path, number, words, columns[2]),
                          log_number(path, number, words, columns[3]), static_cast<int>(channel)});
  }
  if (table.rows.empty()) refuse_input(path, fmt::format("it has no channels; {}", kRight));
  return table;
}

std::string beam_log_of(const std::string& cube) {
  const std::string name = name_in_folder(cube);
  const std::string log = "beamlog." + name.substr(0, name.rfind('.')) + ".txt";
  return cube.substr(0, cube.size() - name.size()) + log;
}

}  // namespace tessera
