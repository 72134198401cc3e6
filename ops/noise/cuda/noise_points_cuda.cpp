// SPDX-License-Identifier: Apache-2.0
// Nodes of a grid on a GPU: results are an image of doubles, one pixel per node.
#include "core/device.hpp"
#include "ops/noise/cuda/noise_boxes_cuda.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

class PointsOnCuda : public NoiseBoxes {
 public:
  explicit PointsOnCuda(const NoiseProblem& problem) : launch_(problem) {}
  std::string describe() const override { return launch_.describe(); }

  void at(const Piece& in, const NoiseLattice& points, double* values,
          Stream& stream) const override {
    const Size size{static_cast<int>(points.columns.size()), static_cast<int>(points.rows.size()),
                    1, problem().output.size.planes};
    if (size.empty()) return;
    const NoisePoints lattice(problem().device, points);
    const AnyMutableView all = packed(values, ImageInfo{size, Type::f64, kHost});
    if (in.view.device != kHost) {
      from_device(in, lattice, all, stream);
    } else {
      for (int first = 0; first < size.height;) {
        const int end = chunk_end(points, first, stream.memory_limit() / 2);
        from_host(in, points, lattice, {all.rows(first, end - first), first}, stream);
        first = end;
      }
    }
    stream.wait();
  }

 private:
  const NoiseProblem& problem() const { return launch_.problem(); }

  void from_device(const Piece& in, const NoisePoints& lattice, AnyMutableView values,
                   Stream& stream) const {
    ImageInfo info = values.info();
    info.device = stream.device();
    const Scratch memory = stream.scratch(static_cast<std::size_t>(bytes_of(info)));
    const AnyMutableView made = packed(memory.data(), info);
    launch_.points(in, lattice, {made, 0}, stream);
    device_stream(stream).copy(made, values);
  }

  void from_host(const Piece& in, const NoiseLattice& points, const NoisePoints& lattice,
                 const MutablePiece& values, Stream& stream) const {
    const auto row = [&](int node) { return points.rows[static_cast<std::size_t>(node)]; };
    const RowRule rule{problem().operation,
                       [&](Rows nodes) {
                         return problem().reads({row(nodes.first), row(nodes.end - 1) + 1});
                       },
                       problem().image.size.height, problem().border};
    run_staged(in, values, rule, stream,
               [&](const Piece& device_in, const MutablePiece& made, Stream& lane) {
                 launch_.points(device_in, lattice, made, lane);
               });
    stream.wait();  // the next ones may reuse this memory
  }

  /// Rows of nodes whose pixels take up to this many bytes. Strips are cut as if each row of nodes
  /// had one row of pixels, which is right only once the whole fits.
  int chunk_end(const NoiseLattice& points, int first, std::size_t bytes) const {
    const std::vector<int>& rows = points.rows;
    const auto row_bytes = static_cast<std::size_t>(problem().image.size.width) *
                           static_cast<std::size_t>(bytes_of(problem().image.type));
    auto end = static_cast<std::size_t>(first) + 1;
    const int held = problem().box.height - rows[end - 1];
    while (end < rows.size() && static_cast<std::size_t>(rows[end] + held) * row_bytes <= bytes)
      ++end;
    return static_cast<int>(end);
  }

  NoiseBoxesLaunch launch_;
};

}  // namespace

NoiseBoxesPointer make_noise_points_cuda(const NoiseProblem& problem) {
  return std::make_unique<PointsOnCuda>(problem);
}

}  // namespace tessera
