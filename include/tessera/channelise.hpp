// SPDX-License-Identifier: Apache-2.0
/// A polyphase filter bank: voltages of a wide band become spectra of narrow channels, in front of
/// the X-engine.
///
///     Channelise plan({.antennas = 64, .polarisations = 2, .channels = 1}, {.channels = 512});
///     ChanneliseState state = plan.start();
///     plan(state, {block, first_sample}, {memory, 0, plan.spectra(samples), layout}, stream);
///     ChanneliseCounts counts = plan.take_counts(state, stream);
///
/// With h the L = taps * N2 coefficients of a low-pass filter, x the samples of an input, counted
/// from the first of the recording, and D the hop, channel k of spectrum m is
///
///     y[m, k] = sum over n from 0 to L - 1 of h[n] x[m D + n] exp(-2 pi i k (m D + n) / N2)
///
/// N2 is the number of channels N for complex samples, and 2 N for real ones. D = N2 Q / P for an
/// oversampling of P / Q; 1 is critical sampling. Phases count from sample 0 of the recording, so
/// every channel is at baseband, and y[., k] is `scipy.signal.upfirdn(h[::-1], x *
/// exp(-2j * pi * k * t / N2), 1, D)` from the output on in which all of h lies on samples. Only
/// spectra exist whose samples all exist: m D + L <= samples. Spectrum m is centred on sample
/// m D + (L - 1) / 2.
///
/// Channels ascend in frequency. Complex samples: k from -(N / 2) to (N - 1) / 2, the middle of
/// the band is at position N / 2. Real samples: k from 0 to N - 1; channel 0 is centred on
/// frequency 0, and the channel centred on half the sample rate, which would be k = N, is dropped.
/// Every coarse channel of the recording is channelised by itself; its N channels lie together.
///
/// h is `scipy.signal.firwin(L, 1 / N2, window=window)`: a sinc as wide as a channel times a
/// window, of sum 1, computed in double and rounded to float. A complex tone in the middle of a
/// channel keeps its amplitude there; a real tone A cos(...) has A / 2.
///
/// Arithmetic is in float: |error| of y <= (taps + 5 log2(N2) + 24) 2^-24 sum over n of
/// |h[n]| |x[m D + n]|, relative to the sum with the h that coefficients() returns, whatever the
/// method. Integer outputs are gain * y, a float product rounded once more, rounded half to even
/// and saturated at +-127 (ci8) or +-32767 (ci16); parts that are saturated, and NaN, which
/// becomes 0, are counted. Blocks, threads and strips change no bit: every spectrum is made from
/// its own samples by the same operations.
///
/// A spectrum of an input is missing if any of its L samples is: all its values are 0 and its mask
/// says so. NaN and infinities of float samples stay in the spectra of their input and coarse
/// channel that hold them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tessera/export.hpp"
#include "tessera/options.hpp"
#include "tessera/plan.hpp"
#include "tessera/stream.hpp"
#include "tessera/voltage_blocks.hpp"

