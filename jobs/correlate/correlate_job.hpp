// SPDX-License-Identifier: Apache-2.0
/// An ensemble of images to mean correlation maps, profiles, a summary and a picture.
///
///     CorrelateJob job{.inputs = {"photos"}, .output = "scenes.fits"};
///     job.options.max_shift = 250;
///     CorrelateResult result = job.run();
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "io/image_file.hpp"
#include "jobs/correlate/correlate_result.hpp"
#include "jobs/correlate/scene_loader.hpp"
#include "jobs/progress.hpp"
#include "jobs/settings.hpp"
#include "tessera/correlate.hpp"
#include "tessera/scene_planes.hpp"

namespace tessera {

struct EnsembleOptions {
  PlaneSource planes = PlaneSource::automatic;
  int stack = 1;
  std::optional<Crop> crop;
  std::string with;
  std::string angles = "auto";
  std::string picture;

  static constexpr auto fields() {
    using O = EnsembleOptions;
    return std::tuple{
        field("planes", &O::planes,
              "what files hold: photographs (scene), planes as they are, or planes still to be "
              "normalised; auto takes one plane of integers for a photograph"),
        field("stack", &O::stack,
              "so many files, in the order given, are one image: 4 for a, b, x1 and x2 apart"),
        field("crop", &O::crop, "take this part of every image; without X,Y the centre"),
        field("with", &O::with, "another image: every one is correlated with it, not with itself"),
        field("angles", &O::angles,
              "degrees of the profiles, from dx to dy; auto is every 45 the quadrants hold"),
        field("picture", &O::picture, "a picture of maps and profiles to draw, .svg or .png"),
    };
  }
};

struct CorrelateJob {
  std::vector<std::string> inputs;  ///< files, folders and patterns
  std::string output;               ///< maps: .npy, .fits …; profiles and summary lie beside it
  CorrelateOptions options;
  ScenePlanesOptions scene;
  EnsembleOptions ensemble;
  ReadOptions reading;
  WriteOptions writing;
  RunSettings settings;

  /// Images that cannot be read, are of another size than the first good one or hold NaN are left
  /// out and named in the result. The same bytes for any order of the inputs, any number of
  /// threads, and whether or not it was interrupted. Throws Error.
  CorrelateResult run(const Progress& progress = {}) const;
};

}  // namespace tessera
