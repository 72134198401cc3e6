// SPDX-License-Identifier: Apache-2.0
/// The axes of a stack of TIFF pages, from the description in its first page: ImageJ's lines,
/// OME-XML or the shape that tifffile writes.
#pragma once

#include <string>
#include <string_view>

#include "io/stack_axes.hpp"

namespace tessera {

/// The facts about a stack that its axes follow from.
struct TiffStack {
  std::string name;                       ///< of the file, without folders
  std::string description;                ///< tag 270 of the first page
  double x_per_unit = 0, y_per_unit = 0;  ///< tags 282 and 283; 0: missing
  int resolution_unit = 2;                ///< tag 296: 1 none, 2 inch, 3 centimetre
  int planes = 1;                         ///< pages that are read
  int samples = 1;                        ///< per pixel
  long long most_planes = 1LL << 16;      ///< limit for the number of places
};

/// Nothing is known if the description is none of them.
StackAxes tiff_axes(const TiffStack& stack);

/// "ImageJ=1.54f", then lines NAME=VALUE. Stacks are in the order CZT, channels fastest.
bool is_imagej(std::string_view description);
/// The number of images that an ImageJ description claims; 0 if it claims none.
long long imagej_images(std::string_view description);
StackAxes imagej_axes(const TiffStack& stack);

/// https://docs.openmicroscopy.org/ome-model/latest/ome-tiff/specification.html
bool is_ome(std::string_view description);
StackAxes ome_axes(const TiffStack& stack);

/// https://github.com/cgohlke/tifffile: JSON with the shape of the array.
bool is_tifffile(std::string_view description);
/// Refuses several axes of pages without names; nothing is known of one without a name.
StackAxes tifffile_axes(const TiffStack& stack);

/// Keeps the pixel size if pixels are square, else adds a note. Sides in micrometres; 0: not known.
void set_pixel_size(double width, double height, StackAxes& axes);

}  // namespace tessera
