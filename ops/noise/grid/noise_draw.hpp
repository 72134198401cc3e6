// SPDX-License-Identifier: Apache-2.0
/// Maps from nodes, and blanks in them.
#pragma once

#include "ops/noise/noise_values.cuh"
#include "tessera/noise_grid.hpp"

namespace tessera {

/// Rows of a plane's map from image row `first_row` on, bilinear in double, rounded once. `out` has
/// one plane, f32 or f64, on the host.
void draw_noise_plane(const NoiseNodes& nodes, int plane, int first_row, AnyMutableView out,
                      const Stream& stream);

/// NaN in all planes of host maps where the image is blank; the same rows, any type of image.
void mask_blanks(const NoiseBlanks& blanks, AnyView in, AnyMutableView maps, const Stream& stream);

}  // namespace tessera
