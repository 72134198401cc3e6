// SPDX-License-Identifier: Apache-2.0
#include "ops/noise/noise_two_pass.hpp"

#include <limits>

#include "core/parallel.hpp"
#include "ops/noise/noise_buffer.hpp"

namespace tessera {
namespace {

constexpr int kPieceRows = 32;

NoiseProblem first_pass(NoiseProblem problem) {
  problem.two_pass = false;
  return problem;
}

template <class T, class Map>
void subtract_rows(const NoiseBlanks& blanks, View<const T> in, View<const Map> background,
                   View<Map> difference) {
  for (int y = 0; y < in.size.height; ++y)
    for (int x = 0; x < in.size.width; ++x) {
      const T v = in.at(x, y);
      const double d = static_cast<double>(v) - static_cast<double>(background.at(x, y));
      difference.at(x, y) = blanks(v) ? std::numeric_limits<Map>::quiet_NaN() : static_cast<Map>(d);
    }
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
  for_pieces({0, in.size.height}, kPieceRows, stream, [&](Rows rows) {
    const AnyView part = in.rows(rows.first, rows.count());
    const AnyView map = background.rows(rows.first, rows.count());
    const AnyMutableView to = difference.rows(rows.first, rows.count());
    if (in.type == Type::u8) subtract_typed<unsigned char>(blanks, part, map, to);
    if (in.type == Type::u16) subtract_typed<unsigned short>(blanks, part, map, to);
    if (in.type == Type::f32) subtract_typed<float>(blanks, part, map, to);
    if (in.type == Type::f64) subtract_typed<double>(blanks, part, map, to);
  });
}

/// By way of the host.
void subtract_on_device(const NoiseBlanks& blanks, AnyView in, AnyView background,
                        AnyMutableView difference, Stream& stream) {
  const Image image = on_host(in, stream), map = on_host(background, stream);
  Image result(difference.info());
  subtract_on_host(blanks, image.view(), map.view(), result.view(), Stream());
  copy_anywhere(result.view(), difference, stream);
  stream.wait();
}

class TwoPass : public NoiseRunner {
 public:
  TwoPass(const NoiseProblem& problem, const NoiseMethod& method)
      : problem_(problem),
        difference_(second_pass(problem).image),
        background_(method.make(first_pass(problem))),
        noise_(method.make(second_pass(problem))) {}

  std::string describe() const override { return noise_->describe(); }

  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    const Rows rows = problem_.difference_rows(out.rows());
    const NoiseBuffer maps(problem_.output, rows, stream), difference(difference_, rows, stream);
    background_->run(in, maps.piece(), stream);
    subtract_background(problem_, in.view.rows(rows.first - in.first_row, rows.count()),
                        maps.plane(0), difference.plane(0), stream);
    noise_->run({difference.plane(0), rows.first}, out, stream);
    stream.wait();  // for what the runner itself writes to plane 0
    copy_anywhere(maps.plane(0).rows(out.first_row - rows.first, out.view.size.height),
                  out.view.only_plane(0), stream);
    stream.wait();
  }

 private:
  NoiseProblem problem_;
  ImageInfo difference_;
  NoiseRunnerPointer background_, noise_;
};

}  // namespace

NoiseProblem second_pass(const NoiseProblem& problem) {
  NoiseProblem second = first_pass(problem);
  second.image.type = problem.output.type;
  second.blanks.zero = false;  // they are NaN by now, and a difference of 0 is as good as any
  return second;
}

void subtract_background(const NoiseProblem& problem, AnyView in, AnyView background,
                         AnyMutableView difference, Stream& stream) {
  stream.wait();
  if (in.device == kHost)
    subtract_on_host(problem.blanks, in, background, difference, stream);
  else
    subtract_on_device(problem.blanks, in, background, difference, stream);
}

NoiseRunnerPointer make_noise_runner(const NoiseProblem& problem, const NoiseMethod& method) {
  if (!problem.two_pass) return method.make(problem);
  return std::make_unique<TwoPass>(problem, method);
}

}  // namespace tessera
