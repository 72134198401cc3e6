// SPDX-License-Identifier: Apache-2.0
#include "io/metadata_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "io/exif.hpp"

namespace tessera {
namespace {

/// Per inch or centimetre, in 16 bits of which a format may need more per inch.
constexpr double kMostWholeResolution = 65535 / 2.54;

bool fits(const MetadataKinds& kinds, const std::string& text) {
  return kinds.most_bytes == 0 || static_cast<long long>(text.size()) <= kinds.most_bytes;
}

bool holds_resolution(const MetadataKinds& kinds, const ImageMetadata& metadata) {
  if (!kinds.resolution || !kinds.whole_resolution) return kinds.resolution;
  const auto [least, greatest] = std::minmax(metadata.across, metadata.down);
  return std::round(least) >= 1 && greatest <= kMostWholeResolution;
}

// The header of a profile names its colours in four letters.
bool profile_fits(const std::string& profile, int channels) {
  constexpr std::size_t kColours = 16;
  if (profile.size() < kColours + 4) return false;
  const std::string_view colours = std::string_view(profile).substr(kColours, 4);
  return channels < 3 ? colours == "GRAY" : colours == "RGB ";
}

}  // namespace

HeldMetadata held_metadata(const MetadataKinds& kinds, const ImageInfo& info,
                           const ImageMetadata& metadata) {
  HeldMetadata result{metadata, {}};
  ImageMetadata& held = result.held;
  const auto lose = [&](std::string what) { result.lost.push_back(std::move(what)); };
  if (held.orientation != 1 && !kinds.orientation) {
    lose(fmt::format("orientation ({})", orientation_text(held.orientation)));
    held.orientation = 1;
  }
  if (held.white_is_zero && !(kinds.white_is_zero && info.size.channels == 1)) {
    lose("white, which is 0");
    held.white_is_zero = false;
  }
  if (held.across > 0 && !holds_resolution(kinds, metadata)) {
    lose("resolution");
    held.across = held.down = 0;
  }
  if (!held.profile.empty() && !(kinds.profile && profile_fits(held.profile, info.size.channels))) {
    lose("colour profile");
    held.profile.clear();
  }
  if (!held.exif.empty() && !(kinds.exif && fits(kinds, held.exif))) {
    lose("EXIF data");
    held.exif.clear();
  }
  if (!held.description.empty() && !(kinds.description && fits(kinds, held.description))) {
    lose("description");
    held.description.clear();
  }
  for (const std::string& other : held.others) lose(other);
  held.others.clear();
  return result;
}

}  // namespace tessera
