// SPDX-License-Identifier: Apache-2.0
/// Rows of maps as files have them: floats, and signal over noise as one plane more.
#pragma once

#include <functional>

#include "core/strips.hpp"

namespace tessera {

/// Told rows of the image, the same rows of all planes made of it, and which they are.
using SeeNoise = std::function<void(AnyView image, AnyView planes, int first_row, int threads)>;

/// `maps` makes rows of maps of rows of an image; with `snr` its planes are background and rms. The
/// result makes floats, whatever type the maps have.
StripPlan noise_file_rows(StripPlan maps, bool snr, SeeNoise see);

/// Maps in memory as such a plan: it copies the rows that are asked for.
StripPlan rows_at_hand(const ImageInfo& image, AnyView maps);

/// What strips of one row take, with all that is in flight.
std::size_t least_strip_bytes(const StripPlan& plan);

}  // namespace tessera
