// SPDX-License-Identifier: Apache-2.0
/// Voltages of an array of antennas that observes point sources, with the truth: positions, delays
/// and the visibilities that a correlator must find.
///
///     const VoltageMaker made({.antennas = 16, .samples = 100000}, 1);
///     made.read(0, 4096, layout, memory);             // any part, in any order
///     made.model(channel, i, j);                      // mean of A_i conj(A_j)
///
/// A wave from direction s reaches an antenna at r later than the array's centre by
/// tau = -(r . s) / c. With the time convention exp(+2 pi i f t), the sample of a channel at f
/// turns by exp(-2 pi i f tau), so that
///
///     V_ij = mean of A_i conj(A_j) = S exp(-2 pi i f (tau_i - tau_j)):
///
/// the phase falls by 2 pi tau_ij per Hz. Within a channel the delay is only that phase, as after a
/// correlator's correction of whole samples, and directions stay as they are at the start.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "sample/cell_noise.hpp"
#include "sample/voltages_sky.hpp"

namespace tessera {

/// The same bytes on every machine, for any threads and blocks.
class VoltageMaker {
 public:
  /// Antennas and sources are drawn if none are given; given ones count, whatever the options
  /// say. `threads` 0: as many as the environment allows. Throws Error(usage).
  VoltageMaker(const VoltagesOptions& options, std::uint64_t seed, int threads = 0,
               std::vector<SampleAntenna> antennas = {}, std::vector<SampleSource> sources = {});

  const VoltagesOptions& options() const { return options_; }
  XEngineShape shape() const;
  const std::vector<SampleAntenna>& antennas() const { return antennas_; }
  const std::vector<SampleSource>& sources() const { return sources_; }
  const EarthVector& centre() const { return centre_; }  ///< of the field
  double frequency(int channel) const;
  double delay(std::size_t source, std::size_t antenna) const;  ///< seconds
  double scale() const { return scale_; }  ///< levels, of the square root of a unit of flux

  /// Samples [first, first + count) of all inputs and channels, to host memory; parts that the type
  /// could not hold are saturated and counted.
  long long read(long long first, long long count, const VoltageLayout& layout, void* to) const;
  /// Samples that are drawn together, whatever is requested: blocks do not matter.
  static constexpr int kRun = 256;

  /// The mean of A_i conj(A_j), in levels squared; it includes noise and the rounding of integers,
  /// 1/12 per part, in the powers, but not the loss by clipping. Raw samples: in a channel of a
  /// filter bank whose coefficients have squares of the sum 1, away from the edges of the band.
  std::complex<double> model(int channel, int i, int j) const;

 private:
  struct Target;
  long long fill(int channel, long long run, const Target& target) const;
  void send(int channel, long long run, std::vector<float>& fields) const;
  void receive(int channel, long long run, int antenna, int polarisation,
               const std::vector<float>& fields, std::vector<float>& parts) const;

  VoltagesOptions options_;
  std::uint64_t seed_;
  int threads_;
  std::vector<SampleAntenna> antennas_;
  std::vector<SampleSource> sources_;
  EarthVector middle_, centre_;
  double scale_ = 1;
  NormalNumbers normal_;
};

}  // namespace tessera
