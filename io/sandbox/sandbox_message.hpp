// SPDX-License-Identifier: Apache-2.0
/// Messages between a process and the one that decodes for it.
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "io/image_file.hpp"
#include "tessera/error.hpp"

namespace tessera {

/// Values one after the other, as they lie in memory.
class MessageWriter {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put(const T& value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void put(const std::string& text) {
    put(static_cast<long long>(text.size()));
    bytes_ += text;
  }
  void put(const std::vector<std::string>& texts) {
    put(static_cast<long long>(texts.size()));
    for (const std::string& text : texts) put(text);
  }
  void put(const std::vector<FileDetail>& details) {
    put(static_cast<long long>(details.size()));
    for (const FileDetail& detail : details) {
      put(detail.name);
      put(detail.value);
    }
  }
  void put(const StackAxes& axes) {
    put(axes.from);
    for (const int size : {axes.frames, axes.slices, axes.channels}) put(size);
    put(static_cast<long long>(axes.planes.size()));
    for (const int plane : axes.planes) put(plane);
    put(axes.um_per_pixel);
    put(axes.seconds_per_frame);
    put(axes.uneven);
    put(axes.notes);
    put(axes.wrong);
  }
  void put(const ImageMetadata& metadata) {
    put(metadata.orientation);
    put(metadata.white_is_zero);
    put(metadata.across);
    put(metadata.down);
    put(metadata.per_inch);
    for (const std::string* text : {&metadata.profile, &metadata.exif, &metadata.description})
      put(*text);
    put(metadata.others);
  }
  void put(const BeamTable& beams) {
    put(static_cast<long long>(beams.rows.size()));
    for (const BeamRow& row : beams.rows) put(row);
    put(beams.wrong);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Takes them apart. The sender may be broken: nothing it says is believed.
class MessageReader {
 public:
  explicit MessageReader(std::span<const char> bytes) : rest_(bytes) {}

  template <class T>
  requires std::is_trivially_copyable_v<T> T take() {
    T value;
    std::memcpy(&value, part(sizeof value).data(), sizeof value);
    return value;
  }
  std::string take_text() {
    const auto bytes = part(take<long long>());
    return {bytes.begin(), bytes.end()};
  }
  std::vector<std::string> take_texts() {
    std::vector<std::string> texts;
    for (long long left = take<long long>(); left > 0; --left) texts.push_back(take_text());
    return texts;
  }
  std::vector<FileDetail> take_details() {
    std::vector<FileDetail> details;
    for (long long left = take<long long>(); left > 0; --left) {
      std::string name = take_text();
      details.push_back({std::move(name), take_text()});
    }
    return details;
  }
  BeamTable take_beams() {
    BeamTable beams;
    for (long long left = take<long long>(); left > 0; --left)
      beams.rows.push_back(take<BeamRow>());
    beams.wrong = take_text();
    return beams;
  }
  ImageMetadata take_metadata() {
    ImageMetadata metadata;
    metadata.orientation = take<int>();
    if (metadata.orientation < 1 || metadata.orientation > 8)
      throw Error(ErrorKind::failure, "the sandbox sent an orientation that does not exist");
    metadata.white_is_zero = take<bool>();
    metadata.across = take<double>();
    metadata.down = take<double>();
    metadata.per_inch = take<bool>();
    for (std::string* text : {&metadata.profile, &metadata.exif, &metadata.description})
      *text = take_text();
    metadata.others = take_texts();
    return metadata;
  }
  StackAxes take_axes() {
    StackAxes axes;
    axes.from = take_text();
    for (int* size : {&axes.frames, &axes.slices, &axes.channels}) *size = take<int>();
    for (long long left = take<long long>(); left > 0; --left) axes.planes.push_back(take<int>());
    axes.um_per_pixel = take<double>();
    axes.seconds_per_frame = take<double>();
    axes.uneven = take<bool>();
    axes.notes = take_texts();
    axes.wrong = take_text();
    if (!axes.consistent())
      throw Error(ErrorKind::failure, "the sandbox sent axes that contradict its planes");
    return axes;
  }

 private:
  std::span<const char> part(long long count) {
    if (count < 0 || count > std::ssize(rest_))
      throw Error(ErrorKind::failure, "the decoder in the sandbox sent a message that is cut off");
    const auto taken = rest_.first(static_cast<std::size_t>(count));
    rest_ = rest_.subspan(static_cast<std::size_t>(count));
    return taken;
  }
  std::span<const char> rest_;
};

}  // namespace tessera
