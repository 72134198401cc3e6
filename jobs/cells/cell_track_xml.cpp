// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <pugixml.hpp>
#include <string_view>

#include "jobs/cells/cell_track_file.hpp"

namespace tessera {
namespace {

class TrackDocument {
 public:
  TrackDocument(const std::string& name, const std::string& text) : text_(text), tracks_(name) {
    const pugi::xml_parse_result parsed = document_.load_buffer(text.data(), text.size());
    if (!parsed)
      tracks_.refuse(line_at(parsed.offset),
                     fmt::format("it is not XML: {}", parsed.description()));
  }

  std::vector<CellTrack> tracks() {
    int id = 0;
    for (const pugi::xml_node particle : contest().children("particle")) {
      ++id;
      for (const pugi::xml_node detection : particle.children("detection"))
        tracks_.add(id, spot_of(detection), line_of(detection));
    }
    return tracks_.tracks();
  }

 private:
  pugi::xml_node contest() const {
    const pugi::xml_node top = document_.document_element();
    const pugi::xml_node inner = top.child("TrackContestISBI2012");
    if (inner) return inner;
    const std::string_view name = top.name();
    if (name != "TrackContestISBI2012" && name != "Tracks")
      tracks_.refuse(
          line_of(top),
          fmt::format(
              "<{}> is not known; it must be <root> with <TrackContestISBI2012>, or <Tracks>",
              name));
    return top;
  }

  CellSpot spot_of(const pugi::xml_node& detection) const {
    const double frame = number(detection, "t");
    if (!(std::abs(frame) < 1e9) || frame != std::floor(frame))
      tracks_.refuse(line_of(detection), fmt::format("t is {}; it must be a whole number", frame));
    return {
        .frame = static_cast<int>(frame), .x = number(detection, "x"), .y = number(detection, "y")};
  }

  double number(const pugi::xml_node& detection, const char* name) const {
    const std::string_view text = detection.attribute(name).value();
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      tracks_.refuse(line_of(detection),
                     fmt::format("{} is '{}'; it must be a number", name, text));
    return value;
  }

  long long line_of(const pugi::xml_node& node) const { return line_at(node.offset_debug()); }
  // Elements come in the order of the file, so lines are counted from the last element on.
  long long line_at(std::ptrdiff_t offset) const {
    const auto bytes = std::clamp<std::ptrdiff_t>(offset, 0, std::ssize(text_));
    if (bytes < counted_) counted_ = 0, line_ = 1;
    line_ += std::count(text_.begin() + counted_, text_.begin() + bytes, '\n');
    counted_ = bytes;
    return line_;
  }

  const std::string& text_;
  TrackCollector tracks_;
  pugi::xml_document document_;
  mutable std::ptrdiff_t counted_ = 0;
  mutable long long line_ = 1;
};

}  // namespace

std::vector<CellTrack> tracks_of_xml(const std::string& name, const std::string& text) {
  return TrackDocument(name, text).tracks();
}

}  // namespace tessera
