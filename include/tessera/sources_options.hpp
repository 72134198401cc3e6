// SPDX-License-Identifier: Apache-2.0
/// Options of catalogues of sources (tessera/sources.hpp).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "tessera/export.hpp"
#include "tessera/options.hpp"

namespace tessera {

/// How the noise of one pixel goes with that of its neighbours, on which all errors depend.
enum class SourceNoise : unsigned char {
  automatic,  ///< measured in pixels without sources, and if these are too few as `beam`
  white,      ///< not at all
  beam,       ///< as white noise smoothed by the beam: exp(-d^2 / 4 s^2), s of the beam
};
template <>
struct Names<SourceNoise> {
  static constexpr std::array<std::pair<std::string_view, SourceNoise>, 3> list{
      {{"auto", SourceNoise::automatic},
       {"white", SourceNoise::white},
       {"beam", SourceNoise::beam}}};
};

struct SourcesOptions {
  double seed = 5, grow = 4, rise = 5;
  int min_pixels = 1;
  bool negative = false;
  SourceNoise correlation = SourceNoise::automatic;
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() {
    using O = SourcesOptions;
    return std::tuple_cat(
        std::tuple{
            field("seed", &O::seed, "an island has a pixel of at least this many sigma",
                  Range{0.1, 1e9}),
            field("grow", &O::grow, "and all its pixels have at least this many; at most the seed",
                  Range{0.1, 1e9}),
            field("rise", &O::rise,
                  "a further maximum of an island is a source of its own if it rises this many "
                  "sigma above the saddle to a higher one",
                  Range{0, 1e9}),
            field("min-pixels", &O::min_pixels, "islands of fewer pixels do not count",
                  Range{1, 1e9}),
            field("negative", &O::negative, "sources below the background too"),
            field("correlation", &O::correlation,
                  "noise of neighbouring pixels: auto (measured between the sources), white, or "
                  "beam (smoothed by the beam)"),
        },
        run_fields<O>());
  }
};

/// An ellipse: full widths at half maximum in pixels, and the angle of the longer one in degrees,
/// from growing rows towards lower columns.
struct SourceShape {
  double major = 0, minor = 0, angle = 0;
};

/// The scale of an image, as far as it is known.
struct SourcesScale {
  std::optional<SourceShape> beam;  ///< a point source
  /// Valid pixels of the box from which each value of the background was estimated, as a median;
  /// its error is then part of those of sources. 0: the background is exact.
  double background_pixels = 0;
};

}  // namespace tessera