namespace tessera {

struct ChanneliseOptions {
  int channels = 1024;
  int taps = 8;
  std::string window = "hamming";
  std::string oversample = "1";
  SampleType samples = SampleType::ci8;
  bool real = false;
  bool offset_binary = false;
  bool real_low = false;
  SampleType output_type = SampleType::cf32;
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() {
    using O = ChanneliseOptions;
    return std::tuple_cat(
        std::tuple{
            field("channels", &O::channels, "channels that each channel of the recording becomes",
                  Range{2, 1048576}),
            field("taps", &O::taps, "length of the filter, in spectra of critical sampling",
                  Range{1, 128}),
            field("window", &O::window,
                  "window of the filter: hamming, hann, blackman, rectangular or kaiser:BETA"),
            field("oversample", &O::oversample,
                  "sample rate of a channel over its width: 1, or P/Q such as 8/7"),
            field("samples", &O::samples, "type of the samples"),
            field("real", &O::real, "only the real parts of the samples are read"),
            field("offset-binary", &O::offset_binary,
                  "integers are unsigned with an offset: with 8 bits, 128 means 0"),
            field("real-low", &O::real_low, "the real part of ci4 is the low half of the byte"),
            field("output-type", &O::output_type, "type of the spectra: cf32, ci8 or ci16"),
        },
        run_fields<O>());
  }
};

/// Numbers in memory, which are not options.
struct ChanneliseTables {
  /// The filter, h[0] first, instead of one made by the window: taps * N2 numbers, or none.
  std::vector<double> coefficients;
  /// Factors of integer outputs: one, one per channel of the output, or [channel][input]; none: 1.
  std::vector<float> gains;
};
template <class Key>
void add_to_key(Key& key, const ChanneliseTables& tables) {
  key.add(tables.coefficients).add(tables.gains);
}

/// Samples of a recording: `first` is the number of the block's first sample. `block.layout` may
/// have no imaginary step if samples are real.
struct RawVoltages {
  VoltageBlock block;
  long long first = 0;
};

/// Memory for spectra `first` to `first + spectra`, with the layout of voltages whose time is the
/// spectrum: the X-engine reads it in place.
struct SpectraBlock {
  void* data = nullptr;
  long long first = 0, spectra = 0;
  VoltageLayout layout;
  int device = kHost;
  /// [spectrum][input], on the host, written 1 or 0: a mask for the X-engine with stretches of one
  /// sample. May be empty if no sample is missing.
  std::span<unsigned char> valid = {};
};

/// Samples [first, first + count).
struct SampleRange {
  long long first = 0, count = 0;

  bool operator==(const SampleRange&) const = default;
};

/// Parts (real or imaginary) of integer outputs.
struct ChanneliseCounts {
  long long saturated = 0;     ///< beyond the type, infinities too
  long long not_a_number = 0;  ///< became 0

  bool operator==(const ChanneliseCounts&) const = default;
};

/// Counts while they grow. A state belongs to the plan that made it, and one thread uses it at a
/// time.
class TESSERA_API ChanneliseState {
 public:
  struct Impl;
  explicit ChanneliseState(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  Impl& impl() const { return *impl_; }

 private:
  std::shared_ptr<Impl> impl_;
};

/// An array's shape, whose channels are those of the recording, options and a chosen method.
/// Immutable; copies share.
///
/// describe(): "channelise 64x2 inputs, 1 to 512 channels, ci8 to ci8, 8 taps: cpu fft, avx512".
class TESSERA_API Channelise : public Plan {
 public:
  /// Throws Error(usage) with what would be right.
  explicit Channelise(const XEngineShape& recording, const ChanneliseOptions& options = {},
                      const ChanneliseTables& tables = {});

  const XEngineShape& input() const;
  XEngineShape output() const;  ///< the same inputs, channels * input().channels channels
  const ChanneliseOptions& options() const;

  long long hop() const;     ///< D: the rate of spectra is the sample rate / D
  long long length() const;  ///< L
  int transform() const;     ///< N2: channels are sample rate / N2 wide
  std::span<const float> coefficients() const;
  /// The middle of an output channel relative to that of its coarse channel (complex samples), or
  /// to frequency 0 (real ones), in units of the sample rate.
  double frequency(int channel) const;

  /// Spectra of a recording of this many samples.
  long long spectra(long long samples) const;
  /// The samples that spectra [first, first + count) read.
  SampleRange needs(long long first, long long count) const;
  /// The layout that this plan writes and the X-engine of its backend reads fastest, packed.
  VoltageLayout layout(long long spectra) const;
  /// The bytes of spectra in a packed layout.
  long long bytes(long long spectra) const;

  ChanneliseState start() const;
  /// Makes spectra from the samples they need, each on the host or on the plan's device. Work is
  /// only enqueued if both are on the device, otherwise it is done when this returns. The mask is
  /// written at once.
  void operator()(ChanneliseState& state, const RawVoltages& in, const SpectraBlock& out,
                  Stream& stream) const;
  /// The counts since the last time. Returns when the work of the state is done.
  ChanneliseCounts take_counts(ChanneliseState& state, Stream& stream) const;
};

/// A named layout (voltage_blocks.hpp) for samples that have only real parts, packed without
/// imaginary ones. tcc, dp4a and ci4 have none.
TESSERA_API VoltageLayout real_voltage_layout(const std::string& name, const XEngineShape& shape,
                                              SampleType type, long long samples);

}  // namespace tessera
