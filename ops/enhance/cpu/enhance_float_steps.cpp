// SPDX-License-Identifier: Apache-2.0
// Steps of f32 and f64 images: grey, contrast by exact percentiles; smooth and clahe are those of
// all types.
#include <cmath>

#include "ops/enhance/cpu/enhance_counters.hpp"
#include "ops/enhance/cpu/enhance_float_rows.hpp"
#include "ops/enhance/cpu/enhance_kinds_of_steps.hpp"
#include "ops/enhance/cpu/enhance_steps_cpu.hpp"
#include "ops/enhance/enhance_floats.hpp"

namespace tessera {
namespace {

/// Counts 16 bits of the keys of finite samples, `step` samples apart: the upper ones, or those
/// that follow one of two beginnings. The exponent is in the upper ones, so infinities and NaN
/// begin as no finite value does.
template <class T>
struct KeyCounter {
  int shift;  ///< of the bits that are counted
  bool first;
  std::array<FloatBits<T>, 2> prefix;

  KeyCounter(int sweep, const FloatLimits& limits)
      : shift(8 * static_cast<int>(sizeof(T)) - 16 * (sweep + 1)),
        first(sweep == 0),
        prefix{static_cast<FloatBits<T>>(limits.prefix[0]),
               static_cast<FloatBits<T>>(limits.prefix[1])} {}

  void operator()(const T* in, long long count, int step, std::uint32_t* table) const {
    if (first) return count_first(in, count, step, table);
    for (long long k = 0; k < count; ++k, in += step) {
      const FloatBits<T> key = key_of(*in), begin = upper(key);
      if (begin == prefix[0])
        ++table[key >> shift & 0xFFFF];
      else if (begin == prefix[1])
        ++table[kKeyCounts + (key >> shift & 0xFFFF)];
    }
  }

 private:
  FloatBits<T> upper(FloatBits<T> key) const { return key >> shift >> 16; }
  void count_first(const T* in, long long count, int step, std::uint32_t* table) const {
    for (long long k = 0; k < count; ++k, in += step)
      if (std::isfinite(*in)) ++table[key_of(*in) >> shift];
  }
};

template <class T>
class FloatSteps : public StepsCpu<T> {
 public:
  explicit FloatSteps(const EnhanceProblem& problem)
      : StepsCpu<T>(problem), rows_(float_rows<T>()) {}

 private:
  using StepsCpu<T>::problem_, StepsCpu<T>::piece_rows_;

  int groups(const EnhanceStage& stage) const { return groups_of(problem_, stage.in); }
  static const FloatLimits& limits_of(const StageFinding& finding, std::size_t group) {
    static const FloatLimits unknown;
    return finding.limits.empty() ? unknown : finding.limits[group];
  }

  void count(const EnhanceStage& stage, const StageFinding& finding, int sweep, const Piece& in,
             Rows rows, SweepCounts& counts, const Stream& stream) const override {
    const int width = stage.in.size.width, channels = stage.in.size.channels;
    Counters counters(problem_, stage.in, counts, float_contrast_values(sweep));
    const int piece_rows = counters.rows_at_once(piece_rows_);
    for_pieces(rows, piece_rows, stage.in.size.planes, stream, [&](int plane, Rows piece) {
      const Scratch gathered = this->row_of(stage.in);
      ThreadCounts& own = counters.take(plane);
      for (int row = piece.first; row < piece.end; ++row)
        count_row(stage, finding, sweep, plane,
                  packed_row(in, plane, row, 0, width, gathered.template as<T>()), counters, own);
      counters.give_back(own, 1LL * piece.count() * width * channels);
    });
    counters.finish();
  }

  void count_row(const EnhanceStage& stage, const StageFinding& finding, int sweep, int plane,
                 const T* in, const Counters& counters, ThreadCounts& own) const {
    const int width = stage.in.size.width, channels = stage.in.size.channels;
    const auto first_group = static_cast<std::size_t>(plane * groups(stage));
    if (counters.plain())
      return KeyCounter<T>(sweep, limits_of(finding, first_group))(in, 1LL * width * channels, 1,
                                                                   counters.tables(own, 0));
    for (int c = 0; c < colours_of(stage.in); ++c) {
      const int group = groups(stage) == 1 ? 0 : c;
      const KeyCounter<T> counter(sweep, limits_of(finding, first_group + group));
      counter(in + c, width, channels, counters.tables(own, group));
    }
  }

  void make_rows(std::size_t, const EnhanceStage& stage, const StageFinding& finding,
                 const Piece& in, const MutablePiece& out, const Stream& stream) const override {
    const int width = stage.in.size.width, channels = stage.in.size.channels;
    this->each_row(stage.in, stage.out, in, out, stream, [&](int plane, const T* from, T* to) {
      if (stage.step == EnhanceStep::grey)
        rows_.grey(problem_.grey, channels, from, width, to);
      else
        stretch_row(stage, finding, plane, from, to);
    });
  }

  void stretch_row(const EnhanceStage& stage, const StageFinding& finding, int plane, const T* from,
                   T* to) const {
    const long long width = stage.in.size.width;
    const int channels = stage.in.size.channels, colours = colours_of(stage.in);
    const auto first_group = static_cast<std::size_t>(plane * groups(stage));
    if (groups(stage) == 1 && colours == channels) {
      const FloatLimits& limits = finding.limits[first_group];
      if (limits.none)
        std::copy_n(from, width * channels, to);
      else
        rows_.stretch(FloatStretch(limits), from, width * channels, to);
      return;
    }
    const Scratch one = host_scratch(2 * static_cast<std::size_t>(width) * sizeof(T));
    T *channel = one.template as<T>(), *made = channel + width;
    std::copy_n(from, width * channels, to);
    for (int c = 0; c < colours; ++c) {
      const FloatLimits& limits = finding.limits[first_group + (groups(stage) == 1 ? 0 : c)];
      if (limits.none) continue;
      for (long long x = 0; x < width; ++x) channel[x] = from[x * channels + c];
      rows_.stretch(FloatStretch(limits), channel, width, made);
      for (long long x = 0; x < width; ++x) to[x * channels + c] = made[x];
    }
  }

  bool stays(const EnhanceStage&, const StageFinding& finding, int plane) const override {
    return finding.limits[static_cast<std::size_t>(plane)].none;
  }

  FloatRows<T> rows_;
};

}  // namespace

EnhanceRunnerPointer make_float_steps(const EnhanceProblem& problem) {
  if (problem.image.type == Type::f32) return std::make_unique<FloatSteps<float>>(problem);
  return std::make_unique<FloatSteps<double>>(problem);
}

}  // namespace tessera
