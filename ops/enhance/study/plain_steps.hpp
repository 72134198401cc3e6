// SPDX-License-Identifier: Apache-2.0
/// The steps as one would first write them: loops over pixels, one thread, no explicit vectors.
/// Images are packed; grey ones have one byte per pixel.
#pragma once

namespace tessera {

void plain_grey(const unsigned char* rgb, long long pixels, unsigned char* grey);

/// `counts` has 256 values.
void plain_histogram(const unsigned char* grey, long long pixels, unsigned* counts);

void plain_contrast(const unsigned char* grey, long long pixels, int low, int high,
                    unsigned char* out);

/// 5 by 5 triangular weights; those outside the image do not count.
void plain_smooth(const unsigned char* grey, int width, int height, unsigned char* out);

}  // namespace tessera
