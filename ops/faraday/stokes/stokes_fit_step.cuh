// SPDX-License-Identifier: Apache-2.0
// One step of the fit of a pixel, from sums over its channels to the next curve to try:
// Levenberg-Marquardt steps from normal equations. The polynomials are Legendre's over the band,
// whose normal equations are well conditioned for all orders.
#pragma once

#include "ops/faraday/stokes/stokes_fit_math.cuh"

#if !defined(__CUDACC__)
#include <cmath>
#endif

namespace tessera {

inline constexpr int kStokesTerms = 6;
inline constexpr int kStokesGram = kStokesTerms * (kStokesTerms + 1) / 2;
inline constexpr int kStokesMostTries = 300;

TESSERA_BOTH constexpr int stokes_gram_place(int i, int j) { return i * (i + 1) / 2 + j; }

/// A curve: p0 exp(p1 P1 + p2 P2 + …) or p0 + p1 P1 + p2 P2 + …
struct StokesTrial {
  double p[kStokesTerms];
};

/// Sums over the channels of a pixel for a trial: J^T J, J^T r, the loss, and that of the model
/// alone.
struct StokesSums {
  double gram[kStokesGram], slope[kStokesTerms], loss, size;
};

/// Values common to all pixels.
struct StokesRule {
  int channels;
  int first_order, last_order;  ///< different: the best is searched
  int min_channels;
  bool log, cauchy;
  double scale_squared;  ///< of loss cauchy
  double snr, floor;
  double reference;     ///< Hz; 0: each pixel's own
  double middle, half;  ///< of log10 f or f: polynomials are over (that - middle) / half
  double median_sigma;  ///< of all channels, if the list of sigma has them all; else 0
};

/// Squares are minimised first, because the loss cauchy has other minima far from there.
enum StokesStage : int { kStokesOfSquares, kStokesOfCauchy, kStokesOfErrors };
enum StokesPhase : int { kStokesTries, kStokesFitted, kStokesUndetermined, kStokesEndless };

struct StokesState {
  StokesTrial trial, at, start;
  StokesSums sums;  ///< of `at`
  double damping;
  int order, tries;
  bool has_sums;
  int stage;  ///< StokesStage: what the sums of the trial are
  int phase;
  StokesTrial best;  ///< of all orders so far
  StokesSums best_sums;
  int best_order;  ///< -1: none yet
};

TESSERA_BOTH inline void stokes_begin(StokesState& s, double mean, const StokesRule& rule) {
  for (int k = 0; k < kStokesTerms; ++k) s.start.p[k] = k == 0 ? mean : 0;
  s.trial = s.start;
  s.damping = 0;
  s.order = rule.first_order;
  s.tries = 0;
  s.has_sums = false;
  s.stage = kStokesOfSquares;
  s.phase = kStokesTries;
  s.best_order = -1;
}

/// The lower triangle of J^T J, scaled to a diagonal of 1 + damping, as L L^T; `scale` are the
/// factors. False if it is not positive, to rounding.
TESSERA_BOTH inline bool stokes_factor(const StokesSums& sums, int order, double damping,
                                       double* lower, double* scale) {
#if !defined(__CUDACC__)
  using std::sqrt;
#endif
  for (int i = 0; i <= order; ++i) {
    const double diagonal = sums.gram[stokes_gram_place(i, i)];
    if (!(diagonal > 0) || !is_stokes_value(diagonal)) return false;
    scale[i] = 1 / sqrt(diagonal);
  }
  for (int i = 0; i <= order; ++i)
    for (int j = 0; j <= i; ++j) {
      double sum = sums.gram[stokes_gram_place(i, j)] * scale[i] * scale[j];
      if (i == j) sum = sum + damping;
      for (int k = 0; k < j; ++k)
        sum = sum - lower[stokes_gram_place(i, k)] * lower[stokes_gram_place(j, k)];
      if (i == j && !(sum > 1e-13)) return false;
      lower[stokes_gram_place(i, j)] = i == j ? sqrt(sum) : sum / lower[stokes_gram_place(j, j)];
    }
  return true;
}

/// The step, and its product with the slope: twice the fall of the loss that it promises.
TESSERA_BOTH inline bool stokes_solve(const StokesSums& sums, int order, double damping,
                                      double* step, double* promise) {
  double lower[kStokesGram], scale[kStokesTerms];
  if (!stokes_factor(sums, order, damping, lower, scale)) return false;
  for (int i = 0; i <= order; ++i) {
    double sum = sums.slope[i] * scale[i];
    for (int k = 0; k < i; ++k) sum = sum - lower[stokes_gram_place(i, k)] * step[k];
    step[i] = sum / lower[stokes_gram_place(i, i)];
  }
  for (int i = order; i >= 0; --i) {
    double sum = step[i];
    for (int k = i + 1; k <= order; ++k) sum = sum - lower[stokes_gram_place(k, i)] * step[k];
    step[i] = sum / lower[stokes_gram_place(i, i)];
  }
  *promise = 0;
  for (int i = 0; i <= order; ++i) {
    step[i] = step[i] * scale[i];
    *promise = *promise + step[i] * sums.slope[i];
  }
  return true;
}

/// An order is done, well or not; the next begins where it ended.
TESSERA_BOTH inline void stokes_end_order(StokesState& s, int phase, const StokesRule& rule) {
  const bool is_first = s.best_order < 0, fitted = phase == kStokesFitted;
  const bool better = fitted && (is_first || 2 + s.sums.loss < s.best_sums.loss);
  if (better) {
    s.best = s.at;
    s.best_sums = s.sums;
    s.best_order = s.order;
  }
  if ((!better && !is_first) || s.order == rule.last_order) {
    s.phase = s.best_order >= 0 ? kStokesFitted : phase;
    return;
  }
  s.order = s.order + 1;
  s.trial = fitted ? s.at : s.start;
  s.damping = 0;
  s.tries = 0;
  s.has_sums = false;
  s.stage = kStokesOfSquares;
}

/// Takes sums whose J^T J are those of the errors: all orders end with them.
TESSERA_BOTH inline void stokes_take_errors(StokesState& s, const StokesSums& made,
                                            const StokesRule& rule) {
  double lower[kStokesGram], scale[kStokesTerms];
  s.sums = made;
  const bool determined = stokes_factor(s.sums, s.order, 0, lower, scale);
  stokes_end_order(s, determined ? kStokesFitted : kStokesUndetermined, rule);
}

/// Takes the sums of the trial, and makes the next trial or ends the fit.
TESSERA_BOTH inline void stokes_advance(StokesState& s, const StokesSums& made,
                                        const StokesRule& rule) {
  s.tries = s.tries + 1;
  double step[kStokesTerms], promise = 0;
  if (s.stage == kStokesOfErrors) return stokes_take_errors(s, made, rule);
  const bool good = is_stokes_value(made.loss) && is_stokes_value(made.size) &&
                    (!s.has_sums || made.loss <= s.sums.loss * (1 + 1e-13));
  if (!good && !s.has_sums) return stokes_end_order(s, kStokesUndetermined, rule);
  if (good) {
    s.at = s.trial;
    s.sums = made;
    s.has_sums = true;
    s.damping = s.damping > 1e-6 ? s.damping * 0.1 : 0;
  } else {
    s.damping = s.damping > 0 ? s.damping * 10 : 1e-3;
  }
  if (!stokes_solve(s.sums, s.order, s.damping, step, &promise)) {
    if (s.damping == 0) s.damping = 1e-3;
    if (!stokes_solve(s.sums, s.order, s.damping, step, &promise))
      return stokes_end_order(s, kStokesUndetermined, rule);
  }
  // A step of 1e-9 of the errors (of cauchy, whose steps shrink slowly, 1e-7), or of 1e-14 of the
  // model.
  if (promise <= (s.stage == kStokesOfCauchy ? 1e-14 : 1e-18) || promise <= 1e-28 * s.sums.size) {
    if (!rule.cauchy) return stokes_take_errors(s, s.sums, rule);
    s.trial = s.at;
    s.stage = s.stage + 1;
    s.has_sums = false;
    s.damping = 0;
    return;
  }
  if (s.tries >= kStokesMostTries) return stokes_end_order(s, kStokesEndless, rule);
  s.trial = s.at;
  for (int i = 0; i <= s.order; ++i) s.trial.p[i] = s.at.p[i] + step[i];
}

}  // namespace tessera
