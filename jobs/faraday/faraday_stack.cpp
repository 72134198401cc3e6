// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_stack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/counted.hpp"
#include "io/header_cards.hpp"
#include "jobs/faraday/faraday_cube_axes.hpp"
#include "jobs/faraday/faraday_stokes.hpp"
#include "jobs/file_list.hpp"
#include "jobs/job_files.hpp"
#include "jobs/sky_header.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// A step of the grid that is this share longer than the others is a gap.
constexpr double kGapShare = 1.5;

/// A tiled FITS has its axes as ZNAXISn.
std::string axes_card(const HeaderCards& header) {
  return header.has("ZNAXIS") ? "ZNAXIS" : "NAXIS";
}

int frequency_axis(const HeaderCards& header) {
  for (int axis = 9; axis >= 1; --axis)
    if (names_axis(header.text(fmt::format("CTYPE{}", axis)), "FREQ")) return axis;
  return 0;
}

double hertz_of(const std::string& unit, const std::string& path) {
  if (unit.empty() || unit == "Hz" || unit == "HZ") return 1;
  if (unit == "kHz") return 1e3;
  if (unit == "MHz") return 1e6;
  if (unit == "GHz") return 1e9;
  throw Error(ErrorKind::usage,
              fmt::format("faraday: {}: the unit of its frequencies is '{}'; give a file of "
                          "frequencies in hertz",
                          path, unit));
}

/// Channels that are missing between the smallest and the largest of a regular grid.
std::string gaps_in(const std::vector<double>& frequencies) {
  std::vector<double> steps;
  for (std::size_t k = 1; k < frequencies.size(); ++k)
    if (frequencies[k] > frequencies[k - 1]) steps.push_back(frequencies[k] - frequencies[k - 1]);
  if (steps.size() < 3) return "";
  std::vector<double> sorted = steps;
  std::ranges::sort(sorted);
  const double step = sorted[sorted.size() / 2];
  long long missing = 0;
  double first = 0;
  for (std::size_t k = 1; k < frequencies.size(); ++k) {
    const double width = frequencies[k] - frequencies[k - 1];
    if (width < kGapShare * step) continue;
    if (missing == 0) first = frequencies[k - 1] + step;
    missing += std::llround(width / step) - 1;
  }
  if (missing == 0) return "";
  return fmt::format("{} between the first and the last {} no file, the first at {:.6g} MHz",
                     counted(missing, "channel"), missing == 1 ? "has" : "have", first / 1e6);
}

}  // namespace

std::vector<double> header_axis_frequencies(const std::string& path, const HeaderCards& header,
                                            int axis, int channels) {
  const auto card = [&](const std::string& keyword) { return header.number(keyword); };
  const auto value = card(fmt::format("CRVAL{}", axis));
  auto step = card(fmt::format("CDELT{}", axis));
  if (const auto by_matrix = card(fmt::format("CD{}_{}", axis, axis))) step = by_matrix;
  if (!value || (!step && channels > 1) ||
      !names_axis(header.text(fmt::format("CTYPE{}", axis)), "FREQ"))
    return {};
  const double scale = hertz_of(header.text(fmt::format("CUNIT{}", axis)), path);
  const double reference = card(fmt::format("CRPIX{}", axis)).value_or(1);
  std::vector<double> frequencies;
  for (int k = 0; k < channels; ++k)
    frequencies.push_back((*value + (k + 1 - reference) * step.value_or(0)) * scale);
  return frequencies;
}

/// One file.
struct FaradayStack::Channel {
  std::string path;
  ImageInfo info;
  int plane = 0;
  std::optional<double> frequency;
  std::optional<std::optional<Beam>> beam;
  HeaderCards header;
};

