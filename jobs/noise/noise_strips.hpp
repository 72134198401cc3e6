// SPDX-License-Identifier: Apache-2.0
/// Rows of maps as files have them: floats, and signal over noise as one plane more.
#pragma once

#include <functional>

#include "core/strips.hpp"

namespace tessera {

/// Told rows of the image, the same rows of all planes made of it, and which they are.
using SeeNoise = std::function<void(AnyView image, AnyView planes, int first_row, int threads)>;

/// Whether signal over noise is made, and whether pixels of 0 are blank there too.
struct NoiseRatio {
  bool wanted = false, zero_is_blank = false;
};

/// `maps` makes rows of maps of rows of an image; with `snr` its planes are background and rms. The
/// result makes floats, whatever type the maps have.
StripPlan noise_file_rows(StripPlan maps, NoiseRatio snr, SeeNoise see);

/// Maps in memory as such a plan: it copies the rows that are asked for.
StripPlan rows_at_hand(const ImageInfo& image, AnyView maps);

/// What strips of one row take, with all that is in flight.
std::size_t least_strip_bytes(const StripPlan& plan);

}  // namespace tessera
