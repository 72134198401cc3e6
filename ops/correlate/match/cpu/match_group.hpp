// SPDX-License-Identifier: Apache-2.0
/// A group of output rows on the CPU: the pixels it reads, and the two ways to its values.
#pragma once

#include <string>

#include "ops/correlate/match/cpu/match_moments.hpp"
#include "ops/correlate/match/match_problem.hpp"
#include "tessera/convolve.hpp"

namespace tessera {

/// Output rows of a group, counted from row 0 of the image; the same for strips of any size, so
/// that the middle of a group's values changes no bit. Wide images have fewer, to bound memory.
int match_group_rows(const MatchProblem& problem);

/// Sums of products with a template's worth of weights at all places of a group. `method` is
/// "direct" or "fft".
Convolve match_products(const MatchProblem& problem, const double* weights,
                        const std::string& method);

/// The pixels of a group. Values from sums are taken if their bound is at most this; others are
/// summed again in two passes.
inline constexpr double kMatchTrusted = 0x1p-20;

struct MatchGroup {
  int rows = 0;          ///< output rows
  MatchPixels pixels;    ///< as loaded
  double* centred;       ///< the same minus the middle of their range, 0 where they do not count
  double largest = 0;    ///< the largest |centred|
  bool missing = false;  ///< some do not count
  double* result;        ///< rows x the output's width
};

/// The least and the largest of values, and whether some are NaN.
struct MatchRange {
  double least, most;
  bool missing;
};
/// The norm of the template, and the least product of both norms for which sums are taken.
struct MatchNorm {
  double weights, least;
};
/// Passes over values, of the best SIMD target.
struct MatchPasses {
  /// Widens the range to n more values.
  void (*range)(const double* from, long long n, MatchRange& range);
  /// to = from - middle, 0 for NaN.
  void (*centre)(const double* from, long long n, double middle, double* to);
  /// Products become values of the map, from the windows' sums of squared differences: 0 where
  /// that is 0, NaN where the product of the norms is too small. Whether there was no such place.
  bool (*normalise)(const MatchNorm& by, const double* squares, long long n, double* products);
};
MatchPasses match_passes();

/// Runs convolve over planes of a group.
class GroupSums {
 public:
  explicit GroupSums(int threads) : threads_(threads) {}
  /// to = the sums over a plane of the group's pixels, or += if `add`.
  void operator()(const Convolve& products, const double* plane, double* to, bool add) const;

 private:
  int threads_;
};

/// Sums where some pixels do not count: Padfield's, as correlations with masks.
class MaskedMatch {
 public:
  MaskedMatch(const MatchProblem& problem, const MatchWeights& weights, const std::string& method);
  void run(const MatchGroup& group, const std::vector<Convolve>& products,
           const GroupSums& sums) const;

 private:
  const MatchProblem& problem_;
  double squares_;
  Convolve mask_, weights_, squared_;  ///< of the template, over its channels
};

}  // namespace tessera
