// SPDX-License-Identifier: Apache-2.0
/// Makes a scanned map or a microscope slide readable: grey, histogram, contrast, smoothing, each
/// alone or chained in any order.
///
///     tessera::Image readable = tessera::enhance(scan);          // grey, contrast, smooth
///     tessera::Image local = tessera::enhance(scan, {.steps = "grey,clahe"});
///
/// Or make the plan once and run it many times, from any number of threads:
///
///     tessera::Enhance plan({{8773, 5352, 3}, tessera::Type::u8});
///     plan(in, out);                       // in and out must not overlap
///
/// Steps of u8 and u16 images are integer arithmetic (clahe: exactly rounded double): every
/// backend, method, SIMD target, number of threads and division into strips gives the same bytes.
/// With M the type's largest value (255, 65535) and div rounding down:
///
///   grey       (wr R + wg G + wb B + 2^15) div 2^16, weights over 2^16. `classic` weights are 77,
///              151 and 28 times 256. Images of 1 channel, or 2 with alpha, stay as they are.
///   histogram  counts every value; the image stays as it is.
///   contrast   clamp(((v - low) M + (high - low) div 2) div (high - low), 0, M). With rule
///              percentiles, the p-th percentile is the smallest v with count(<= v) >= ceil(p N);
///              with rule threshold, low and high are the first and last value with more than
///              `threshold` pixels. If low is not below high the image stays as it is.
///   equalise   ((count(<= v) - n) M + (N - n) div 2) div (N - n), n the number of pixels of the
///              darkest value present. An image of one value stays as it is.
///   clahe      adaptive histogram equalisation like scikit-image's equalize_adapthist, including
///              its rescaling to the full range; within one level of it.
///   smooth     (sum of w v + W div 2) div W over the weights w whose pixel is inside the image, W
///              their sum, clamped to 0 and M. If W is not positive the pixel stays as it is.
///
/// Images of f32 and f64 (on the CPU) take these steps; what is computed in double is rounded to
/// the type at the end. All except smooth give the same bytes everywhere, too:
///
///   grey       wr R + wg G + wb B, weights over 2^16.
///   contrast   clamp((v - low) / (high - low), 0, 1) by percentiles of the finite values, exactly:
///              the smallest value present with count(<= v) >= ceil(p N), N finite values. NaN
///              stays NaN. If low is not below high the image stays as it is.
///   clahe      results of 0 to 1, bit for bit those of equalize_adapthist for images that lie in 0
///              to 1 and span a quarter of it (ops/enhance/README.md has the others). NaN stays NaN
///              and counts as the darkest value, infinities as the darkest and the brightest. An
///              image of one finite value stays as it is.
///   smooth     convolve with border inside and weights divided by their sum.
///
/// Colours with channels `value` keep their hue: contrast, equalise and clahe act on the brightest
/// channel V = max(R, G, B) and make V' of it; a channel c becomes (c V' + V div 2) div V, or V' if
/// V is 0; floats c V' / V, or V' if V is not above 0 (a pixel with NaN becomes NaN).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "tessera/export.hpp"
#include "tessera/image.hpp"
#include "tessera/options.hpp"
#include "tessera/plan.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

enum class EnhanceStep : unsigned char { grey, histogram, contrast, equalise, clahe, smooth };
template <>
struct Names<EnhanceStep> {
  static constexpr std::array<std::pair<std::string_view, EnhanceStep>, 6> list{
      {{"grey", EnhanceStep::grey},
       {"histogram", EnhanceStep::histogram},
       {"contrast", EnhanceStep::contrast},
       {"equalise", EnhanceStep::equalise},
       {"clahe", EnhanceStep::clahe},
       {"smooth", EnhanceStep::smooth}}};
};

enum class ContrastRule : unsigned char { percentiles, threshold };
template <>
struct Names<ContrastRule> {
  static constexpr std::array<std::pair<std::string_view, ContrastRule>, 2> list{
      {{"percentiles", ContrastRule::percentiles}, {"threshold", ContrastRule::threshold}}};
};

/// `together`: one curve for all colours, counted together. `each`: one curve per channel. `value`:
/// one curve for the brightest channel, which the others follow in proportion, on the CPU.
enum class ChannelCurves : unsigned char { together, each, value };
template <>
struct Names<ChannelCurves> {
  static constexpr std::array<std::pair<std::string_view, ChannelCurves>, 3> list{
      {{"together", ChannelCurves::together},
       {"each", ChannelCurves::each},
       {"value", ChannelCurves::value}}};
};

