// SPDX-License-Identifier: Apache-2.0
#include "jobs/sample/voltages_inputs.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/text_parts.hpp"
#include "io/file.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Enough for a line for each of the most antennas and sources; a longer file is not such a list.
constexpr long long kMostBytes = 1 << 22;

std::string whole_text(const std::string& path) {
  const File file = File::open_to_read(path);
  if (file.bytes() > kMostBytes)
    throw Error(ErrorKind::input, fmt::format("{}: it has {} bytes; give a text file of at most {}",
                                              path, file.bytes(), kMostBytes));
  std::string text(static_cast<std::size_t>(file.bytes()), ' ');
  file.read_all(0, text.data(), std::ssize(text));
  return text;
}

struct Line {
  std::string where;  ///< "file, line 3"
  std::vector<std::string> words;

  double number(std::size_t word) const {
    double value = 0;
    try {
      from_text(where, words[word], value);
    } catch (const Error& error) {
      throw Error(ErrorKind::input, error.what());
    }
    if (!std::isfinite(value))
      throw Error(ErrorKind::input,
                  fmt::format("{}: '{}' is not a position or flux; give a finite number", where,
                              words[word]));
    return value;
  }
  [[noreturn]] void refuse(const char* right) const {
    throw Error(ErrorKind::input,
                fmt::format("{}: it has {} words; {}", where, words.size(), right));
  }
};

std::vector<Line> read_lines(const std::string& path) {
  std::vector<Line> lines;
  const std::string text = whole_text(path);
  int number = 0;
  for (const std::string_view all : lines_of(text)) {
    const std::vector<std::string_view> words = words_of(all.substr(0, all.find('#')));
    ++number;
    if (!words.empty())
      lines.push_back({fmt::format("{}, line {}", path, number), {words.begin(), words.end()}});
  }
  if (lines.empty())
    throw Error(ErrorKind::input, path + ": it is empty; it needs one line or more");
  return lines;
}

EarthVector direction_of(const Line& line, const VoltagesOptions& options,
                         const EarthVector& middle) {
  const std::string& kind = line.words[0];
  const double x = line.number(1), y = line.number(2);
  if (kind == "azel") return horizontal_direction(local_axes(middle), x, y);
  if (kind == "radec") return equatorial_direction(x, y, options.start);
  if (kind != "lm")
    throw Error(ErrorKind::input,
                fmt::format("{}: '{}' is not a kind of direction; write lm, azel or radec",
                            line.where, kind));
  if (x * x + y * y > 1)
    throw Error(ErrorKind::input,
                fmt::format("{}: l {} and m {} lie beyond the horizon; l^2 + m^2 must be at most 1",
                            line.where, x, y));
  return offset_direction(field_centre(options, middle), x, y);
}

}  // namespace

std::vector<SampleAntenna> read_sample_antennas(const std::string& path) {
  std::vector<SampleAntenna> antennas;
  for (const Line& line : read_lines(path)) {
    const std::size_t first = line.words.size() == 4 ? 1 : 0;
    if (line.words.size() != first + 3) line.refuse("write NAME X Y Z or X Y Z");
    antennas.push_back({first ? line.words[0] : fmt::format("A{}", antennas.size()),
                        {line.number(first), line.number(first + 1), line.number(first + 2)}});
  }
  return antennas;
}

std::vector<SampleSource> read_sources(const std::string& path, const VoltagesOptions& options,
                                       const std::vector<SampleAntenna>& antennas) {
  std::vector<SampleSource> sources;
  for (const Line& line : read_lines(path)) {
    const std::size_t count = line.words.size();
    if (count != 4 && count != 7)
      line.refuse("write lm L M I, or azel or radec, optionally with Q U V after I");
    SampleSource source{direction_of(line, options, middle_of(antennas)), line.number(3)};
    if (count == 7)
      source = {source.direction, source.i, line.number(4), line.number(5), line.number(6)};
    sources.push_back(source);
  }
  return sources;
}

}  // namespace tessera
