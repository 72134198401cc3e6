// SPDX-License-Identifier: Apache-2.0
/// The CPU method for any steps in any order: each is a pass over all rows, and the images between
/// two passes are kept in memory. This is what the steps of integers and of floats share.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "ops/enhance/cpu/enhance_packed_rows.hpp"
#include "ops/enhance/cpu/enhance_value_rows.hpp"
#include "ops/enhance/enhance_problem.hpp"
#include "tessera/convolve.hpp"

namespace tessera {

/// Rows of the image between two steps: the caller's memory, or our own.
struct Between {
  Piece piece;
  Scratch memory{};
};

inline AnyView rows_of(const Piece& piece, Rows rows) {
  return piece.view.rows(rows.first - piece.first_row, rows.count());
}

template <class T>
class StepsCpu : public EnhanceRunner {
 public:
  explicit StepsCpu(const EnhanceProblem& problem);
  std::string describe() const override;
  void run(AnyView in, AnyMutableView out, EnhanceState::Impl* found,
           Stream& stream) const override;
  void look(const EnhanceState::Impl& state, const Piece& in, Rows rows, SweepCounts& counts,
            Stream& stream) const override;
  void make(const EnhanceState::Impl& state, const Piece& in, const MutablePiece& out,
            Stream& stream) const override;

 protected:
  /// Adds rows to the counts of the stage's own sweep; clahe counts by itself.
  virtual void count(const EnhanceStage&, const StageFinding&, int sweep, const Piece& in,
                     Rows rows, SweepCounts& counts, const Stream& stream) const = 0;
  /// Rows after grey, contrast, equalise, or a smooth that is not a filter of convolve.
  virtual void make_rows(std::size_t k, const EnhanceStage&, const StageFinding&, const Piece& in,
                         const MutablePiece& out, const Stream& stream) const = 0;
  /// Whether a plane stays as it is in the stage; colours then do not follow their value.
  virtual bool stays(const EnhanceStage&, const StageFinding&, int plane) const = 0;

  static Scratch row_of(const ImageInfo& image) {
    return host_scratch(static_cast<std::size_t>(image.size.width) *
                        static_cast<std::size_t>(image.size.channels) * sizeof(T));
  }
  void each_row(const ImageInfo& before, const ImageInfo& after, const Piece& in,
                const MutablePiece& out, const Stream& stream,
                const std::function<void(int plane, const T* from, T* to)>& work) const;

  EnhanceProblem problem_;
  int piece_rows_ = 64;

 private:
  Between after(const EnhanceState::Impl& state, const Piece& in, Rows rows, std::size_t steps,
                const MutablePiece& out, Stream& stream) const;
  void go_on(std::size_t k, const StageFinding& finding, Between& now, Rows rows,
             const MutablePiece& out, Stream& stream) const;
  static void end(const Between& now, const MutablePiece& out);
  void look_at(const EnhanceStage& stage, const StageFinding& finding, int sweep, const Piece& in,
               Rows rows, SweepCounts& counts, Stream& stream) const;
  void apply(std::size_t k, const StageFinding& finding, const Piece& in, const MutablePiece& out,
             Stream& stream) const;
  void apply_plainly(std::size_t k, const EnhanceStage&, const StageFinding&, const Piece& in,
                     const MutablePiece& out, const Stream& stream) const;
  void apply_to_value(std::size_t k, const StageFinding& finding, const Piece& in,
                      const MutablePiece& out, const Stream& stream) const;
  Between value_of(const EnhanceStage& stage, const Piece& in, Rows rows,
                   const Stream& stream) const;

  std::vector<std::unique_ptr<const Convolve>> filters_;  ///< one per stage, or null
  ValueRows<T> value_{};
  std::string isa_;
};

}  // namespace tessera
