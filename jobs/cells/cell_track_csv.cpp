// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "core/text_parts.hpp"
#include "io/units.hpp"
#include "jobs/cells/cell_track_file.hpp"

namespace tessera {
namespace {

constexpr std::array<std::string_view, 5> kNames{"TRACK_ID", "FRAME", "POSITION_X", "POSITION_Y",
                                                 "RADIUS"};
constexpr std::size_t kNeeded = 4;  // radii may be missing
/// TrackMate writes three lines of names and units below the line of column names.
constexpr int kUnitLines = 3;
/// TRACK_ID of spots that are in no track, as versions of TrackMate write it.
constexpr std::string_view kNoTrack[] = {"", "None", "\xC3\xB8"};

std::string_view unquoted(std::string_view text) { return trimmed(text, " \t\r\""); }

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    fields.push_back(unquoted(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return fields;
}

std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

class TrackTable {
 public:
  TrackTable(const std::string& name, std::optional<double> um_per_pixel)
      : name_(name), tracks_(name), um_per_pixel_(um_per_pixel) {}

  void take(std::string_view text) {
    ++line_;
    const std::string_view line = unquoted(text);
    if (line.empty() || line.starts_with('#')) return;
    const std::vector<std::string_view> fields = fields_of(line);
    if (!header_) return read_header(fields);
    read_spot(fields);
  }

  std::vector<CellTrack> finished() const {
    if (!header_)
      tracks_.refuse(line_,
                     "there is no line of column names; write TRACK_ID,FRAME,POSITION_X,"
                     "POSITION_Y,RADIUS");
    return tracks_.tracks();
  }

 private:
  void read_header(const std::vector<std::string_view>& fields) {
    for (std::size_t name = 0; name < kNames.size(); ++name) {
      for (std::size_t k = 0; k < fields.size(); ++k)
        if (fields[k] == kNames[name]) column_[name] = k;
      if (name < kNeeded && !column_[name])
        tracks_.refuse(line_, fmt::format("there is no column {}; the first line must name "
                                          "TRACK_ID, FRAME, POSITION_X and POSITION_Y",
                                          kNames[name]));
    }
    header_ = line_;
    trackmate_ = std::ranges::count(fields, "LABEL") > 0;
  }

  // Below the names, "(µm)" is the unit of positions.
  void read_unit(const std::vector<std::string_view>& fields) {
    const std::size_t column = *column_[2];
    if (column >= fields.size() || !fields[column].starts_with('(')) return;
    std::string_view unit = fields[column].substr(1);
    if (unit.ends_with(')')) unit.remove_suffix(1);
    const std::optional<double> um = micrometres_of(unit);
    if (um == 0.0) return;  // pixels
    if (!um)
      tracks_.refuse(line_, fmt::format("the unit {} of POSITION_X is not known; it must be pixel, "
                                        "um or another unit of length",
                                        unit));
    if (!um_per_pixel_)
      throw Error(ErrorKind::usage,
                  fmt::format("{}: positions are in {}, and a table does not say how large a pixel "
                              "is; give um-per-pixel, or TrackMate's XML",
                              name_, unit));
    pixels_ = *um / *um_per_pixel_;
  }

  void read_spot(const std::vector<std::string_view>& fields) {
    std::array<std::optional<double>, kNames.size()> values;
    int numbers = 0;
    for (std::size_t name = 0; name < kNames.size(); ++name) {
      if (column_[name] && *column_[name] < fields.size())
        values[name] = number_of(fields[*column_[name]]);
      numbers += values[name].has_value();
    }
    if (numbers == 0 && line_ <= *header_ + kUnitLines) return read_unit(fields);
    if (trackmate_ && *column_[0] < fields.size() &&
        std::ranges::count(kNoTrack, fields[*column_[0]]) > 0)
      return;
    for (std::size_t name = 0; name < kNames.size(); ++name)
      if (column_[name] && !values[name]) refuse_field(name, fields);
    const CellSpot spot{.frame = whole(1, *values[1]),
                        .x = *values[2] * pixels_,
                        .y = *values[3] * pixels_,
                        .radius = values[4].value_or(0) * pixels_};
    tracks_.add(whole(0, *values[0]), spot, line_);
  }

  void refuse_field(std::size_t name, const std::vector<std::string_view>& fields) const {
    if (*column_[name] >= fields.size())
      tracks_.refuse(line_, fmt::format("it has {} fields; {} is field {}", fields.size(),
                                        kNames[name], *column_[name] + 1));
    tracks_.refuse(line_, fmt::format("{} is '{}'; it must be a number", kNames[name],
                                      fields[*column_[name]]));
  }

  int whole(std::size_t name, double value) const {
    if (!(std::abs(value) < 1e9) || value != std::floor(value))
      tracks_.refuse(line_,
                     fmt::format("{} is {}; it must be a whole number", kNames[name], value));
    return static_cast<int>(value);
  }

  const std::string& name_;
  TrackCollector tracks_;
  std::optional<double> um_per_pixel_;
  double pixels_ = 1;       // of a unit of positions
  bool trackmate_ = false;  // exported by TrackMate, or written as it does
  long long line_ = 0;
  std::optional<long long> header_;
  std::array<std::optional<std::size_t>, kNames.size()> column_;
};

}  // namespace

std::vector<CellTrack> tracks_of_csv(const std::string& name, const std::string& text,
                                     std::optional<double> um_per_pixel) {
  TrackTable table(name, um_per_pixel);
  for (const std::string_view line : lines_of(without_mark(text))) table.take(line);
  return table.finished();
}

}  // namespace tessera
