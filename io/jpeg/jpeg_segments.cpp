// SPDX-License-Identifier: Apache-2.0
#include "io/jpeg/jpeg_segments.hpp"

#include <algorithm>
#include <map>

#include "io/exif.hpp"

namespace tessera {
namespace {

constexpr int kApp1 = 0xe1, kApp2 = 0xe2, kStartOfScan = 0xda;
constexpr std::string_view kExif("Exif\0\0", 6), kProfile("ICC_PROFILE\0", 12);
constexpr std::size_t kPartHead = kProfile.size() + 2;  // number of the part, number of parts
constexpr std::size_t kMostSegment = 65533;

/// Calls `see(marker, offset, bytes)` for the segments before the first scan.
template <class See>
void for_segments(const File& file, const See& see) {
  long long at = 2;
  unsigned char head[4];
  while (file.read_some(at, head, sizeof head) == sizeof head && head[0] == 0xff) {
    if (head[1] == 0xff) {  // a fill byte
      ++at;
      continue;
    }
    const int length = head[2] << 8 | head[3];
    if (head[1] == kStartOfScan || length < 2) return;
    see(head[1], at + 4, length - 2);
    at += 2 + length;
  }
}

/// The parts in order; nothing if one is missing.
std::string joined(const std::map<int, std::string>& parts, int count) {
  if (static_cast<int>(parts.size()) != count) return "";
  std::string profile;
  for (const auto& [number, bytes] : parts) profile += bytes;
  return profile;
}

}  // namespace

ImageMetadata jpeg_metadata(const File& file) {
  ImageMetadata metadata;
  std::map<int, std::string> parts;  // at most 255
  int count = 0;
  for_segments(file, [&](int marker, long long offset, int bytes) {
    if (marker != kApp1 && marker != kApp2) return;
    std::string segment(static_cast<std::size_t>(bytes), '\0');
    if (file.read_some(offset, segment.data(), bytes) != bytes) return;
    if (marker == kApp1 && metadata.exif.empty() && segment.starts_with(kExif))
      add_exif(std::string_view(segment).substr(kExif.size()), metadata);
    if (marker == kApp2 && segment.starts_with(kProfile) && segment.size() > kPartHead) {
      const auto number = static_cast<unsigned char>(segment[kProfile.size()]);
      count = static_cast<unsigned char>(segment[kProfile.size() + 1]);
      if (number >= 1 && number <= count) parts[number] = segment.substr(kPartHead);
    }
  });
  metadata.profile = joined(parts, count);
  return metadata;
}

std::vector<JpegSegment> jpeg_segments(const ImageMetadata& metadata) {
  std::vector<JpegSegment> segments;
  if (const std::string exif = exif_to_write(metadata, true); !exif.empty())
    segments.push_back({kApp1, std::string(kExif) + exif});
  const std::string& profile = metadata.profile;
  constexpr std::size_t kPart = kMostSegment - kPartHead;
  const std::size_t count = (profile.size() + kPart - 1) / kPart;
  if (count > 255) return segments;
  for (std::size_t i = 0; i < count; ++i) {
    std::string head(kProfile);
    head += static_cast<char>(i + 1);
    head += static_cast<char>(count);
    segments.push_back({kApp2, head + profile.substr(i * kPart, kPart)});
  }
  return segments;
}

}  // namespace tessera