FaradayStack::Channel FaradayStack::look_at(const std::string& path, const ImageSource& file,
                                            char parameter) const {
  Channel channel{path, file.info(), 0, {}, {}, HeaderCards(file.header())};
  const int planes = channel.info.size.planes, stokes = stokes_axis_of(channel.header);
  if (planes > 1) {
    const auto length =
        channel.header.number(fmt::format("{}{}", axes_card(channel.header), stokes));
    if (stokes < 3 || !length || static_cast<int>(*length) != planes)
      throw Error(ErrorKind::input,
                  fmt::format("faraday: {}: it has {} planes; with one file per channel each must "
                              "have one, or one per Stokes parameter",
                              path, planes));
    channel.plane = stokes_index(path, channel.header, stokes, planes, parameter);
  }
  if (channel.info.size.channels != 1)
    throw Error(ErrorKind::input,
                fmt::format("faraday: {}: it has colours; a channel has one value "
                            "per pixel",
                            path));
  if (const int axis = frequency_axis(channel.header); axis > 0)
    for (const double frequency : header_axis_frequencies(path, channel.header, axis, 1))
      channel.frequency = frequency;
  const auto beams = plane_beams(path, file);
  if (!beams.empty()) channel.beam = beams[static_cast<std::size_t>(channel.plane)];
  return channel;
}

void FaradayStack::sort_channels(std::vector<Channel>& channels) {
  const auto stated =
      std::ranges::count_if(channels, [](const Channel& c) { return c.frequency.has_value(); });
  if (stated == 0) return;
  if (stated < std::ssize(channels)) {
    const auto silent =
        std::ranges::find_if(channels, [](const Channel& c) { return !c.frequency; });
    throw Error(
        ErrorKind::input,
        fmt::format("faraday: {}: it does not state its frequency (an axis FREQ), and {} of "
                    "the {} files do; all must, or none with a list of frequencies",
                    silent->path, stated, channels.size()));
  }
  std::ranges::stable_sort(channels, {}, [](const Channel& c) { return *c.frequency; });
  for (const Channel& channel : channels) frequencies_.push_back(*channel.frequency);
  gaps_ = gaps_in(frequencies_);
}

FaradayStack::FaradayStack(const std::string& word, char parameter, const ReadOptions& reading,
                           const RunSettings& settings)
    : reading_(reading), settings_(settings) {
  std::vector<Channel> channels;
  for (const std::string& path : files_in_word(word)) {
    const auto file = open_input(path, reading, settings);
    channels.push_back(look_at(path, *file, parameter));
    for (const std::string& warning : file->warnings())
      if (std::ranges::count(warnings_, warning) == 0) warnings_.push_back(warning);
    const Channel &first = channels.front(), &last = channels.back();
    const Size &a = first.info.size, &b = last.info.size;
    if (a.width != b.width || a.height != b.height || first.info.type != last.info.type)
      throw Error(ErrorKind::usage,
                  fmt::format("faraday: {} is {}x{} {} and {} is {}x{} {}; all channels must have "
                              "the same shape and type",
                              first.path, a.width, a.height, name_of(first.info.type), last.path,
                              b.width, b.height, name_of(last.info.type)));
    const std::string sky = sky_difference(first.header, first.path, last.header, last.path);
    if (!sky.empty())
      throw Error(
          ErrorKind::usage,
          fmt::format("faraday: {}; all channels must have the same pixels on the sky", sky));
  }
  sort_channels(channels);
  const int count = static_cast<int>(channels.size());
  info_ = channels.front().info;
  info_.size.planes = count;
  bool any_beam = false;
  for (const Channel& channel : channels) {
    files_.push_back(channel.path);
    planes_.push_back(channel.plane);
    beams_.push_back(channel.beam.value_or(std::nullopt));
    any_beam = any_beam || channel.beam;
  }
  if (!any_beam) beams_.clear();
  HeaderCards header = channels.front().header;
  const std::string card = axes_card(header);
  const int axes = static_cast<int>(header.number(card).value_or(2)),
            stated = frequency_axis(header);
  const int axis = stated > 0 ? stated : axes + 1;
  header.set_number(card, std::max(axes, axis));
  if (const int stokes = stokes_axis_of(header); stokes > 0)
    header.set_number(fmt::format("{}{}", card, stokes), 1);
  header.set_number(fmt::format("{}{}", card, axis), count);
  header_ = header.list();
}

void FaradayStack::read_plane(int plane, Rows rows, AnyMutableView to) {
  const auto k = static_cast<std::size_t>(plane);
  const auto file = open_input(files_[k], reading_, settings_);
  ImageInfo now = file->info(), then = info_;
  then.size.planes = now.size.planes;
  if (now != then) throw Error(ErrorKind::input, files_[k] + ": it changed while it was read");
  file->read_plane(planes_[k], rows, to);
}

}  // namespace tessera
