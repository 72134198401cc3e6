// SPDX-License-Identifier: Apache-2.0
/// Stacks as ImageJ lays them out: directories first, then all images one after the other.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "tessera/view.hpp"

namespace tessera::testing {

struct TiffTestStack {
  std::string description;
  int images = 1;
  int directories = 1;  ///< the first images have their own, the others have none
  bool little = true;
  int width = 8, height = 6;
  /// Pixels per unit, 0: the tags are left out. Tag 296: 1 none, 2 inch, 3 centimetre.
  double x_per_unit = 0, y_per_unit = 0;
  int resolution_unit = 1;
  bool with_sign = false;   ///< samples are int16, else u16
  bool data_first = false;  ///< directories lie behind the images

  /// The sample at (x, y) of an image.
  int sample(int image, int x, int y) const {
    return 1000 * image + 10 * y + x - (with_sign ? 500 : 0);
  }

  std::string bytes() const {
    const long long image_bytes = 2LL * width * height;
    const auto directory_bytes = static_cast<long long>(directory(0, 0, 0).size());
    const long long first = data_first ? 8 + images * image_bytes : 8;
    const long long data = data_first ? 8 : 8 + directories * directory_bytes;
    std::string file = (little ? "II" : "MM") + number(42, 2) + number(first, 4);
    if (data_first) file += samples();
    for (int image = 0; image < directories; ++image) {
      const long long at = std::ssize(file), next = at + directory_bytes;
      file += directory(at, data + image * image_bytes, image + 1 < directories ? next : 0);
    }
    return data_first ? file : file + samples();
  }

 private:
  struct Field {
    int tag, type;
    long long count;
    std::string values;
  };

  std::string number(long long value, int count) const {
    std::string text;
    for (int i = 0; i < count; ++i)
      text += static_cast<char>(value >> 8 * (little ? i : count - 1 - i) & 255);
    return text;
  }

  std::string samples() const {
    std::string bytes;
    for (int image = 0; image < images; ++image)
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) bytes += number(sample(image, x, y), 2);
    return bytes;
  }

  /// In ascending order of tags.
  std::vector<Field> fields(long long data) const {
    constexpr int kText = 2, kShort = 3, kLong = 4, kFraction = 5;
    std::vector<Field> list;
    const auto add = [&](int tag, int type, long long value) {
      list.push_back({tag, type, 1, number(value, type == kShort ? 2 : 4)});
    };
    const auto add_fraction = [&](int tag, double value) {
      constexpr long long kBelow = 1'000'000;
      list.push_back(
          {tag, kFraction, 1, number(std::llround(value * kBelow), 4) + number(kBelow, 4)});
    };
    add(256, kLong, width);
    add(257, kLong, height);
    add(258, kShort, 16);
    add(262, kShort, 1);
    if (!description.empty()) {
      const std::string ended = description + '\0';
      list.push_back({270, kText, std::ssize(ended), ended});
    }
    add(273, kLong, data);
    add(277, kShort, 1);
    add(278, kLong, height);
    add(279, kLong, 2LL * width * height);
    if (x_per_unit > 0) {
      add_fraction(282, x_per_unit);
      add_fraction(283, y_per_unit > 0 ? y_per_unit : x_per_unit);
      add(296, kShort, resolution_unit);
    }
    if (with_sign) add(339, kShort, 2);
    return list;
  }

  /// A directory at byte `at` of the file and its values.
  std::string directory(long long at, long long data, long long next) const {
    const std::vector<Field> list = fields(data);
    const long long values_at = at + 2 + 12 * std::ssize(list) + 4;
    std::string entries = number(std::ssize(list), 2), values;
    for (const Field& field : list) {
      entries += number(field.tag, 2) + number(field.type, 2) + number(field.count, 4);
      if (field.values.size() <= 4) {
        entries += field.values + std::string(4 - field.values.size(), '\0');
      } else {
        entries += number(values_at + std::ssize(values), 4);
        values += field.values + std::string(field.values.size() % 2, '\0');
      }
    }
    return entries + number(next, 4) + values;
  }
};

/// A sample of any type.
inline double value_at(AnyView view, int x, int y, int plane = 0) {
  const AnyView one = view.only_plane(plane);
  switch (view.type) {
    case Type::u8:
      return one.as<const unsigned char>().at(x, y);
    case Type::u16:
      return one.as<const unsigned short>().at(x, y);
    case Type::f32:
      return one.as<const float>().at(x, y);
    default:
      return one.as<const double>().at(x, y);
  }
}

/// OME-XML of one image; `attributes` and `elements` are those of Pixels.
inline std::string ome_text(const std::string& attributes, const std::string& elements = "",
                            const std::string& root_attributes = "") {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
         "<OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\" " +
         root_attributes + "><Image ID=\"Image:0\"><Pixels ID=\"Pixels:0\" Type=\"uint16\" " +
         attributes + ">" + elements + "</Pixels></Image></OME>";
}

}  // namespace tessera::testing
