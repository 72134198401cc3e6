// SPDX-License-Identifier: Apache-2.0
#include "jobs/xengine/antenna_list.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "core/text_parts.hpp"
#include "io/file.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr long long kMostBytes = 1 << 24;  // a longer file is not a list of antennas

std::string text_of(const std::string& path) {
  const File file = File::open_to_read(path);
  if (file.bytes() > kMostBytes)
    throw Error(ErrorKind::input, fmt::format("{}: it has {} bytes, too many for a list of "
                                              "antennas; give a text file with lines of name x y z",
                                              path, file.bytes()));
  std::string text(static_cast<std::size_t>(file.bytes()), '\0');
  file.read_all(0, text.data(), std::ssize(text));
  return text;
}

UvfitsAntenna antenna_of(const std::string& path, int line,
                         const std::vector<std::string_view>& words) {
  UvfitsAntenna antenna{std::string(words[0]), {}};
  bool right = words.size() == 4;
  for (std::size_t i = 0; right && i < 3; ++i) {
    const std::string_view word = words[i + 1];
    const char* const last = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), last, antenna.position[i]);
    right = error == std::errc() && stop == last && std::isfinite(antenna.position[i]);
  }
  if (!right)
    throw Error(ErrorKind::input,
                fmt::format("{}: line {} is not name x y z (ITRF, metres)", path, line));
  return antenna;
}

}  // namespace

std::vector<UvfitsAntenna> read_antennas(const std::string& path) {
  const std::string text = text_of(path);
  std::vector<UvfitsAntenna> antennas;
  int number = 0;
  for (const std::string_view line : lines_of(text)) {
    const auto words = words_of(line.substr(0, line.find('#')), " \t\r\f\v,");
    ++number;
    if (!words.empty()) antennas.push_back(antenna_of(path, number, words));
  }
  return antennas;
}

AntennaList antennas_of(const VoltageInfo& info, const std::string& path) {
  const auto count = static_cast<std::size_t>(info.shape.antennas);
  if (!path.empty()) {
    AntennaList list{read_antennas(path), true};
    if (list.antennas.size() != count)
      throw Error(
          ErrorKind::usage,
          fmt::format(
              "xengine: {} has {} antennas, but the recording {}; give one line per antenna", path,
              list.antennas.size(), count));
    return list;
  }
  AntennaList list{{}, info.antenna_positions.size() == count};
  for (std::size_t a = 0; a < count; ++a)
    list.antennas.push_back(
        {info.antenna_names.size() == count ? info.antenna_names[a] : fmt::format("ANT{:03}", a),
         list.placed ? info.antenna_positions[a] : std::array<double, 3>{}});
  return list;
}

}  // namespace tessera
