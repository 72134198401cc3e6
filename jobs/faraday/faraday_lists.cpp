// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/counted.hpp"
#include "core/samples.hpp"
#include "core/text_parts.hpp"
#include "jobs/faraday/faraday_text.hpp"
#include "jobs/job_files.hpp"
#include "tessera/error.hpp"
#include "tessera/options.hpp"

namespace tessera {

std::optional<double> faraday_noise_number(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!(number > 0) || !std::isfinite(number))
    throw Error(ErrorKind::usage,
                fmt::format("faraday: the noise is {}; it must be above 0", text));
  return number;
}

std::vector<double> read_number_list(const std::string& path) {
  const std::string all = read_text(path);
  std::vector<double> numbers;
  int at = 0;
  for (const std::string_view line : lines_of(all)) {
    const std::string_view text = trimmed(line.substr(0, line.find('#')));
    ++at;
    if (text.empty()) continue;
    const char* const first = text.data() + (text[0] == '+' ? 1 : 0);
    const char* const last = text.data() + text.size();
    double number = 0;
    const auto [end, error] = std::from_chars(first, last, number);
    if (error != std::errc() || end != last)
      throw Error(ErrorKind::input,
                  fmt::format("{}: line {} is '{}'; it must be one number, such as 1.4e9", path, at,
                              printable(text)));
    numbers.push_back(number);
  }
  return numbers;
}

std::vector<double> read_channel_list(const std::string& path, const FaradayCubeSource& cube,
                                      const char* what) {
  std::vector<double> numbers = read_number_list(path);
  if (std::ssize(numbers) != cube.info().size.planes)
    throw Error(ErrorKind::usage,
                fmt::format("faraday: {} has {} {} and {} has {}; give one per channel", path,
                            numbers.size(), what, cube.path(),
                            counted(cube.info().size.planes, "channel")));
  return numbers;
}

std::vector<double> stated_frequencies(const FaradayCubeSource& cube) {
  if (cube.stack()) return cube.stack()->frequencies();
  return header_axis_frequencies(cube.path(), cube.header(), cube.axes().spectral + 1,
                                 cube.info().size.planes);
}

std::vector<double> header_frequencies(const FaradayCubeSource& cube) {
  std::vector<double> frequencies = stated_frequencies(cube);
  if (frequencies.empty())
    throw Error(ErrorKind::usage,
                fmt::format("faraday: {} does not state its frequencies (CTYPE, CRVAL and CDELT of "
                            "axis {}); give a file with one per line, in hertz",
                            cube.path(), cube.axes().spectral + 1));
  return frequencies;
}

void check_hertz(const std::string& path, const std::vector<double>& frequencies) {
  const auto [low, high] = std::ranges::minmax(frequencies);
  if (!(low > 0) || high >= 1e6) return;
  throw Error(
      ErrorKind::usage,
      fmt::format("faraday: the frequencies of {} are {:.6g} to {:.6g}, which look like {}; "
                  "they must be in hertz, such as {:.6g}",
                  path, low, high, high < 20 ? "GHz" : "MHz", low * (high < 20 ? 1e9 : 1e6)));
}

std::string duplicates_in(const std::vector<double>& frequencies) {
  std::vector<double> sorted = frequencies, repeated;
  std::ranges::sort(sorted);
  for (std::size_t k = 1; k < sorted.size(); ++k)
    if (sorted[k] == sorted[k - 1] && (repeated.empty() || repeated.back() != sorted[k]))
      repeated.push_back(sorted[k]);
  if (repeated.empty()) return "";
  const std::size_t shown = std::min<std::size_t>(repeated.size(), 5);
  std::string list;
  for (std::size_t k = 0; k < shown; ++k) list += (k > 0 ? ", " : "") + to_text(repeated[k]);
  return fmt::format(
      "{} given more than once, and all count: {}{} Hz",
      repeated.size() == 1 ? "1 frequency is" : fmt::format("{} frequencies are", repeated.size()),
      list, shown < repeated.size() ? " …" : "");
}

Image read_faraday_map(const std::string& path, const FaradayCubeSource& cube, const char* what,
                       const ReadOptions& reading, FaradayMemory& memory) {
  const auto file = open_input(path, reading, memory.settings());
  const ImageInfo info = file->info();
  const Size size = info.size, wanted = cube.info().size;
  if (size.width != wanted.width || size.height != wanted.height || size.channels != 1 ||
      size.planes != 1)
    throw Error(ErrorKind::usage,
                fmt::format("faraday: {} {} is {}x{} with {}, and {} is {}x{}; it must have "
                            "one value per pixel",
                            what, path, size.width, size.height,
                            counted(size.planes * size.channels, "plane"), cube.path(),
                            wanted.width, wanted.height));
  memory.hold(what, 4.0 * static_cast<double>(size.pixels()), static_cast<double>(bytes_of(info)));
  Image read(info), map(size, Type::f32);
  file->read({0, size.height}, read.view());
  cube.also_warn(file->warnings());
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      map.as<float>().at(x, y) = static_cast<float>(sample_at(read.view(), x, y, 0, 0));
  return map;
}

}  // namespace tessera
