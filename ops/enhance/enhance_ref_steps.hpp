// SPDX-License-Identifier: Apache-2.0
/// What the references of integers and floats share: one image after another, whole or in pieces.
#pragma once

#include "core/stop.hpp"
#include "ops/enhance/enhance_problem.hpp"

namespace tessera {

template <class Work>
void for_pixels(Size size, Work work) {
  for (int plane = 0; plane < size.planes; ++plane)
    for (int y = 0; y < size.height; ++y) {
      poll_stop();
      for (int x = 0; x < size.width; ++x) work(x, y, plane);
    }
}

/// Rows of an image between two steps.
struct Held {
  Image image;
  Rows rows;  ///< of the whole image
  Piece piece() const { return {image.view(), rows.first}; }
};

class ReferenceSteps : public EnhanceRunner {
 public:
  explicit ReferenceSteps(const EnhanceProblem& problem) : problem_(problem) {}
  std::string describe() const override { return "pixel by pixel, one thread"; }
  void run(AnyView in, AnyMutableView out, EnhanceState::Impl* found,
           Stream& stream) const override;
  void look(const EnhanceState::Impl& state, const Piece& in, Rows rows, SweepCounts& counts,
            Stream& stream) const override;
  void make(const EnhanceState::Impl& state, const Piece& in, const MutablePiece& out,
            Stream& stream) const override;

 protected:
  /// Adds an image to the counts of a sweep, counted from the stage's first; not of clahe.
  virtual void count(const EnhanceStage&, const StageFinding&, int sweep, AnyView in,
                     SweepCounts& counts) const = 0;
  /// grey, contrast, equalise; or a smooth that is not a filter.
  virtual void change(const EnhanceStage&, const StageFinding&, const Held& before,
                      Held& result) const = 0;
  /// A colour that follows the maximum of all.
  virtual double followed(double colour, double value, double made) const = 0;

  EnhanceProblem problem_;

 private:
  Held after(const EnhanceState::Impl& state, const Piece& in, Rows rows, std::size_t steps,
             Stream& stream) const;
  void apply(const EnhanceStage&, const StageFinding&, const Held& before, Held& result,
             Stream& stream) const;
  Held value_of(const EnhanceStage&, const Held& colours) const;
  void follow(const EnhanceStage&, const StageFinding&, const Held& before, const Held& value,
              const Held& made, Held& result) const;
  void smooth_by_floats(const EnhanceStage&, const Held& before, Held& result,
                        Stream& stream) const;
};

EnhanceRunnerPointer make_integer_reference(const EnhanceProblem&);
EnhanceRunnerPointer make_float_reference(const EnhanceProblem&);

}  // namespace tessera
