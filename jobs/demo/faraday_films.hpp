// SPDX-License-Identifier: Apache-2.0
/// Pictures of a polarised sky on its way through rotation measure synthesis and RM-CLEAN, made of
/// the files in this folder.
#pragma once

#include <string>
#include <vector>

#include "sample/polarised_sources.hpp"
#include "tessera/image.hpp"

namespace tessera {

/// How the sky was made and worked on.
struct FaradayScene {
  std::string ending;  ///< of image files: ".fits"
  int channels = 0;
  double phi_max = 0, dphi = 0;  ///< depths, rad/m^2
  double rm_max = 0;             ///< of sources
  double brightest = 0;          ///< flux
  double cutoff = 0;             ///< of RM-CLEAN
  int zoom = 1;                  ///< pixels of a picture a pixel of the sky
  int film_step = 1;             ///< depths from a frame to the next

  std::vector<double> depths() const;
  std::vector<std::string> frequency_frames() const, depth_frames() const;  ///< files of films
};

/// Frames of Stokes Q from channel to channel, and of cleaned spectra from depth to depth.
void draw_faraday_films(const FaradayScene& scene);

/// rm.png: blue and red as deep as the rotation measure, as light as the intensity.
void draw_rotation_measures(const FaradayScene& scene, const Image& rm, const Image& pi);

/// spectrum.png: before and after RM-CLEAN, of the source whose second component shows best.
void draw_cleaned_spectrum(const FaradayScene& scene, const std::vector<PolarisedSource>& truth);

}  // namespace tessera
