// SPDX-License-Identifier: Apache-2.0
// The running method on a GPU: sums down the columns go through device memory, some rows at a time.
#include <fmt/format.h>

#include <algorithm>

#include "ops/convolve/box_sums.hpp"
#include "ops/convolve/cuda/convolve_cuda.hpp"
#include "ops/convolve/cuda/convolve_running_args.cuh"

namespace tessera {
namespace {

/// Sums of columns in memory at once: about what a second-level cache holds.
constexpr long long kSumsBytes = 32 << 20;

/// The kernels sum in 32 bits what 16 would hold.
BoxSumType device_type(const BoxSums& sums) { return std::max(sums.type, BoxSumType::i32); }
int device_bytes(const BoxSums& sums) { return device_type(sums) == BoxSumType::i32 ? 4 : 8; }

int running_shared_bytes(const ConvolveProblem& p) {
  return kRunningArrays * device_bytes(box_sums(p)) *
         running_samples(p.filter_width, p.image.size.channels);
}

class RunningCuda : public ConvolveCudaRunner {
 public:
  explicit RunningCuda(const ConvolveProblem& p)
      : ConvolveCudaRunner(p),
        sums_(box_sums(p)),
        columns_(entry(p, "columns", name_of(p.image.type), name_of(device_type(sums_)))),
        rows_(entry(p, "rows", name_of(device_type(sums_)), name_of(p.output.type))) {}

  std::string describe() const override {
    return fmt::format("device {}, sums in {}", problem().device, name_of(device_type(sums_)));
  }

 protected:
  void launch(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    RunningArgs args{};
    fill(args, in, out);
    args.weight = sums_.weight;
    args.outside = sums_.outside;
    args.scale = sums_.scale;
    const Size size = out.view.size;
    const long long row_bytes = 1LL * device_bytes(sums_) * args.width * args.channels;
    // Fewer rows than the filter has would mostly add pixels that the next rows add again.
    const int most = static_cast<int>(
        std::min<long long>({size.height, kMostBlocks,
                             std::max<long long>(args.filter_height, kSumsBytes / row_bytes)}));
    const Scratch sums = stream.scratch(static_cast<std::size_t>(row_bytes * most));
    args.sums = sums.data();
    for (int plane = 0; plane < size.planes; ++plane)
      for (int row = 0; row < size.height; row += most) {
        move_to_part(args, in, out, {row, std::min(row + most, size.height)}, plane);
        launch_part(args, stream);
      }
  }

 private:
  static const GpuKernel& entry(const ConvolveProblem& p, const char* step, std::string_view from,
                                std::string_view to) {
    return find_kernel(
        p.device, {"convolve_running", fmt::format("running_{}_{}_{}", step, from, to), "", ""});
  }

  void launch_part(const RunningArgs& args, Stream& stream) const {
    const int height = args.filter_height;
    const int runs = (args.made.end - 1) / height - args.made.first / height + 1;
    columns_.launch(stream,
                    {blocks_for(1LL * args.width * args.channels, kRunningThreads),
                     static_cast<unsigned>(runs)},
                    {kRunningThreads}, 0, args);
    rows_.launch(stream,
                 {blocks_for(1LL * args.out_width * args.channels, kRunningTile),
                  static_cast<unsigned>(args.made.count())},
                 {kRunningThreads}, running_shared_bytes(problem()), args);
  }

  BoxSums sums_;
  const GpuKernel& columns_;
  const GpuKernel& rows_;
};

}  // namespace

std::string why_not_running_on_device(const ConvolveProblem& p) {
  const int most = device_info(p.device).shared_bytes_per_block;
  if (p.filter_width <= most && running_shared_bytes(p) <= most) return "";
  return fmt::format("rows of a box {} wide do not fit the {} bytes of shared memory",
                     p.filter_width, most);
}

std::unique_ptr<const ConvolveRunner> make_convolve_running_cuda(const ConvolveProblem& problem) {
  return std::make_unique<RunningCuda>(problem);
}

}  // namespace tessera
