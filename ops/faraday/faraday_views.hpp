// SPDX-License-Identifier: Apache-2.0
/// What the three plans of faraday check of the views they are called with.
#pragma once

#include <string>

#include "tessera/view.hpp"

namespace tessera {

/// f32 or f64, one channel, a pixel and a plane at least. Throws Error(usage).
void check_faraday_cube(const char* operation, const char* which, const ImageInfo& cube);

/// As planned but for the rows, which are `rows`.
void check_faraday_view(const char* operation, const char* which, const ImageInfo& given,
                        const ImageInfo& planned, int rows);

/// The two views share no value. The parts of an array of complex numbers do not, though their
/// memory interleaves.
void check_parts_apart(const char* operation, const AnyView& a, const AnyView& b);

}  // namespace tessera
