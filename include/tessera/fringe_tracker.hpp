// SPDX-License-Identifier: Apache-2.0
/// Delay and fringe tracking: voltages of antennas as if all of them received a direction at the
/// same time, so that an X-engine sums it without losses.
///
///     FringeTracker tracker({.shape = shape, .sample_rate = 1e5, .frequency = hertz,
///                            .delays = delays_at, .most_delay = 1e-5});
///     tracker.add(block);                                  // any number, of any length
///     tracker.end();
///     while (tracker.ready() > 0) plan.add(state, tracker.take(4096), stream);  // of cf32
///
/// With A the samples of an input in a channel of frequency f, and d(t) the delay of its antenna,
///
///     B(t) = exp(-2 pi i f d(t)) A(t - d(t))
///
/// Delays are known every `knot()` samples, counted from sample 0, and linear between them. A
/// between samples is a sum of kFringeTaps samples with a sinc in a Hann window, which keeps the
/// inner 80% of a channel to 0.03%; a white channel loses 0 to 1.8% of its amplitude at its edges.
/// For that sum the delay is constant between knots. Without `shift`, B(t) has A(t): enough if
/// delays are far below the time of a sample.
///
/// Samples count as missing if one of the taps is. Outputs do not depend on blocks or threads, to
/// the bit.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tessera/export.hpp"
#include "tessera/xengine.hpp"

namespace tessera {

inline constexpr int kFringeTaps = 64;

struct FringeSetup {
  XEngineShape shape;
  SampleType samples = SampleType::ci8;
  bool offset_binary = false, real_low = false;  ///< as in XEngineOptions
  double sample_rate = 0;                        ///< Hz, of a channel
  std::vector<double> frequency;                 ///< Hz, middles of the channels
  /// Seconds to remove from the samples of every antenna at a sample, which may be negative or
  /// after the end; positive if the antenna receives early. The same for the same sample.
  std::function<std::vector<double>(long long sample)> delays;
  double most_delay = 0;  ///< s, no delay exceeds it
  bool shift = true;
  /// auto, which is simd; simd; cuda, with the same bits as simd that has fused products; or
  /// reference, in double.
  std::string method = "auto";
  int device = 0;   ///< of method cuda
  int threads = 0;  ///< 0: as many as the environment allows
};

class TESSERA_API FringeTracker {
 public:
  /// Throws Error(usage) with what would be right.
  explicit FringeTracker(FringeSetup setup);
  ~FringeTracker();
  FringeTracker(FringeTracker&&) noexcept;
  FringeTracker& operator=(FringeTracker&&) noexcept;

  /// Begins at a sample, without samples before it; a new tracker begins at 0.
  void begin(long long first);
  /// The next samples, in host memory.
  void add(const VoltageBlock& block);
  void add_missing(long long samples);
  /// No further samples come until the next begin().
  void end();

  long long ready() const;  ///< samples that can be taken
  /// The next ones, at most `most`: cf32, in memory that stays until the next call.
  VoltageBlock take(long long most);

  long long knot() const;  ///< samples between delays
  long long halo() const;  ///< samples before and after a sample that it may need
  /// "shift, 64 taps, avx3", "phase, cuda".
  std::string describe() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tessera
