// SPDX-License-Identifier: Apache-2.0
/// Options of `tessera sources` besides those of the operation.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "jobs/noise/noise_slice.hpp"
#include "tessera/noise_options.hpp"
#include "tessera/options.hpp"
#include "tessera/sources_options.hpp"

namespace tessera {

/// A point source as users type it: full widths in pixels and the angle, "5,4,30", or "5".
struct SourceBeamText {
  static constexpr const char* kHint = "MAJOR,MINOR,ANGLE";
  SourceShape shape;
  bool operator==(const SourceBeamText& other) const {
    return shape.major == other.shape.major && shape.minor == other.shape.minor &&
           shape.angle == other.shape.angle;
  }
};
std::string to_text(const SourceBeamText& value);
void from_text(std::string_view what, std::string_view text, SourceBeamText& value);

/// The maps: where they come from, and how they are made.
struct SourceMapChoices {
  std::string background, rms;
  std::optional<NoiseBox> box;
  NoiseMode mode = NoiseMode::grid;
  NoiseEstimator estimator = NoiseEstimator::iqr;
  int passes = 2;

  static constexpr auto fields() {
    using C = SourceMapChoices;
    return std::tuple{
        field("background", &C::background,
              "the background: an image of the same size, or one HDU of a file as FILE[N], or a "
              "number; default: made as by tessera noise"),
        field("rms", &C::rms, "the same for the noise's standard deviation"),
        field("box", &C::box, "the box of background and noise; auto: 24 beams, at least 64 pixels",
              kNoiseBoxSides),
        field("mode", &C::mode, "mode of tessera noise for these maps"),
        field("estimator", &C::estimator, "estimator of tessera noise for these maps"),
        field("passes", &C::passes,
              "times that the maps are made; after the first, islands found so far do not count",
              Range{1, 10}),
    };
  }
};

struct SourcesChoices {
  std::optional<NoiseSlice> slice;
  std::string mask;
  std::optional<SourceBeamText> beam;
  std::string picture;

  static constexpr auto fields() {
    using C = SourcesChoices;
    return std::tuple{
        field("slice", &C::slice,
              "the plane of a file with several, along the third and fourth axis, counted from 0"),
        field("mask", &C::mask,
              "an image of the same size, or one HDU of a file as FILE[N]; pixels where it is not "
              "0 are blank"),
        field("beam", &C::beam,
              "a point source: full widths at half maximum in pixels, and degrees from growing "
              "rows towards lower columns; auto: the header's BMAJ, BMIN and BPA"),
        field("picture", &C::picture,
              "a picture of the image with its sources to draw, .png or .svg"),
    };
  }
};

}  // namespace tessera
