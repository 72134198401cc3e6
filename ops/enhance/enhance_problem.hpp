// SPDX-License-Identifier: Apache-2.0
/// What the methods of enhance see: the checked problem, what sweeps find, and what methods must
/// make of both.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/choice.hpp"
#include "tessera/enhance.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"
#include "tune/table.hpp"

namespace tessera {

/// The weights of smooth; output (x, y) reads (x + i - anchor.x, y + j - anchor.y).
struct Smoothing {
  int width = 1, height = 1;
  Point anchor;
  /// Whole numbers, row by row; empty if the step is a float filter.
  std::vector<int> weights;
  /// weights(i, j) == across[i] * down[j] exactly, without negative numbers; empty if there are no
  /// such factors.
  std::vector<int> across, down;
  Image filter;  ///< of a float filter, else empty

  bool exact() const { return !weights.empty(); }
  bool separable() const { return !across.empty(); }
};

/// One step, and the image before and after it.
struct EnhanceStage {
  EnhanceStep step;
  ImageInfo in, out;
  int first_sweep = 0;  ///< the sweeps in which it looks at the image before it
  /// histogram, contrast, equalise: 1 (contrast of floats: float_contrast_sweeps());
  /// clahe: clahe_sweeps(); else 0
  int sweeps = 0;
};

struct EnhanceProblem {
  ImageInfo image, output;
  std::vector<EnhanceStage> stages;
  std::array<int, 3> grey{};  ///< weights over 2^16
  ContrastRule rule = ContrastRule::percentiles;
  /// Shares of the pixels in billionths: 0.35% are exactly 3'500'000; a double is not exact.
  long long low = 0, high = 0;
  long long threshold = 0;
  bool together = true;  ///< one curve for all colours
  bool value = false;    ///< it is the curve of their maximum; `together` is true then
  Point tiles;
  double clip = 0;
  Smoothing smoothing;
  int device = 0;  ///< where the CUDA methods run

