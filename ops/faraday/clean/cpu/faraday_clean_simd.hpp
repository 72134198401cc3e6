// SPDX-License-Identifier: Apache-2.0
/// RM-CLEAN of one spectrum, lanes = depths.
#pragma once

#include "ops/faraday/clean/faraday_clean_tables.hpp"

namespace tessera {

/// Arrays are aligned to 64 bytes and have kCleanPadding more elements than there are depths.
template <class Real>
struct CleanSpectrum {
  Real *re, *im;                        ///< dirty; then restored
  Real *components_re, *components_im;  ///< the components
  Real *sum_re, *sum_im, *mask;         ///< scratch
  int depths;
  const CleanTables<Real>* tables;
  Real gain;
  int iterations;         ///< at most
  double cutoff, window;  ///< a window that is NaN: no second pass
};

/// Returns the number of iterations. Spectra that do not reach their cutoff or are not finite stay
/// as they are.
template <class Real>
using CleanFunction = int (*)(const CleanSpectrum<Real>&);

CleanFunction<float> clean_function(float);  ///< for the current SIMD target
CleanFunction<double> clean_function(double);

}  // namespace tessera
