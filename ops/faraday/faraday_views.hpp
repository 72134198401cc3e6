// SPDX-License-Identifier: Apache-2.0
/// Checks of the views and axes that the three plans of faraday are called with.
#pragma once

#include <string>

#include "tessera/faraday.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// f32 or f64, one channel, at least one pixel and one plane. Throws Error(usage).
void check_faraday_cube(const char* operation, const char* which, const ImageInfo& cube);

/// As planned, except that there are `rows` rows.
void check_faraday_view(const char* operation, const char* which, const ImageInfo& given,
                        const ImageInfo& planned, int rows);

/// One weight per channel: axes can be filled in by hand.
void check_faraday_weights(const char* operation, const FaradayAxes& axes);

/// The two views share no value. The parts of an array of complex numbers do not, though their
/// memory interleaves.
void check_parts_apart(const char* operation, const AnyView& a, const AnyView& b);

}  // namespace tessera
