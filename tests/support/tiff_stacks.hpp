// SPDX-License-Identifier: Apache-2.0
/// Stacks as ImageJ lays them out: directories first, then all images one after the other.
#pragma once

#include <tiffio.h>

#include <cmath>
#include <string>

#include "io/tiff/tiff_fields.hpp"
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
    const auto directory_bytes = static_cast<long long>(fields(0).directory(0).size());
    const long long data = data_first ? 8 : 8 + directories * directory_bytes;
    std::string file = fields(0).header(data_first ? 8 + images * image_bytes : 8);
    if (data_first) file += samples();
    for (int image = 0; image < directories; ++image) {
      const TiffFields tags = fields(data + image * image_bytes);
      std::string directory = tags.directory(std::ssize(file));
      if (image + 1 < directories)
        directory.replace(static_cast<std::size_t>(tags.next_at()), 4,
                          tags.number(std::ssize(file) + directory_bytes, 4));
      file += directory;
    }
    return data_first ? file : file + samples();
  }

 private:
  std::string samples() const {
    const TiffFields numbers(false, !little);
    std::string bytes;
    for (int image = 0; image < images; ++image)
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) bytes += numbers.number(sample(image, x, y), 2);
    return bytes;
  }

  TiffFields fields(long long data) const {
    TiffFields tags(false, !little);
    tags.add(TIFFTAG_IMAGEWIDTH, TIFF_LONG, {width});
    tags.add(TIFFTAG_IMAGELENGTH, TIFF_LONG, {height});
    tags.add(TIFFTAG_BITSPERSAMPLE, TIFF_SHORT, {16});
    tags.add(TIFFTAG_PHOTOMETRIC, TIFF_SHORT, {1});
    tags.add(TIFFTAG_SAMPLESPERPIXEL, TIFF_SHORT, {1});
    tags.add(TIFFTAG_ROWSPERSTRIP, TIFF_LONG, {height});
    tags.add(TIFFTAG_STRIPOFFSETS, TIFF_LONG, {data});
    tags.add(TIFFTAG_STRIPBYTECOUNTS, TIFF_LONG, {2LL * width * height});
    if (with_sign) tags.add(TIFFTAG_SAMPLEFORMAT, TIFF_SHORT, {2});
    if (!description.empty()) tags.add_text(TIFFTAG_IMAGEDESCRIPTION, description);
    const auto add_resolution = [&](int tag, double per_unit) {
      constexpr long long kBelow = 1'000'000;
      if (per_unit > 0)
        tags.add_bytes(tag, TIFF_RATIONAL, 1,
                       tags.number(std::llround(per_unit * kBelow), 4) + tags.number(kBelow, 4));
    };
    add_resolution(TIFFTAG_XRESOLUTION, x_per_unit);
    add_resolution(TIFFTAG_YRESOLUTION, y_per_unit > 0 ? y_per_unit : x_per_unit);
    if (x_per_unit > 0) tags.add(TIFFTAG_RESOLUTIONUNIT, TIFF_SHORT, {resolution_unit});
    return tags;
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
