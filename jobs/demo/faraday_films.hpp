// SPDX-License-Identifier: Apache-2.0
/// Pictures of the stages of rotation measure synthesis and RM-CLEAN of a polarised sky, made from
/// the files in the current folder.
#pragma once

#include <string>
#include <vector>

#include "sample/polarised_sources.hpp"
#include "tessera/image.hpp"

namespace tessera {

/// How the sky was made and processed.
struct FaradayScene {
  std::string ending;  ///< of image files: ".fits"
  int channels = 0;
  double phi_max = 0, dphi = 0;  ///< depths, rad/m^2
  double rm_max = 0;             ///< of sources
  double brightest = 0;          ///< flux
  double cutoff = 0;             ///< of RM-CLEAN
  int zoom = 1;                  ///< pixels of the picture per pixel of the sky
  int film_step = 1;             ///< depths from one frame to the next

  std::vector<double> depths() const;
  std::vector<std::string> frequency_frames() const, depth_frames() const;  ///< files of films
};

/// Frames of Stokes Q from channel to channel, and of cleaned spectra from depth to depth.
void draw_faraday_films(const FaradayScene& scene);

/// rm.png: the colour, blue to red, is the rotation measure; the brightness is the intensity.
void draw_rotation_measures(const FaradayScene& scene, const Image& rm, const Image& pi);

/// spectrum.png: before and after RM-CLEAN, for the source whose second component is clearest.
void draw_cleaned_spectrum(const FaradayScene& scene, const std::vector<PolarisedSource>& truth);

}  // namespace tessera
