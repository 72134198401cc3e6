// SPDX-License-Identifier: Apache-2.0
/// Flat structuring elements by name. Each is a u8 image: 1 where a pixel belongs to it, else 0.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tessera/export.hpp"
#include "tessera/filters.hpp"
#include "tessera/image.hpp"

namespace tessera {

/// All pixels with i*i + j*j <= radius*radius; the radius may be a fraction.
TESSERA_API Image disk_element(double radius);
/// All of width x height pixels.
TESSERA_API Image box_element(int width, int height);
/// A line of `length` pixels (along its longer axis) through the centre, at `degrees`
/// counter-clockwise from x; symmetric about its centre pixel if the length is odd.
TESSERA_API Image line_element(int length, double degrees);
/// The middle row and column of a square of 2*radius + 1 pixels per side.
TESSERA_API Image cross_element(int radius);

/// An element from a word: "disk:12", "box:5x3", "line:21,45", "cross:1". Throws Error(usage)
/// naming what would be right.
TESSERA_API Image element_from_text(std::string_view text);

/// How each named element is written, with one sentence, for help texts.
TESSERA_API const std::vector<FilterUsage>& element_usages();

}  // namespace tessera
