// SPDX-License-Identifier: Apache-2.0
/// Transforms along one axis for correlate's fft methods on the CPU: frequencies in classes.
///
/// A transform of N = classes * points samples is cut by frequency: class q has the frequencies
/// f = classes * k + q (+ 1/2), and with n = m + points * j
///
///     X(f) = sum over m of exp(-2 pi i k m / points) * sum over j of w(q, n) x(n),
///     w(q, n) = exp(-2 pi i (q [+ 1/2]) n / N):
///
/// x is folded to `points` samples, with factors that depend on the class, and a transform of a
/// power of two does the rest in the first-level cache. Only samples that are not zero are folded,
/// and on the way back only samples that are wanted are unfolded: most of the padding costs
/// nothing, and N can be nearly any number.
///
/// The half makes classes come in pairs: for real samples, classes q and classes - 1 - q hold
/// conjugates, so half of the classes (their number is even) are enough. In the correlation that
/// products of such spectra give, terms whose index wraps around N have the opposite sign, but no
/// wanted result has such terms.
#pragma once

#include <vector>

#include "core/fft_axis.hpp"

namespace tessera {

struct FoldShape {
  int classes = 0, points = 0;
  int length() const { return classes * points; }
  bool operator==(const FoldShape&) const = default;
};

/// Samples are real, and half the classes are computed; or they are complex, and all are.
enum class FoldKind { real, complex };

/// The cheapest shape for this many samples and a length of at least `least`.
FoldShape fold_shape(FoldKind kind, int samples, int least);
/// Vector instructions per slab of columns, roughly: the cost by which shapes are chosen.
double fold_cost(FoldKind kind, FoldShape shape, int samples);

struct FoldAxis {
  /// `samples` of them from 0 on; results [first, first + count) are wanted.
  FoldAxis(FoldKind kind, int samples, int first, int count, int most_radix);

  int made_classes() const { return kind == FoldKind::real ? shape.classes / 2 : shape.classes; }
  const float* folding(int q) const { return factors_in.data() + 2LL * q * samples; }
  const float* unfolding(int q) const { return factors_out.data() + 2LL * q * count; }

  FoldKind kind;
  int samples, first, count;
  FoldShape shape;
  FftAxis<float> points;
  std::vector<float> factors_in, factors_out;  ///< class by class; the latter are conjugates
};

}  // namespace tessera
