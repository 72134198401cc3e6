// SPDX-License-Identifier: Apache-2.0
// The CPU method `columns`: tiles of outputs, each separately, on the stream's threads. Boxes slide
// along the rows of a tile (noise_slider.hpp), over ranks or over bins.
#include <fmt/format.h>

#include <algorithm>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "ops/noise/cpu/noise_columns_tile.hpp"

namespace tessera {
namespace {

/// A region no wider than this has column numbers of one byte.
constexpr int kNarrowRegion = 256;

/// The tile that sorts few pixels more than once, has some values of a box in each code, and stays
/// in the second-level cache: measured (README.cpu.md).
NoiseTileSize usual_tile(const NoiseBox& box) {
  NoiseTileSize tile;
  tile.width =
      box.width <= 192 ? std::clamp(3 * box.width, 64, kNarrowRegion + 1 - box.width) : 384;
  tile.height = std::clamp(2 * box.height, 48, 256);
  return tile;
}

class NoiseColumns : public NoiseRunner {
 public:
  explicit NoiseColumns(const NoiseProblem& problem)
      : problem_(problem), exact_tile_(usual_tile(problem.box)) {
    apply_isa_environment();
    isa_ = current_isa();
  }

  std::string describe() const override {
    return fmt::format("{}, tiles of {}x{}", isa_, std::min(tile().width, image_width()),
                       tile().height);
  }

  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    switch (problem_.image.type) {
      case Type::u8:
        return run_as<unsigned char>(in, out, stream);
      case Type::u16:
        return run_as<unsigned short>(in, out, stream);
      case Type::f32:
        return run_as<float>(in, out, stream);
      default:
        return run_as<double>(in, out, stream);
    }
  }

 private:
  int image_width() const { return problem_.image.size.width; }
  NoiseTileSize tile() const {
    return problem_.mode == NoiseMode::binned ? NoiseTileSize{kNoiseTile, kNoiseTile} : exact_tile_;
  }

  template <class T>
  void run_as(const Piece& in, const MutablePiece& out, Stream& stream) const {
    const NoiseTileSize size = tile();
    const int tiles = (image_width() + size.width - 1) / size.width;
    for_pieces(out.rows(), size.height, tiles, stream, [&](int index, Rows rows) {
      const int x = index * size.width;
      const NoiseRectangle outputs{x, rows.first, std::min(size.width, image_width() - x),
                                   rows.count()};
      NoiseColumnsTile<T> work(problem_, in, out, exact_tile_);
      if (problem_.mode == NoiseMode::binned)
        work.binned(outputs);
      else
        work.exact(outputs);
    });
  }

  NoiseProblem problem_;
  NoiseTileSize exact_tile_;
  std::string isa_;
};

}  // namespace

NoiseRunnerPointer make_noise_columns_cpu(const NoiseProblem& problem) {
  return std::make_unique<NoiseColumns>(problem);
}

}  // namespace tessera
