// SPDX-License-Identifier: Apache-2.0
// Boxes on a GPU. One pass through shared memory makes boxes of up to 32x32 pixels. Larger ones
// take further passes that widen the result of the first, at most four times in each direction, in
// bands of rows so that intermediate results take little memory.
#include <algorithm>

#include "ops/morphology/cuda/morphology_cuda.hpp"

namespace tessera {
namespace {

/// The approximate memory between two passes.
constexpr long long kBetweenBytes = 64LL << 20;
constexpr int kExtendX = 32, kExtendY = 8;

/// From windows of `from` pixels to one of `to`: pieces side by side, the last one overlapping.
int widen(int from, int to, int (&offsets)[4]) {
  const int reads = (to + from - 1) / from;
  for (int k = 0; k < reads; ++k) offsets[k] = std::min(k * from, to - from);
  return reads;
}

class MorphologySeparableCuda : public MorphologyCuda {
 public:
  explicit MorphologySeparableCuda(const MorphologyProblem& problem)
      : MorphologyCuda(problem, "morphology_separable"),
        extend_(kernel("morphology_separable", "morphology_extend", "morphology_extend_rows",
                       "MorphologyExtendArgs", false)) {}

 protected:
  void launch(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    if (problem().width > kElementChunk || problem().height > kElementChunk)
      return launch_bands(in, out, stream);
    MorphologySeparableArgs args{{}, problem().width, problem().height};
    for_each_launch(arguments(in, out), in, out, tile_height(),
                    [&](const MorphologyArgs& image, int planes) {
                      args.image = image;
                      launch_grid(stream, args, planes);
                    });
  }

 private:
  /// Keys between two passes: each is the best of a box of box.width x box.height.
  struct Between {
    Scratch memory;
    Size box;
    int columns = 0, rows = 0;
  };

  Between between(Size box, int out_rows, Stream& stream) const {
    Between b;
    b.box = box;
    b.columns = problem().output.size.width + problem().width - box.width;
    b.rows = out_rows + problem().height - box.height;
    b.memory = stream.scratch(static_cast<std::size_t>(b.columns) * b.rows *
                              bytes_of(problem().image.type));
    return b;
  }

  void launch_bands(const Piece& in, const MutablePiece& out, Stream& stream) const {
    const Size size = out.view.size;
    const long long row_bytes =
        1LL * (size.width + problem().width) * bytes_of(problem().image.type);
    // A launch has at most kMostBlocks blocks down, in both kernels.
    const long long most = 1LL * kMostBlocks * kExtendY - problem().height;
    const long long fit = std::max(kBetweenBytes / row_bytes, 2LL * problem().height);
    const int band = static_cast<int>(std::clamp<long long>(fit, 1, most));
    for (int plane = 0; plane < size.planes; ++plane)
      for (int channel = 0; channel < size.channels; ++channel)
        for (int row = 0; row < size.height; row += band) {
          AnyMutableView part = out.view.rows(row, std::min(band, size.height - row));
          part.data = part.address(0, 0, plane) + channel * bytes_of(part.type);
          AnyView from = in.view;
          from.data = from.address(0, 0, plane) + channel * bytes_of(from.type);
          launch_band({from, in.first_row}, {part, out.first_row + row}, stream);
        }
  }

  /// One channel of one plane.
  void launch_band(const Piece& in, const MutablePiece& out, Stream& stream) const {
    const int width = problem().width, height = problem().height;
    Between made = between({std::min(width, kElementChunk), std::min(height, kElementChunk)},
                           out.view.size.height, stream);
    MorphologySeparableArgs args{arguments(in, out), made.box.width, made.box.height};
    args.image.in = in.view.data;
    args.image.out = made.memory.data();
    args.image.channels = 1;
    args.image.out_pixel = 1;
    args.image.out_row = made.columns;
    args.image.out_width = made.columns;
    args.image.made = {out.first_row, out.first_row + made.rows};
    args.image.keep_keys = true;
    launch_grid(stream, args, 1);
    while (made.box.width < width || made.box.height < height) {
      const Size box{std::min(width, 4 * made.box.width), std::min(height, 4 * made.box.height)};
      const bool last = box.width == width && box.height == height;
      Between next;
      if (!last) next = between(box, out.view.size.height, stream);
      extend(made, box, last ? nullptr : &next, out, stream);
      if (last) return;
      made = next;
    }
  }

  /// To `next`, or to the output if there is none.
  void extend(const Between& made, Size box, const Between* next, const MutablePiece& out,
              Stream& stream) const {
    MorphologyExtendArgs args{};
    args.in = made.memory.data();
    args.in_row = made.columns;
    args.out = next ? next->memory.data() : out.view.data;
    args.out_pixel = next ? 1 : out.view.pixel;
    args.out_row = next ? next->columns : out.view.row;
    args.out_width = next ? next->columns : out.view.size.width;
    args.out_rows = next ? next->rows : out.view.size.height;
    args.reads_x = widen(made.box.width, box.width, args.offset_x);
    args.reads_y = widen(made.box.height, box.height, args.offset_y);
    args.keep_keys = next != nullptr;
    extend_.launch(stream,
                   {static_cast<unsigned>((args.out_width + kExtendX - 1) / kExtendX),
                    static_cast<unsigned>((args.out_rows + kExtendY - 1) / kExtendY), 1},
                   {kExtendX, kExtendY, 1}, 0, args);
  }

  const GpuKernel& extend_;
};

}  // namespace

MorphologyRunnerPointer make_morphology_separable_cuda(const MorphologyProblem& problem) {
  return std::make_unique<MorphologySeparableCuda>(problem);
}

}  // namespace tessera
