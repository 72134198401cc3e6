// SPDX-License-Identifier: Apache-2.0
/// The X-engine of a correlator: every input of an array of antennas times every other, summed over
/// time, for every frequency channel.
///
///     XEngine plan({.antennas = 64, .polarisations = 2, .channels = 512});
///     XEngineState state = plan.start();
///     for (const VoltageBlock& block : recording) plan.add(state, block, stream);
///     XEngineDump sums = plan.dump(state, visibilities, stream);   // writes and starts again
///
/// An input is a polarisation p of an antenna a, numbered i = a * polarisations + p. With A the
/// samples of a channel,
///
///     V_ij = sum over t of A_i(t) conj(A_j(t)):   Re += ar br + ai bi,   Im += ai br - ar bi
///
/// V is Hermitian; its diagonal is real and not negative. Samples that are marked invalid count as
/// zero, and the number of valid pairs comes with the sums.
///
/// Integer samples give exact sums: the same bits from every method, on every machine, with any
/// blocks and threads. -128 is a sample like any other. Products of float samples are summed in
/// float over runs of kFloatRun samples, counted from the first of the integration, and those sums
/// in double: |error| <= (kFloatRun + 3) 2^-23 sum of |A_i| |A_j|; blocks and threads change no bit
/// of a method's result.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "tessera/export.hpp"
#include "tessera/options.hpp"
#include "tessera/plan.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"
#include "tessera/voltage_blocks.hpp"

namespace tessera {

/// How values of a channel are ordered. Baselines are pairs of antennas (a, b), b <= a, numbered
/// k = a (a + 1) / 2 + b.
enum class VisibilityOrder : unsigned char {
  triangular,    ///< [channel][baseline][p of a][p of b], complex
  full,          ///< [channel][input i][input j], complex
  register_tile  ///< xGPU's: real parts of all channels, then imaginary ones; an even number of
                 ///< antennas in tiles of 2 by 2
};
template <>
struct Names<VisibilityOrder> {
  static constexpr std::array<std::pair<std::string_view, VisibilityOrder>, 3> list{
      {{"triangular", VisibilityOrder::triangular},
       {"full", VisibilityOrder::full},
       {"register-tile", VisibilityOrder::register_tile}}};
};

/// The type of a part of a visibility. `automatic`: i64 for integer samples, f64 for floats.
enum class VisibilityType : unsigned char { automatic, i64, i32, f64, f32 };
template <>
struct Names<VisibilityType> {
  static constexpr std::array<std::pair<std::string_view, VisibilityType>, 5> list{
      {{"auto", VisibilityType::automatic},
       {"i64", VisibilityType::i64},
       {"i32", VisibilityType::i32},
       {"f64", VisibilityType::f64},
       {"f32", VisibilityType::f32}}};
};
constexpr int bytes_of(VisibilityType type) {
  return type == VisibilityType::i32 || type == VisibilityType::f32 ? 4 : 8;
}

struct XEngineOptions {
  SampleType samples = SampleType::ci8;
  bool offset_binary = false;
  bool real_low = false;
  int average = 1;
  VisibilityOrder order = VisibilityOrder::triangular;
  VisibilityType output_type = VisibilityType::automatic;
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() {
    using O = XEngineOptions;
    return std::tuple_cat(
        std::tuple{
            field("samples", &O::samples, "type of the samples"),
            field("offset-binary", &O::offset_binary,
                  "integers are unsigned with an offset: with 8 bits, 128 means 0"),
            field("real-low", &O::real_low, "the real part of ci4 is the low half of the byte"),
            field("average", &O::average, "number of neighbouring channels that are added up",
                  Range{1}),
            field("order", &O::order, "order of the visibilities"),
            field("output-type", &O::output_type,
                  "type of the visibilities; auto: i64, or f64 for float samples; sums that i32 "
                  "cannot hold are saturated and counted"),
        },
        run_fields<O>());
  }
};

/// The visibilities that a dump writes.
struct VisibilityInfo {
  int channels = 0;      ///< after averaging
  long long values = 0;  ///< complex ones, per channel
  VisibilityType type = VisibilityType::i64;
  VisibilityOrder order = VisibilityOrder::triangular;

  bool operator==(const VisibilityInfo&) const = default;
  long long bytes() const { return 2 * values * channels * bytes_of(type); }
};

/// Packed visibilities, of the size given by VisibilityInfo.
struct VisibilityView {
  void* data = nullptr;
  int device = kHost;
};

struct XEngineDump {
  long long samples = 0;    ///< samples in time that were added
  long long saturated = 0;  ///< parts that i32 could not hold
  /// Number of samples in which both inputs of a value were valid, times the channels averaged; in
  /// the order of a channel's values. Empty: all of them.
  std::vector<long long> valid;
};

/// Sums while they grow. A state belongs to the plan that made it.
class TESSERA_API XEngineState {
 public:
  long long samples() const;  ///< added since the last dump

  struct Impl;
  explicit XEngineState(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  Impl& impl() const { return *impl_; }

 private:
  std::shared_ptr<Impl> impl_;
};

/// An array's shape, options and a chosen method. Immutable; copies share.
///
/// describe(): "xengine 64x2 inputs, 512 channels, ci8: cpu dot, neon-dot".
class TESSERA_API XEngine : public Plan {
 public:
  /// Throws Error(usage) with what would be right.
  explicit XEngine(const XEngineShape& shape, const XEngineOptions& options = {});

  const XEngineShape& shape() const;
  const XEngineOptions& options() const;
  const VisibilityInfo& output() const;

  XEngineState start() const;
  /// Adds a block of any length, on the host or on the plan's device. Work on a device is only
  /// enqueued; host memory may be freed when this returns, device memory when the stream is
  /// done.
  void add(XEngineState& state, const VoltageBlock& block, Stream& stream) const;
  /// Samples of which no input has data: they are counted and take no time, however many.
  void add_missing(XEngineState& state, long long samples) const;
  /// Writes the sums, on the host or on the plan's device, and clears them. Returns when done.
  XEngineDump dump(XEngineState& state, VisibilityView out, Stream& stream) const;
  void clear(XEngineState& state, Stream& stream) const;
};

/// Float samples are summed in float over at most this many before they go to double.
inline constexpr int kFloatRun = 256;

}  // namespace tessera