struct EnhanceOptions {
  std::string steps = "grey,contrast,smooth";
  std::string grey = "classic";
  ContrastRule rule = ContrastRule::percentiles;
  double low = 0.35;
  double high = 99.65;
  long long threshold = 80;
  ChannelCurves channels = ChannelCurves::together;
  Point tiles{8, 8};
  double clip = 0.01;
  std::string smooth = "triangle:5";
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() {
    using O = EnhanceOptions;
    return std::tuple_cat(
        std::tuple{
            field("steps", &O::steps,
                  "what to do, in this order: grey, histogram, contrast, equalise, clahe, smooth"),
            field("grey", &O::grey,
                  "weights of red, green and blue: classic, bt601, bt709, or three integers over "
                  "65536 such as 19712,38656,7168"),
            field("rule", &O::rule, "how contrast finds the values that become black and white"),
            field("low", &O::low, "share of the pixels that may become black",
                  Range{0, 100, "percent"}),
            field("high", &O::high, "percentile at and above which pixels become white",
                  Range{0, 100, "percent"}),
            field("threshold", &O::threshold,
                  "with rule threshold: only values with more pixels than this count",
                  Range{.lowest = 0, .unit = "pixels"}),
            field("channels", &O::channels,
                  "colours share one curve (together), have their own (each), or keep their hue "
                  "while their brightest channel takes the step (value)"),
            // More than 256 tiles each way: their counts would take over 128 MiB per plane.
            field("tiles", &O::tiles, "how many tiles clahe has each way", Range{1, 256}),
            field("clip", &O::clip, "clip limit of clahe; more is more contrast", Range{0, 1}),
            field("smooth", &O::smooth,
                  "weights of smooth: triangle:N, binomial:N, ones:WxH, or a filter of convolve "
                  "such as gauss:2 (rounded from floats: bytes differ between machines)"),
        },
        run_fields<O>());
  }
};

/// The finding of a step that measures the whole image, for one plane: for its colours together or
/// their value, or for one channel.
struct EnhanceFinding {
  EnhanceStep step = EnhanceStep::histogram;
  int plane = 0;
  std::optional<int> channel;         ///< none: all colours together
  std::vector<std::uint64_t> counts;  ///< of every value the step saw, 256 or 65536; floats: empty
  std::optional<double> low, high;    ///< contrast: the values that became black and white, if any
  std::vector<std::uint16_t>
      curve;  ///< contrast, equalise: the result of each value; floats: empty
};

/// The state of a plan that is run in pieces: what the sweeps over the image have found so far.
class TESSERA_API EnhanceState {
 public:
  int sweep() const;                             ///< the next one, counted from 0
  std::vector<EnhanceFinding> findings() const;  ///< of the finished sweeps, in order
  /// The numbers of the current sweep so far, for Enhance::add_counts; a copy.
  std::vector<std::uint64_t> counts() const;

  struct Impl;
  explicit EnhanceState(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  Impl& impl() const { return *impl_; }

 private:
  std::shared_ptr<Impl> impl_;
};

/// Steps, an image size and type, and a chosen method. Immutable; copies share.
///
/// Images have 1 to 4 channels: u8 and u16 with any steps; f32 and f64 without histogram, equalise
/// and rule threshold, which count values, and on the CPU. The last of 2 or 4 channels is alpha and
/// is kept. Planes are treated one by one. The result has the image's type, and 1 channel (2
/// with alpha) if grey is among the steps.
///
/// describe(): "enhance 8773x5352x3 u8, grey, contrast, smooth: cpu fused, neon, 64 rows per
/// strip".
class TESSERA_API Enhance : public ImagePlan {
 public:
  /// Weights given as an image replace options.smooth: whole numbers are exact, others
  /// make the step a float filter. Throws Error(usage) with what would be right.
  explicit Enhance(const ImageInfo& image, const EnhanceOptions& options = {},
                   AnyView weights = {});

  Rows needs(Rows out) const;     ///< the input rows that those output rows read; may lie outside
  int source_row(int row) const;  ///< the image row that replaces a row outside: always none

  /// The whole image, on this thread's stream; returns when done.
  void operator()(AnyView in, AnyMutableView out) const;
  /// The same on a stream; work on a device is only enqueued.
  void operator()(AnyView in, AnyMutableView out, Stream& stream) const;

  /// Images larger than memory, in pieces. Contrast must have seen the whole image before the first
  /// row of the result can be made, so there are several sweeps over the image:
  ///
  ///     EnhanceState state = plan.start();
  ///     for (int sweep = 0; sweep < plan.sweeps(); ++sweep) {
  ///       for (Rows rows : pieces)
  ///         plan.look(state, piece_with(plan.look_needs(sweep, rows)), rows, stream);
  ///       plan.finish_sweep(state);
  ///     }
  ///     for (Rows rows : pieces)
  ///       plan(state, piece_with(plan.needs(rows)), out_piece(rows), stream);
  int sweeps() const;
  EnhanceState start() const;
  Rows look_needs(int sweep, Rows rows) const;
  /// Adds rows to the current sweep; each row once, in any order. Waits for a device.
  void look(EnhanceState& state, const Piece& in, Rows rows, Stream& stream) const;
  /// Adds the numbers that another state has found in other rows of the image, in the same sweep of
  /// the same plan: processes that share an image exchange them before they finish a sweep.
  void add_counts(EnhanceState& state, std::span<const std::uint64_t> counts) const;
  void finish_sweep(EnhanceState& state) const;
  /// Rows of the result, after all sweeps.
  void operator()(const EnhanceState& state, const Piece& in, const MutablePiece& out,
                  Stream& stream) const;
  /// All sweeps over an image in memory: the findings of its steps.
  EnhanceState examine(AnyView in, Stream& stream) const;
};

/// Plan, run, return; for one image.
TESSERA_API Image enhance(AnyView in, const EnhanceOptions& options = {});

/// Exact counts of all values, of colours together or each separately; alpha is not counted.
TESSERA_API std::vector<EnhanceFinding> histogram(AnyView in,
                                                  ChannelCurves channels = ChannelCurves::each);

/// Integer weights by name: "triangle:5", "binomial:5", "ones:3x3"; else a filter of convolve.
/// Throws Error(usage) naming what would be right.
TESSERA_API Image smoothing_from_text(std::string_view text);

}  // namespace tessera
