// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_inside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "core/counted.hpp"
#include "core/folder.hpp"
#include "core/samples.hpp"
#include "tessera/error.hpp"
#include "tessera/image_files.hpp"

namespace tessera {
namespace {

constexpr std::size_t kLeastCorners = 3;

/// A number, then `after` or the end of the text; both are taken off.
std::optional<double> take_number(std::string_view& text, char after) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !std::isfinite(value)) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.starts_with(after))
    text.remove_prefix(1);
  else if (after == ',' || !text.empty())
    return {};
  return value;
}

/// Nothing if the text is not a list of points.
std::optional<Polygon> polygon_of(std::string_view text) {
  Polygon corners;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.empty()) break;
    const std::optional<double> x = take_number(text, ',');
    const std::optional<double> y = x ? take_number(text, ' ') : std::nullopt;
    if (!y) return {};
    corners.push_back({*x, *y});
  }
  return corners.empty() ? std::nullopt : std::optional(corners);
}

[[noreturn]] void refuse_inside(const std::string& text, const std::string& why) {
  throw Error(ErrorKind::usage, fmt::format("cells: --inside {}: {}", text, why));
}

bool covers_a_pixel(const Polygon& corners, const Size& frame) {
  bool any = false;
  for_each_span(corners, frame, [&](int, int, int) { any = true; });
  return any;
}

/// The runs of spots inside, without the spots at their ends that were not seen.
std::vector<std::vector<CellSpot>> pieces_inside(const CellsInside& inside,
                                                 const CellTrack& track) {
  std::vector<std::vector<CellSpot>> pieces;
  bool was_inside = false;
  for (const CellSpot& spot : track.spots) {
    const bool is_now = inside.has(spot.x, spot.y);
    if (is_now && !was_inside) pieces.emplace_back();
    if (is_now) pieces.back().push_back(spot);
    was_inside = is_now;
  }
  for (std::vector<CellSpot>& piece : pieces) {
    piece.erase(piece.begin(), std::ranges::find(piece, true, &CellSpot::seen));
    while (!piece.empty() && !piece.back().seen) piece.pop_back();
  }
  return pieces;
}

}  // namespace

CellsInside::CellsInside(const std::string& text, const Size& frame, const ReadLimits& limits)
    : frame_{frame.width, frame.height} {
  const std::optional<Polygon> corners = polygon_of(text);
  if (!corners) {
    read_mask(text, limits);
    return;
  }
  corners_ = *corners;
  if (corners_.size() < kLeastCorners)
    refuse_inside("'" + text + "'",
                  fmt::format("a polygon has three corners or more, and this has {}; write "
                              "'X1,Y1 X2,Y2 X3,Y3', in pixels",
                              corners_.size()));
  if (!covers_a_pixel(corners_, frame_))
    refuse_inside(
        "'" + text + "'",
        fmt::format("no pixel of the frame is inside; x is from 0 to {} and y from 0 to {}",
                    frame_.width - 1, frame_.height - 1));
}

CellsInside::CellsInside(const std::string& name, const Image& mask, const Size& frame)
    : frame_{frame.width, frame.height} {
  take_mask(name, mask);
}

void CellsInside::read_mask(const std::string& name, const ReadLimits& limits) {
  if (!path_exists(name))
    refuse_inside("'" + name + "'",
                  "it is neither a polygon, 'X1,Y1 X2,Y2 X3,Y3' in pixels, nor an image file that "
                  "exists");
  take_mask(name, read_image(name, {.limits = limits}));
}

void CellsInside::take_mask(const std::string& name, const Image& image) {
  const Size size = image.info().size;
  if (size.width != frame_.width || size.height != frame_.height)
    refuse_inside(name, fmt::format("the mask has {}x{} pixels and the film {}x{}; they must be "
                                    "the same",
                                    size.width, size.height, frame_.width, frame_.height));
  if (size.planes != 1)
    refuse_inside(name, fmt::format("the mask has {}; it must be a single picture",
                                    counted(size.planes, "plane")));
  const int colours = size.channels - (size.channels % 2 == 0 ? 1 : 0);  // without opacity
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      bool any = false;
      for (int c = 0; c < colours; ++c) any |= sample_at(image.view(), x, y, c, 0) != 0;
      mask_.push_back(any);
    }
  if (std::ranges::find(mask_, true) == mask_.end())
    refuse_inside(name,
                  "all pixels of the mask are 0, so that no cell can be inside; it must be "
                  "other than 0 where cells count");
}

bool CellsInside::has(double x, double y) const {
  if (!(x > -0.5 && y > -0.5 && x < frame_.width - 0.5 && y < frame_.height - 0.5)) return false;
  if (mask_.empty()) return is_inside(corners_, x, y);
  return mask_[static_cast<std::size_t>(std::floor(y + 0.5) * frame_.width + std::floor(x + 0.5))];
}

CellsCut keep_inside(const CellsInside& inside, int least, std::vector<CellTrack>& tracks) {
  CellsCut cut;
  int last_id = 0;
  for (const CellTrack& track : tracks) last_id = std::max(last_id, track.id);
  std::vector<CellTrack> kept;
  for (const CellTrack& track : tracks) {
    auto pieces = pieces_inside(inside, track);
    if (pieces.empty()) {
      ++cut.outside;
      continue;
    }
    if (pieces[0].size() == track.spots.size()) {
      kept.push_back(track);
      continue;
    }
    ++cut.ended;
    int id = track.id;  // the first piece that is kept has it
    for (std::vector<CellSpot>& piece : pieces) {
      if (std::ssize(piece) < least) {
        ++cut.dropped;
        continue;
      }
      kept.push_back({id > 0 ? id : ++last_id, std::move(piece)});
      id = 0;
    }
  }
  std::ranges::sort(kept, {}, &CellTrack::id);
  tracks = std::move(kept);
  return cut;
}

std::string cut_text(const CellsCut& cut, int least) {
  if (cut.outside + cut.ended == 0) return "";
  return fmt::format(
      "--inside: {} {} never inside, and {} cut at the border; {} of the pieces had fewer than {} "
      "frames and {} dropped",
      cut.outside, cut.outside == 1 ? "track was" : "tracks were",
      fmt::format("{} {}", cut.ended, cut.ended == 1 ? "was" : "were"), cut.dropped, least,
      cut.dropped == 1 ? "was" : "were");
}

}  // namespace tessera
