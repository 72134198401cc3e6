// SPDX-License-Identifier: Apache-2.0
#include "ops/noise/rank/rank_boxes.hpp"

#include "ops/noise/noise_check.hpp"

namespace tessera {
namespace {

template <class AnyViewType>
AnyViewType one_channel(AnyViewType view, int channel, int plane) {
  view.data = view.address(0, 0, plane) + channel * bytes_of(view.type);
  view.size.channels = view.size.planes = 1;
  return view;
}

class EachChannel : public RankRunner {
 public:
  explicit EachChannel(NoiseRunnerPointer box) : box_(std::move(box)) {}
  std::string describe() const override { return box_->describe(); }
  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    for (int plane = 0; plane < out.view.size.planes; ++plane)
      for (int channel = 0; channel < out.view.size.channels; ++channel)
        box_->run({one_channel(in.view, channel, plane), in.first_row},
                  {one_channel(out.view, channel, plane), out.first_row}, stream);
  }

 private:
  NoiseRunnerPointer box_;
};

}  // namespace

NoiseProblem box_problem_of(const RankProblem& p) {
  ImageInfo image = p.image;
  image.size.channels = image.size.planes = 1;
  PercentileOptions options;
  options.box = {p.width, p.height};
  options.border = p.border;
  options.constant = p.constant;
  options.device = p.device;
  NoiseProblem problem = make_percentile_problem(image, p.percent, options);
  problem.operation = p.operation;
  return problem;
}

RankRunnerPointer for_each_channel(NoiseRunnerPointer box) {
  return std::make_unique<EachChannel>(std::move(box));
}

RankRunnerPointer make_rank_columns_cpu(const RankProblem& problem) {
  return for_each_channel(make_noise_columns_cpu(box_problem_of(problem)));
}
RankRunnerPointer make_rank_boxes_cpu(const RankProblem& problem) {
  return for_each_channel(make_noise_boxes_cpu(box_problem_of(problem)));
}
RankRunnerPointer make_rank_warps_cuda(const RankProblem& problem) {
  return for_each_channel(make_noise_warps_cuda(box_problem_of(problem)));
}
RankRunnerPointer make_rank_boxes_cuda(const RankProblem& problem) {
  return for_each_channel(make_noise_boxes_cuda(box_problem_of(problem)));
}

}  // namespace tessera
