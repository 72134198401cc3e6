// SPDX-License-Identifier: Apache-2.0
#include "ops/noise/cuda/noise_boxes_cuda.hpp"

#include <fmt/format.h>

#include "core/piece_launch.hpp"

namespace tessera {
namespace {

/// Boxes of up to this many pixels are processed by a warp, which waits less for each result.
constexpr int kWarpPixels = 1024;
/// Shared memory per block, so that several blocks fit on a multiprocessor.
constexpr int kSharedBytes = 48 << 10;

int threads_for(NoiseBox box) {
  return box.width * box.height <= kWarpPixels ? kNoiseWarp : kNoiseBoxThreads;
}

template <class T>
unsigned long long outside_key(const NoiseProblem& p) {
  const T value = static_cast<T>(p.constant);
  return p.border != Border::constant || p.blanks(value) ? kBlankKey<T> : NoiseKeys<T>::of(value);
}
unsigned long long outside_key(const NoiseProblem& p) {
  switch (p.image.type) {
    case Type::u8:
      return outside_key<unsigned char>(p);
    case Type::u16:
      return outside_key<unsigned short>(p);
    case Type::f32:
      return outside_key<float>(p);
    default:
      return outside_key<double>(p);
  }
}

NoiseBoxWay way_of(NoiseEstimator estimator) {
  switch (estimator) {
    case NoiseEstimator::mad:
      return NoiseBoxWay::mad;
    case NoiseEstimator::clip:
      return NoiseBoxWay::clip;
    case NoiseEstimator::mode:
      return NoiseBoxWay::mode;
    default:
      return NoiseBoxWay::quantiles;
  }
}

int key_bytes(const NoiseProblem& p) { return p.image.type == Type::f64 ? 8 : 4; }

const GpuKernel& kernel_for(const NoiseProblem& p, int threads) {
  const std::string body =
      fmt::format("noise_boxes_point<{}, {}>", kernel_type(p.image.type), threads);
  return noise_kernel(p, {"noise_boxes",
                          fmt::format("noise_boxes_{}_{}", name_of(p.image.type),
                                      threads == kNoiseWarp ? "warp" : "block"),
                          body, "NoiseBoxesArgs", std::to_string(threads)});
}

class BoxesRunner : public NoiseRunner {
 public:
  explicit BoxesRunner(const NoiseProblem& problem) : launch_(problem) {}
  std::string describe() const override { return launch_.describe(); }
  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    run_noise_on_device(launch_.problem(), in, out, stream,
                        [this](const Piece& device_in, const MutablePiece& device_out,
                               Stream& lane) { launch_.pixels(device_in, device_out, lane); });
  }

 private:
  NoiseBoxesLaunch launch_;
};

}  // namespace

NoiseBoxesArgs noise_boxes_args(const NoiseProblem& p) {
  NoiseBoxesArgs a{};
  a.box_width = p.box.width;
  a.box_height = p.box.height;
  a.way = way_of(p.estimator);
  a.rule = noise_rule(p);
  a.blanks = p.blanks;
  a.outside = outside_key(p);
  a.keeps = true;
  a.keeps = noise_boxes_shared_bytes(a, key_bytes(p)) <= kSharedBytes;
  return a;
}

NoiseBoxesLaunch::NoiseBoxesLaunch(const NoiseProblem& problem)
    : problem_(problem),
      args_(noise_boxes_args(problem)),
      threads_(threads_for(problem.box)),
      kernel_(kernel_for(problem, threads_)) {}

std::string NoiseBoxesLaunch::describe() const {
  return fmt::format("device {}, {} per box, {}", problem_.device,
                     threads_ == kNoiseWarp ? "one warp" : "one block", kernel_.origin());
}

void NoiseBoxesLaunch::pixels(const Piece& in, const MutablePiece& out, Stream& stream) const {
  launch(args_, in, out, stream);
}

void NoiseBoxesLaunch::points(const Piece& in, const NoisePoints& lattice, const MutablePiece& out,
                              Stream& stream) const {
  NoiseBoxesArgs args = args_;
  args.rule.nomask = true;
  args.columns = lattice.columns.as<int>();
  args.rows = lattice.rows.as<int>();
  launch(args, in, out, stream);
  lattice.columns.used_by(stream);
  lattice.rows.used_by(stream);
}

void NoiseBoxesLaunch::launch(NoiseBoxesArgs args, const Piece& in, const MutablePiece& out,
                              Stream& stream) const {
  args.out_type = out.view.type;
  static_cast<PieceArgs&>(args) = noise_piece(problem_, in, out);
  const int bytes = noise_boxes_shared_bytes(args, key_bytes(problem_));
  each_launch(out, 1, 1, [&](Rows rows, int plane, int) {
    move_to_part(args, in, out, rows, plane);
    kernel_.launch(
        stream, {static_cast<unsigned>(out.view.size.width), static_cast<unsigned>(rows.count())},
        {static_cast<unsigned>(threads_)}, bytes, args);
  });
}

NoiseRunnerPointer make_noise_boxes_cuda(const NoiseProblem& problem) {
  return std::make_unique<BoxesRunner>(problem);
}

}  // namespace tessera
