// SPDX-License-Identifier: Apache-2.0
// The arithmetic of RM-CLEAN that all methods share: in the type of the data and without FMA, every
// product and sum rounded as written. So all find the same components, and in double these are the
// reference's, one for one.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

/// Aligned, so that it is read with one access.
template <class Real>
struct alignas(2 * sizeof(Real)) CleanPart {
  Real re, im;
};

/// |residual|^2, by which peaks are compared; among equals the first counts.
template <class Real>
TESSERA_BOTH constexpr Real clean_power(Real re, Real im) {
  return re * re + im * im;
}

/// The component that is taken from a peak.
template <class Real>
TESSERA_BOTH constexpr CleanPart<Real> clean_component(Real gain, Real re, Real im) {
  return {gain * re, gain * im};
}

/// A residual minus a component times the RMSF there.
template <class Real>
TESSERA_BOTH constexpr CleanPart<Real> clean_subtract(CleanPart<Real> residual,
                                                      CleanPart<Real> component,
                                                      CleanPart<Real> rmsf) {
  return {residual.re - (component.re * rmsf.re - component.im * rmsf.im),
          residual.im - (component.re * rmsf.im + component.im * rmsf.re)};
}

/// Spectra whose largest |real| or |imaginary| part is not in 2^-30 to 2^30 are first multiplied by
/// this power of two and divided by it at the end, both exact: squares would leave the range of a
/// float. 1 for all others.
template <class Real>
TESSERA_BOTH constexpr Real clean_scale(Real largest) {
  constexpr Real kUp = 1073741824, kDown = 1 / kUp;
  const int most = sizeof(Real) == 4 ? 4 : 34;  // so that scale and its inverse are normal numbers
  Real scale = 1;
  for (int i = 0; i < most && largest * scale > kUp; ++i) scale *= kDown;
  for (int i = 0; i < most && largest > 0 && largest * scale < kDown; ++i) scale *= kUp;
  return scale;
}

/// The power down to which a scaled spectrum is cleaned. A cutoff that is NaN or negative cleans
/// nothing: no spectrum reaches 2^100.
template <class Real>
TESSERA_BOTH constexpr Real clean_level(double cutoff, Real scale) {
  constexpr double kNever = 1.2676506002282294e30;
  const double scaled = cutoff * static_cast<double>(scale), level = scaled * scaled;
  return static_cast<Real>(scaled >= 0 && level < kNever ? level : kNever);
}

/// Whether there is something to subtract. A residual of 0 ends the loop too.
template <class Real>
TESSERA_BOTH constexpr bool clean_goes_on(Real peak, Real level) {
  return peak > 0 && peak >= level;
}

}  // namespace tessera