  int sweeps() const {
    return stages.empty() ? 0 : stages.back().first_sweep + stages.back().sweeps;
  }
  int levels() const { return image.type == Type::u8 ? 256 : 65536; }
  bool floats() const { return !is_integer(image.type); }
  /// Rows before a stage that rows after it read; none lie outside the image.
  Rows reads_by(const EnhanceStage& stage, Rows rows) const;
  /// Rows of the input that rows after `stages` steps read.
  Rows reads(Rows rows, std::size_t stages) const;
};

/// Channels other than alpha, and the number of their curves.
inline int colours_of(const ImageInfo& image) {
  return image.size.channels - (image.size.channels % 2 == 0 ? 1 : 0);
}
inline int groups_of(const EnhanceProblem& p, const ImageInfo& image) {
  return p.together ? 1 : colours_of(image);
}

/// Whether a stage acts on the maximum of its colours, which follow it.
inline bool by_value(const EnhanceProblem& p, const EnhanceStage& stage) {
  return p.value && colours_of(stage.in) == 3 && stage.step != EnhanceStep::grey &&
         stage.step != EnhanceStep::smooth;
}
/// The stage as its step sees it: for an image of maxima, if it acts on them.
inline EnhanceStage as_seen(const EnhanceProblem& p, EnhanceStage stage) {
  if (by_value(p, stage)) stage.in.size.channels = stage.out.size.channels = 1;
  return stage;
}

/// The findings about the values of a plane and group of floats.
struct FloatLimits {
  /// contrast: the values that become 0 and 1; clahe: the darkest and brightest finite value.
  double low = 0, high = 0;
  bool none = true;  ///< the image stays as it is; until they are known
  /// contrast, between sweeps: the upper bits of the keys of both values, and the ranks of the
  /// values among those whose keys begin with them.
  std::array<std::uint64_t, 2> prefix{}, rank{};
  int first_level = 0, last_level = 0;  ///< clahe: the levels that become 0 and 1
};

/// The counts of one sweep: values of every plane and group in turn. Their number per plane and
/// group depends on the stage (256 or 65536 for histograms). Each sweep of floats says what its
/// numbers are (enhance_floats.hpp, enhance_clahe_shape.hpp).
struct SweepCounts {
  std::vector<std::uint64_t> values;
};

/// The finding of a stage after its sweeps, for every plane and group in turn.
struct StageFinding {
  std::vector<std::uint64_t> counts;  ///< levels() per plane and group
  std::vector<std::uint16_t> curve;   ///< contrast, equalise: levels() per plane and group
  std::vector<int> low, high;         ///< contrast: -1 if the image stays as it is
  std::vector<FloatLimits> limits;    ///< floats: contrast and clahe
  std::vector<SweepCounts> sweeps;    ///< clahe: what each of its sweeps found
};

struct EnhanceState::Impl {
  int sweep = 0;
  SweepCounts counts;                             ///< of the current sweep
  std::vector<StageFinding> findings;             ///< one per stage, filled as sweeps finish
  std::shared_ptr<const EnhanceProblem> problem;  ///< of the plan that started it
};

/// ceil(share * count) in exact integers, `share` in billionths.
long long rank_of(long long share, std::uint64_t count);

/// Low and high of a plane and group by the rule, and the curve that stretches them; `counts` and
/// `curve` have levels() values. Low is -1 and the curve the identity if nothing is stretched.
/// The same integers wherever it runs: a CUDA kernel has the same lines (enhance_curves.cuh).
void make_contrast_curve(const EnhanceProblem&, const std::uint64_t* counts, std::uint16_t* curve,
                         int& low, int& high);
void make_equalise_curve(const EnhanceProblem&, const std::uint64_t* counts, std::uint16_t* curve);

/// A method, ready to run. Immutable: any number of threads run it, each on its own stream.
class EnhanceRunner {
 public:
  virtual ~EnhanceRunner() = default;
  /// The whole image. `found`, if not null, gets the findings of the steps (after waiting for the
  /// device).
  virtual void run(AnyView in, AnyMutableView out, EnhanceState::Impl* found,
                   Stream& stream) const = 0;
  /// Adds `rows` of the image before the stage that owns sweep `state.sweep` to `counts`.
  virtual void look(const EnhanceState::Impl& state, const Piece& in, Rows rows,
                    SweepCounts& counts, Stream& stream) const = 0;
  /// Rows of the result, all sweeps done.
  virtual void make(const EnhanceState::Impl& state, const Piece& in, const MutablePiece& out,
                    Stream& stream) const = 0;
  virtual std::string describe() const = 0;  ///< "neon, 64 rows per strip"
};

using EnhanceMethod = Method<EnhanceProblem, EnhanceRunner>;
const std::vector<EnhanceMethod>& enhance_methods();

/// The key of the problem in tuning tables, and the sites of the CPU methods: rows per piece.
ProblemKey problem_key(const EnhanceProblem&);
inline constexpr const char* kEnhanceFusedCpuSite = "enhance.fused.cpu@1";
inline constexpr const char* kEnhanceStepsCpuSite = "enhance.steps.cpu@1";
inline constexpr int kUsualPieceRows = 64;

/// Why only the CPU's steps and the reference can run it: floats, channels `value`; "" or the
/// reason.
std::string why_only_steps(const EnhanceProblem&);
/// Why the fused methods cannot run the steps: they take [grey] [histogram] [contrast or equalise]
/// [smooth], in that order, each at most once, with exact separable weights; "" or the reason.
std::string why_not_fused(const EnhanceProblem&);

using EnhanceRunnerPointer = std::unique_ptr<const EnhanceRunner>;
EnhanceRunnerPointer make_enhance_reference(const EnhanceProblem&);
EnhanceRunnerPointer make_enhance_steps_cpu(const EnhanceProblem&);
EnhanceRunnerPointer make_enhance_fused_cpu(const EnhanceProblem&);
EnhanceRunnerPointer make_enhance_steps_cuda(const EnhanceProblem&);
EnhanceRunnerPointer make_enhance_fused_cuda(const EnhanceProblem&);

}  // namespace tessera
