// SPDX-License-Identifier: Apache-2.0
/// Rows of maps as in files: floats, with the signal-to-noise ratio as an additional plane.
#pragma once

#include <functional>

#include "core/strips.hpp"

namespace tessera {

/// Receives rows of the image, the same rows of all planes made from it, and their position.
using SeeNoise = std::function<void(AnyView image, AnyView planes, int first_row, int threads)>;

/// Whether the signal-to-noise ratio is made, and whether pixels of 0 are blank in it too.
struct NoiseRatio {
  bool wanted = false, zero_is_blank = false;
};

/// `maps` turns rows of an image into rows of maps; with `snr` its planes are background and rms.
/// The result makes floats, whatever the type of the maps.
StripPlan noise_file_rows(StripPlan maps, NoiseRatio snr, SeeNoise see);

/// Maps in memory as such a plan: it copies the requested rows.
StripPlan rows_at_hand(const ImageInfo& image, AnyView maps);

/// Bytes of strips of one row, with all strips in flight.
std::size_t least_strip_bytes(const StripPlan& plan);

}  // namespace tessera
