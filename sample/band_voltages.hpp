// SPDX-License-Identifier: Apache-2.0
/// The undivided band of an array that observes point sources: what a filter bank divides into
/// channels.
///
/// A source is white noise. An antenna receives it later by tau, as VoltageMaker defines it: the
/// samples are shifted by tau, with fractions of a sample by a windowed sinc of 1025 weights, and
/// turned by the phase of tau at the sky frequency of their zero frequency. That is right to 1e-4
/// in the inner 98% of the band.
#pragma once

#include <cstdint>
#include <vector>

#include "sample/cell_noise.hpp"
#include "sample/exact_fft.hpp"
#include "sample/voltage_maker.hpp"

namespace tessera {

/// The same bytes on every machine, for any threads and parts.
class BandVoltages {
 public:
  /// The options of `made`, which it needs for its whole life, say complex or real. Throws
  /// Error(usage) if delays are too long.
  BandVoltages(const VoltageMaker& made, std::uint64_t seed, int threads = 0);

  /// One channel.
  XEngineShape shape() const;
  double sample_rate() const;
  /// The sky frequency of zero frequency in the samples, Hz.
  double zero_frequency() const;
  /// The middle of the band, Hz.
  double frequency() const;

  /// As VoltageMaker::read; real samples have imaginary parts of zero. Parts that begin and end at
  /// multiples of kPart are the fastest.
  long long read(long long first, long long count, const VoltageLayout& layout, void* to) const;
  static constexpr long long kPart = 3072;

 private:
  using Numbers = ExactFft::Numbers;
  /// How an antenna receives a source.
  struct Path {
    long long shift = 0;    ///< whole samples
    double turns = 0;       ///< the phase at zero frequency
    Numbers shifted{0};     ///< the filter of the fraction of a sample, in frequency
    Numbers quadrature{0};  ///< of real samples: the same, a quarter turn later
  };
  struct Part;
  Path path_of(std::size_t source, std::size_t antenna) const;
  void add_filtered(const Numbers& field, const Path& path, double amplitude, double turns,
                    Numbers& sum) const;
  const Numbers& field_of(std::size_t source, int which, long long shift, Part& part) const;
  void receive(std::size_t antenna, int polarisation, Part& part) const;
  void add_tone(Part& part) const;
  long long fill(long long number, long long first, long long end, const VoltageLayout& layout,
                 unsigned char* to) const;

  const VoltageMaker& made_;
  const VoltagesOptions& options_;
  std::uint64_t seed_;
  int threads_;
  ExactFft fft_;
  NormalNumbers normal_;
  std::vector<Path> paths_;  ///< [source][antenna]
};

}  // namespace tessera
