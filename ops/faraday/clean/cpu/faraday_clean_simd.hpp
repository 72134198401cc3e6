// SPDX-License-Identifier: Apache-2.0
/// RM-CLEAN of one spectrum, lanes = depths.
#pragma once

#include "ops/faraday/clean/faraday_clean_tables.hpp"

namespace tessera {

/// Arrays are aligned to 64 bytes and have kCleanPadding elements more than depths.
template <class Real>
struct CleanSpectrum {
  Real *re, *im;                        ///< dirty; then restored
  Real *components_re, *components_im;  ///< what is found
  Real *sum_re, *sum_im, *mask;         ///< scratch
  int depths;
  const CleanTables<Real>* tables;
  Real gain;
  int iterations;         ///< at most
  double cutoff, window;  ///< a window that is NaN: no second pass
};

/// Returns the iterations. What does not reach its cutoff or is not finite stays as it is.
template <class Real>
using CleanFunction = int (*)(const CleanSpectrum<Real>&);

CleanFunction<float> clean_function(float);  ///< for the current SIMD target
CleanFunction<double> clean_function(double);

}  // namespace tessera
