// SPDX-License-Identifier: Apache-2.0
/// Options of a sky of sources on a background, with noise that varies over the image.
#pragma once

#include <optional>
#include <tuple>

#include "tessera/options.hpp"

namespace tessera {

struct SkyOptions {
  double background = 2e-3;
  double gradient = 1e-3;
  double swell = 5e-4;
  double swell_length = 2000;
  double noise = 1e-3;
  std::optional<double> rise;
  int sources = 50;
  double flux_low = 5e-3;
  double flux_high = 1;
  double slope = 1.5;
  double separation = 0;
  double beam = 5;
  double beam_ratio = 0.8;
  double beam_angle = 30;
  double extended = 0.2;
  double extent = 4;
  int margin = 0;
  double field_of_view = 0;
  int holes = 0;
  double hole_size = 24;

  bool operator==(const SkyOptions&) const = default;
  static constexpr auto fields() {
    using O = SkyOptions;
    return std::tuple{
        field("background", &O::background, "mean of the background", Range{-1e30, 1e30}),
        field("gradient", &O::gradient, "rise of the background over 1000 pixels",
              Range{-1e30, 1e30}),
        field("swell", &O::swell, "standard deviation of the background's long waves",
              Range{0, 1e30}),
        field("swell-length", &O::swell_length, "length of these waves in pixels", Range{2, 1e9}),
        field("noise", &O::noise, "standard deviation of Gaussian noise at the centre",
              Range{0, 1e30}),
        field("rise", &O::rise,
              "noise at the corners relative to the centre; auto: 2, or less in small images, so "
              "that it hardly changes over 64 pixels",
              Range{1, 1000}),
        field("sources", &O::sources, "number of sources", Range{0, 1e6}),
        field("flux-low", &O::flux_low, "minimum flux: the value at a source's centre",
              Range{1e-30, 1e30}),
        field("flux-high", &O::flux_high, "maximum flux", Range{1e-30, 1e30}),
        field("slope", &O::slope,
              "the number of sources brighter than S is proportional to S to the power -slope",
              Range{0.01, 10}),
        field("separation", &O::separation, "minimum distance between two sources, in pixels",
              Range{0, 1e6}),
        field("beam", &O::beam, "full width of a point source at half its height, in pixels",
              Range{0.5, 1000}),
        field("beam-ratio", &O::beam_ratio, "ratio of the beam's short width to its long width",
              Range{0.1, 1}),
        field("beam-angle", &O::beam_angle,
              "direction of the beam's long axis: degrees from the direction of growing rows "
              "towards lower columns",
              Range{-180, 180}),
        field("extended", &O::extended, "fraction of sources that are wider than the beam",
              Range{0, 1}),
        field("extent", &O::extent, "the widest source, in beams", Range{1, 100}),
        field("margin", &O::margin, "pixels along the borders that are NaN", Range{0, 1e6}),
        field("field-of-view", &O::field_of_view,
              "radius of the visible circle, in halves of the shorter side; the rest is NaN; 0: "
              "all is visible",
              Range{0, 100}),
        field("holes", &O::holes, "spots that are NaN", Range{0, 10000}),
        field("hole-size", &O::hole_size, "maximum width of a disc of such a spot, in pixels",
              Range{0, 1e6}),
    };
  }
};

/// Throws Error(usage) naming an impossible value.
void check_sky(const SkyOptions& options);

}  // namespace tessera
