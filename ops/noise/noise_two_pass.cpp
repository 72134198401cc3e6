// SPDX-License-Identifier: Apache-2.0
#include "ops/noise/noise_two_pass.hpp"

#include "core/parallel.hpp"
#include "ops/noise/cuda/noise_subtract_cuda.hpp"
#include "ops/noise/noise_buffer.hpp"

namespace tessera {
namespace {

constexpr int kTwoPassPieceRows = 32;

/// Keeps only this map and the quantiles that it is made from. Not in mode binned, where any of a
/// pixel's quantiles decides whether the pixel is computed exactly.
void keep_map(NoiseProblem& p, std::size_t map) {
  if (p.estimator != NoiseEstimator::iqr || p.mode != NoiseMode::exact) return;
  NoisePlane plane = p.planes[map];
  std::vector<double> orders{p.orders[static_cast<std::size_t>(plane.low)]};
  plane.low = 0;
  if (plane.high >= 0) {
    orders.push_back(p.orders[static_cast<std::size_t>(plane.high)]);
    plane.high = 1;
  }
  p.orders = orders;
  p.planes = {plane};
  p.output.size.planes = 1;
}

template <class T, class Map>
void subtract_rows(const NoiseBlanks& blanks, View<const T> in, View<const Map> background,
                   View<Map> difference) {
  for (int y = 0; y < in.size.height; ++y)
    for (int x = 0; x < in.size.width; ++x)
      difference.at(x, y) = noise_difference(blanks, in.at(x, y), background.at(x, y));
}

template <class T>
void subtract_typed(const NoiseBlanks& blanks, AnyView in, AnyView background, AnyMutableView out) {
  if (out.type == Type::f64)
    subtract_rows(blanks, in.as<const T>(), background.as<const double>(), out.as<double>());
  else
    subtract_rows(blanks, in.as<const T>(), background.as<const float>(), out.as<float>());
}

void subtract_on_host(const NoiseBlanks& blanks, AnyView in, AnyView background,
                      AnyMutableView difference, const Stream& stream) {
  for_pieces({0, in.size.height}, kTwoPassPieceRows, stream, [&](Rows rows) {
    const AnyView part = in.rows(rows.first, rows.count());
    const AnyView map = background.rows(rows.first, rows.count());
    const AnyMutableView to = difference.rows(rows.first, rows.count());
    if (in.type == Type::u8) subtract_typed<unsigned char>(blanks, part, map, to);
    if (in.type == Type::u16) subtract_typed<unsigned short>(blanks, part, map, to);
    if (in.type == Type::f32) subtract_typed<float>(blanks, part, map, to);
    if (in.type == Type::f64) subtract_typed<double>(blanks, part, map, to);
  });
}

/// A background on the host is copied to the device first.
void subtract_on_device(const NoiseProblem& problem, AnyView in, AnyView background,
                        AnyMutableView difference, Stream& stream) {
  if (background.device != kHost)
    return launch_noise_subtract(problem, in, background, difference, stream);
  ImageInfo there = background.info();
  there.device = in.device;
  const NoiseBuffer brought(there, {0, there.size.height}, stream);
  copy_anywhere(background, brought.plane(0), stream);
  launch_noise_subtract(problem, in, brought.plane(0), difference, stream);
  stream.wait();  // for the copy, which reads the caller's memory
}

class TwoPass : public NoiseRunner {
 public:
  TwoPass(const NoiseProblem& problem, const NoiseMethod& method)
      : problem_(problem),
        first_(first_pass(problem)),
        second_(second_pass(problem)),
        background_(method.make(first_)),
        noise_(method.make(second_)) {}

  std::string describe() const override { return noise_->describe(); }

  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    const Rows rows = problem_.difference_rows(out.rows());
    const NoiseBuffer background(first_.output, rows, stream);
    const NoiseBuffer difference(second_.image, rows, stream);
    background_->run(in, background.piece(), stream);
    subtract_background(problem_, in.view.rows(rows.first - in.first_row, rows.count()),
                        background.plane(0), difference.plane(0), stream);
    MutablePiece made = out;
    if (second_.output.size.planes == 1) made.view = out.view.only_plane(1);
    noise_->run({difference.plane(0), rows.first}, made, stream);
    stream.wait();  // for what the runner itself may write to plane 0
    copy_anywhere(background.plane(0).rows(out.first_row - rows.first, out.view.size.height),
                  out.view.only_plane(0), stream);
    stream.wait();
  }

 private:
  NoiseProblem problem_, first_, second_;
  NoiseRunnerPointer background_, noise_;
};

}  // namespace

NoiseProblem first_pass(const NoiseProblem& problem) {
  NoiseProblem first = problem;
  first.two_pass = false;
  if (first.estimator == NoiseEstimator::mad) {  // its background is a quantile
    first.estimator = NoiseEstimator::iqr;
    first.planes = {{.low = 0}};
  }
  keep_map(first, 0);
  return first;
}

NoiseProblem second_pass(const NoiseProblem& problem) {
  NoiseProblem second = problem;
  second.two_pass = false;
  second.image.type = problem.output.type;
  second.blanks.zero = false;  // blanks are NaN by now, and a difference of 0 is a valid value
  keep_map(second, 1);
  return second;
}

void subtract_background(const NoiseProblem& problem, AnyView in, AnyView background,
                         AnyMutableView difference, Stream& stream) {
  if (in.device != kHost) return subtract_on_device(problem, in, background, difference, stream);
  stream.wait();
  subtract_on_host(problem.blanks, in, background, difference, stream);
}

NoiseRunnerPointer make_noise_runner(const NoiseProblem& problem, const NoiseMethod& method) {
  if (!problem.two_pass) return method.make(problem);
  return std::make_unique<TwoPass>(problem, method);
}

}  // namespace tessera
