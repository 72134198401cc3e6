// SPDX-License-Identifier: Apache-2.0
/// What the talk's host does before a product by a BLAS of columns.
#pragma once

#include <complex>

namespace tessera {

/// A channel's bytes [input][time] become the columns of a matrix of inputs by samples:
/// [time][input] of complex floats. One thread.
void reorder_for_blas(const signed char* given, int inputs, int samples, std::complex<float>* made);

}  // namespace tessera
