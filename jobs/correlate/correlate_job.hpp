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
  std::string sweep;
  std::string picture;

  static constexpr auto fields() {
    using O = EnsembleOptions;
    return std::tuple{
        field("planes", &O::planes,
              "contents of the files: photographs (scene), planes used as they are, or planes to "
              "be normalised; auto: a single plane of integers is a photograph"),
        field("stack", &O::stack,
              "number of consecutive files that make up one image: 4 if a, b, x1 and x2 are "
              "separate files"),
        field("crop", &O::crop, "take this part of every image; without X,Y at the centre"),
        field("with", &O::with, "correlate every image with this one instead of with itself"),
        field("angles", &O::angles,
              "directions of the profiles in degrees, from dx to dy; auto: every 45 degrees within "
              "the quadrants"),
        field("sweep", &O::sweep,
              "settings of how planes are made of photographs, all in one run: every combination "
              "of gradient-scale=1,2,texture-scale=3,6"),
        field("picture", &O::picture, "a picture of maps and profiles to draw, .svg or .png"),
    };
  }
};

struct CorrelateJob {
  std::vector<std::string> inputs;  ///< files, folders and patterns
  std::string output;  ///< maps: .npy, .fits …; profiles and summary are written next to it
  CorrelateOptions options;
  ScenePlanesOptions scene;
  EnsembleOptions ensemble;
  ReadOptions reading;
  WriteOptions writing;
  RunSettings settings;

  /// Images that cannot be read, differ in size from the first good one or contain NaN are left out
  /// and named in the result. The bytes are the same for any order of the inputs and any number of
  /// threads, and whether or not the run was interrupted. Throws Error.
  CorrelateResult run(const Progress& progress = {}) const;
};

}  // namespace tessera
