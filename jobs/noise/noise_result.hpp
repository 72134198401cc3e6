// SPDX-License-Identifier: Apache-2.0
/// The result of `tessera noise`.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "jobs/timing.hpp"
#include "tessera/options.hpp"

namespace tessera {

/// One map, in a few numbers; NaN if it has no value at all.
struct NoiseMapResult {
  std::string name, file;
  double median = 0, low = 0, high = 0;
  long long pixels = 0;

  static constexpr auto fields() {
    using R = NoiseMapResult;
    return std::tuple{
        field("name", &R::name, "bkg, rms, snr, or a quantile such as q25"),
        field("file", &R::file, "its file; empty: not written"),
        field("median", &R::median,
              "median of about 260,000 of its values, or of all; of several planes, the median of "
              "their medians"),
        field("low", &R::low, "its smallest value"),
        field("high", &R::high, "its largest value"),
        field("pixels", &R::pixels, "pixels that have a value")};
  }
};

/// One plane of a file, in a few numbers.
struct NoisePlaneResult {
  int plane = 0;
  long long blanks = 0;
  std::vector<double> medians;

  static constexpr auto fields() {
    using R = NoisePlaneResult;
    return std::tuple{field("plane", &R::plane, "the plane of the file, counted from 0"),
                      field("blanks", &R::blanks, "its pixels without a value"),
                      field("medians", &R::medians, "the median of each of its maps")};
  }
};

struct NoiseResult {
  std::string ran;  ///< the plan in words
  std::string input;
  std::vector<std::string> files;  ///< made, in order
  int width = 0, height = 0, plane = 0;
  long long pixels = 0, blanks = 0, nodes = 0, refined = 0;
  std::vector<NoiseMapResult> maps;
  std::vector<NoisePlaneResult> planes;
  StageSeconds seconds;
  double pixels_per_second = 0;
  std::string picture;
  std::vector<std::string> notes;     ///< for the user
  std::vector<std::string> warnings;  ///< what --allow-truncated filled

  static constexpr auto fields() {
    using R = NoiseResult;
    return std::tuple{
        field("ran", &R::ran, "what ran"),
        field("input", &R::input, "the image read"),
        field("files", &R::files, "files made"),
        field("width", &R::width, "columns of the image"),
        field("height", &R::height, "rows of the image"),
        field("plane", &R::plane, "the plane of the file, counted from 0; the first of several"),
        field("pixels", &R::pixels, "pixels of all planes"),
        field("blanks", &R::blanks, "pixels of all planes without a value"),
        field("nodes", &R::nodes, "nodes of the grid; 0: every pixel has its own box"),
        field("refined", &R::refined, "cells of the grid that were refined, in all planes"),
        field("maps", &R::maps, "the maps in numbers"),
        field("planes", &R::planes, "the planes in numbers"),
        field("seconds", &R::seconds, "how long the stages took; they overlap"),
        field("pixels_per_second", &R::pixels_per_second,
              "pixels per second, including reading and writing"),
        field("picture", &R::picture, "the picture"),
        field("notes", &R::notes, "notes"),
        field("warnings", &R::warnings, "parts that were missing and filled"),
    };
  }
  std::string describe() const;
};

}  // namespace tessera
