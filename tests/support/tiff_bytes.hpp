// SPDX-License-Identifier: Apache-2.0
/// TIFF files made byte by byte, right or wrong as the test wants them.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace tessera::testing {

inline const std::string kTiffData = TESSERA_SOURCE_DIR "/tests/data/tiff/";

struct TiffTestPage {
  /// Tags and their values, LONG each. Offsets (273 or 324) and counts (279 or 325) follow from
  /// `blocks` unless they are here.
  std::map<int, std::vector<long long>> tags;
  std::vector<std::string> blocks;
};

/// A grey page of one strip: width, height, bits and the strip's bytes.
inline TiffTestPage grey_page(int width, int height, int bits, const std::string& strip) {
  return {{{256, {width}},
           {257, {height}},
           {258, {bits}},
           {259, {1}},
           {262, {1}},
           {277, {1}},
           {278, {height}}},
          {strip}};
}

class TiffTestBytes {
 public:
  explicit TiffTestBytes(bool little = true, bool big = false) : little_(little), big_(big) {
    bytes_ = (little ? "II" : "MM") + number(big ? 43 : 42, 2);
    if (big) bytes_ += number(8, 2) + number(0, 2);
    link_ = bytes_.size();
    bytes_ += number(0, pointer());
  }

  std::string number(long long value, int count) const {
    std::string text;
    for (int i = 0; i < count; ++i)
      text += static_cast<char>(value >> 8 * (little_ ? i : count - 1 - i) & 255);
    return text;
  }

  void add(TiffTestPage page) {
    const bool tiled = page.tags.count(322) > 0;
    std::vector<long long> offsets, counts;
    for (const std::string& block : page.blocks) {
      offsets.push_back(static_cast<long long>(bytes_.size()));
      counts.push_back(static_cast<long long>(block.size()));
      bytes_ += block + std::string(block.size() % 2, '\0');
    }
    page.tags.emplace(tiled ? 324 : 273, offsets);
    page.tags.emplace(tiled ? 325 : 279, counts);
    std::map<int, std::string> fields;
    for (const auto& [tag, values] : page.tags) fields[tag] = field(tag, values);
    bytes_.replace(link_, static_cast<size_t>(pointer()),
                   number(static_cast<long long>(bytes_.size()), pointer()));
    bytes_ += number(static_cast<long long>(fields.size()), big_ ? 8 : 2);
    for (const auto& [tag, text] : fields) bytes_ += text;
    link_ = bytes_.size();
    bytes_ += number(0, pointer());
  }

  /// The last page is followed by the directory at `offset`.
  void link_to(long long offset) {
    bytes_.replace(link_, static_cast<size_t>(pointer()), number(offset, pointer()));
  }
  const std::string& bytes() const { return bytes_; }

 private:
  int pointer() const { return big_ ? 8 : 4; }

  std::string field(int tag, const std::vector<long long>& values) {
    std::string all;
    for (const long long value : values) all += number(value, 4);
    std::string text =
        number(tag, 2) + number(4, 2) + number(static_cast<long long>(values.size()), pointer());
    if (all.size() > static_cast<size_t>(pointer())) {
      text += number(static_cast<long long>(bytes_.size()), pointer());
      bytes_ += all;
    } else {
      text += all + std::string(static_cast<size_t>(pointer()) - all.size(), '\0');
    }
    return text;
  }

  bool little_, big_;
  std::string bytes_;
  size_t link_ = 0;
};

inline std::string tiff_bytes(const std::vector<TiffTestPage>& pages, bool little = true,
                              bool big = false) {
  TiffTestBytes file(little, big);
  for (const TiffTestPage& page : pages) file.add(page);
  return file.bytes();
}

}  // namespace tessera::testing
