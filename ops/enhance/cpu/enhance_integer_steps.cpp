// SPDX-License-Identifier: Apache-2.0
// Steps of u8 and u16 images: counts of values, curves by value, sums of whole weights.
#include "ops/enhance/cpu/enhance_counters.hpp"
#include "ops/enhance/cpu/enhance_kinds_of_steps.hpp"
#include "ops/enhance/cpu/enhance_plane_curves.hpp"
#include "ops/enhance/cpu/enhance_smooth_cpu.hpp"
#include "ops/enhance/cpu/enhance_steps_cpu.hpp"

namespace tessera {
namespace {

template <class T>
class IntegerSteps : public StepsCpu<T> {
 public:
  explicit IntegerSteps(const EnhanceProblem& problem)
      : StepsCpu<T>(problem), grey_(problem.grey), rows_(enhance_rows<T>()) {
    for (const EnhanceStage& stage : problem.stages) {
      smooth_.emplace_back();
      if (stage.step == EnhanceStep::smooth && problem.smoothing.exact())
        smooth_.back() = std::make_unique<const SmoothCpu<T>>(problem, stage.in, rows_);
    }
  }

 private:
  using StepsCpu<T>::problem_, StepsCpu<T>::piece_rows_;

  void count(const EnhanceStage& stage, const StageFinding&, int, const Piece& in, Rows rows,
             SweepCounts& counts, const Stream& stream) const override {
    const int width = stage.in.size.width, channels = stage.in.size.channels;
    Counters counters(problem_, stage.in, counts);
    const int piece_rows = counters.rows_at_once(piece_rows_);
    for_pieces(rows, piece_rows, stage.in.size.planes, stream, [&](int plane, Rows piece) {
      const Scratch gathered = this->row_of(stage.in);
      ThreadCounts& own = counters.take(plane);
      for (int row = piece.first; row < piece.end; ++row)
        counters.count_row(rows_, packed_row(in, plane, row, 0, width, gathered.as<T>()), width,
                           own);
      counters.give_back(own, 1LL * piece.count() * width * channels);
    });
    counters.finish();
  }

  void make_rows(std::size_t k, const EnhanceStage& stage, const StageFinding& finding,
                 const Piece& in, const MutablePiece& out, const Stream& stream) const override {
    const int width = stage.in.size.width;
    if (stage.step == EnhanceStep::smooth) return smooth(*smooth_[k], stage, in, out, stream);
    if (stage.step == EnhanceStep::grey)
      return this->each_row(stage.in, stage.out, in, out, stream, [&](int, const T* from, T* to) {
        rows_.grey(grey_, stage.in.size.channels, from, width, to);
      });
    const PlaneCurves<T> curves(problem_, stage, finding);
    this->each_row(stage.in, stage.out, in, out, stream, [&](int plane, const T* from, T* to) {
      rows_.follow(curves.of(plane), from, width, to);
    });
  }

  bool stays(const EnhanceStage&, const StageFinding&, int) const override {
    return false;  // (c V + V div 2) div V is c
  }

  void smooth(const SmoothCpu<T>& smoothing, const EnhanceStage& stage, const Piece& in,
              const MutablePiece& out, const Stream& stream) const {
    const int width = stage.in.size.width, columns = smoothing.block_columns();
    const int blocks = (width + columns - 1) / columns;
    for_pieces(out.rows(), piece_rows_, stage.in.size.planes * blocks, stream,
               [&](int index, Rows piece) {
                 const int plane = index / blocks, first = index % blocks * columns;
                 smoothing.run(
                     {plane, piece, first, std::min(width, first + columns)},
                     [&](int row, int x, int pixels, T* buffer) {
                       return packed_row(in, plane, row, x, pixels, buffer);
                     },
                     out);
               });
  }

  GreyWeights grey_;
  EnhanceRows<T> rows_;
  std::vector<std::unique_ptr<const SmoothCpu<T>>> smooth_;  ///< one per stage, or null
};

}  // namespace

EnhanceRunnerPointer make_integer_steps(const EnhanceProblem& problem) {
  if (problem.image.type == Type::u8) return std::make_unique<IntegerSteps<std::uint8_t>>(problem);
  return std::make_unique<IntegerSteps<std::uint16_t>>(problem);
}

}  // namespace tessera
