// SPDX-License-Identifier: Apache-2.0
// Sliding boxes on a GPU, in waves of tiles so that their memory stays within bounds. Mode binned
// marks the outputs it leaves to mode exact.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "ops/noise/cuda/noise_cuda.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Memory for the tiles of a wave: enough to keep a large device busy.
constexpr long long kWaveBytes = 4LL << 30;
/// Half of the memory limit is for strips of host images, half for the waves of those in flight.
constexpr int kLimitParts = 2;

/// Tiles that are processed at once, and their memory.
struct Wave {
  int tiles = 0;
  Scratch memory;
};

/// As few waves as fit, of equal size; smaller ones if memory still runs out.
Wave take_wave(int tiles, long long tile_bytes, long long limit, Stream& stream) {
  const long long fit =
      std::clamp<long long>(std::min(kWaveBytes, limit) / tile_bytes, 1, kMostBlocks);
  for (long long waves = (tiles + fit - 1) / fit;; waves = std::min<long long>(tiles, 4 * waves)) {
    const auto at_once = static_cast<int>((tiles + waves - 1) / waves);
    try {
      return {at_once, stream.scratch(static_cast<std::size_t>(at_once * tile_bytes))};
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::resources || at_once == 1) throw;
    }
  }
}

/// Calls work(first tile, tiles) for each wave.
template <class Work>
void each_wave(int tiles, int at_once, Work work) {
  for (int first = 0; first < tiles; first += at_once)
    work(first, std::min(at_once, tiles - first));
}

unsigned whole(int count) { return static_cast<unsigned>(count); }

NoiseTiles tiles_for(const NoiseProblem& p, int rows) {
  return noise_tiles(p.box.width, p.box.height, p.image.size.width, rows, p.image.type);
}

/// The kernels of mode exact.
class ExactTiles {
 public:
  explicit ExactTiles(const NoiseProblem& p);
  std::string origin() const { return slide_.origin(); }
  /// If there are marks, only the marked outputs.
  void launch(const PieceArgs& image, const unsigned char* marks, long long limit,
              Stream& stream) const;

 private:
  NoiseProblem problem_;
  NoiseSlideRule rule_;
  const GpuKernel &ranks_, &slide_;
};

const GpuKernel& find_ranks(const NoiseProblem& p) {
  return noise_kernel(p, {"noise_ranks", fmt::format("noise_ranks_{}", name_of(p.image.type)),
                          fmt::format("noise_rank_tile<{}>", kernel_type(p.image.type)),
                          "NoiseRanksArgs", "512, 2"});
}
const GpuKernel& find_slide(const NoiseProblem& p) {
  const bool narrow = tiles_for(p, 1).rank_bytes == 2;
  return noise_kernel(
      p, {"noise_slide",
          fmt::format("noise_slide_{}_{}_{}", name_of(p.image.type), name_of(p.output.type),
                      narrow ? "r16" : "r32"),
          fmt::format("noise_slide_strip<{}, {}, {}>", kernel_type(p.image.type),
                      kernel_type(p.output.type), narrow ? "unsigned short" : "unsigned"),
          "NoiseSlideArgs", "256, 5"});
}

ExactTiles::ExactTiles(const NoiseProblem& p)
    : problem_(p), rule_(noise_rule(p)), ranks_(find_ranks(p)), slide_(find_slide(p)) {}

void ExactTiles::launch(const PieceArgs& image, const unsigned char* marks, long long limit,
                        Stream& stream) const {
  const NoiseTiles tiles = tiles_for(problem_, image.made.count());
  const Wave wave = take_wave(tiles.count(), tiles.slot_bytes, limit, stream);
  void* const slots = wave.memory.data();
  const int threads = noise_ranks_threads(tiles);
  each_wave(tiles.count(), wave.tiles, [&](int first, int count) {
    ranks_.launch(
        stream, {whole(count)}, {whole(threads)}, noise_ranks_shared_bytes(threads),
        NoiseRanksArgs{image, tiles, first, slots, problem_.blanks, problem_.constant, marks});
    slide_.launch(stream, {whole(count * noise_strips(tiles))}, {whole(32 * rule_.orders)},
                  noise_slide_shared_bytes(rule_.orders, tiles.box_height),
                  NoiseSlideArgs{image, tiles, first, slots, rule_, marks});
  });
}

/// The kernels of mode binned.
class BinnedTiles {
 public:
  explicit BinnedTiles(const NoiseProblem& p);
  std::string origin() const { return slide_.origin(); }
  void launch(const PieceArgs& image, unsigned char* marks, long long limit, Stream& stream) const;

 private:
  NoiseProblem problem_;
  NoiseSlideRule rule_;
  const GpuKernel &range_, &codes_, &slide_;
};

const GpuKernel& find_of_codes(const NoiseProblem& p, const char* name, const char* body) {
  return noise_kernel(p,
                      {"noise_codes", fmt::format("{}_{}", name, name_of(p.image.type)),
                       fmt::format("{}<{}>", body, kernel_type(p.image.type)), "NoiseCodesArgs"});
}

BinnedTiles::BinnedTiles(const NoiseProblem& p)
    : problem_(p),
      rule_(noise_rule(p)),
      range_(find_of_codes(p, "noise_range", "noise_range_tile")),
      codes_(find_of_codes(p, "noise_codes", "noise_codes_tile")),
      slide_(noise_kernel(p, {"noise_slide", fmt::format("noise_binned_{}", name_of(p.output.type)),
                              fmt::format("noise_binned_strip<{}>", kernel_type(p.output.type)),
                              "NoiseBinnedArgs"})) {}

void BinnedTiles::launch(const PieceArgs& image, unsigned char* marks, long long limit,
                         Stream& stream) const {
  const NoiseProblem& p = problem_;
  const NoiseCodeTiles tiles =
      noise_code_tiles(p.box.width, p.box.height, p.image.size.width, image.made);
  const Wave wave = take_wave(tiles.count(), tiles.slot_bytes, limit, stream);
  const Scratch bins = stream.scratch(static_cast<std::size_t>(wave.tiles) * sizeof(NoiseBins));
  void* const slots = wave.memory.data();
  each_wave(tiles.count(), wave.tiles, [&](int first, int count) {
    const NoiseCodesArgs args{image, tiles, first, slots, bins.as<NoiseBins>(), p.bins, p.blanks};
    const NoiseCodesGrid grid = noise_codes_grid(tiles, count);
    range_.launch(stream, {whole(count)}, {kNoiseRangeThreads}, kNoiseRangeSharedBytes, args);
    codes_.launch(stream, {grid.x, grid.y, grid.z}, {32, 8}, kNoiseCodesSharedBytes, args);
    slide_.launch(stream, {whole(count * noise_binned_strips(tiles.box_width))},
                  {whole(32 * rule_.orders)},
                  noise_binned_shared_bytes(rule_.orders, p.bins, tiles),
                  NoiseBinnedArgs{image, tiles, first, slots, bins.as<NoiseBins>(), rule_, marks});
  });
}

class WarpsRunner : public NoiseRunner {
 public:
  explicit WarpsRunner(const NoiseProblem& problem) : problem_(problem), exact_(problem) {
    if (problem.mode == NoiseMode::binned) binned_.emplace(problem);
  }

  std::string describe() const override {
    const NoiseTiles tiles = tiles_for(problem_, 1);
    return fmt::format("device {}, tiles of {}x{}, {}", problem_.device,
                       binned_ ? kNoiseTile : tiles.width, binned_ ? kNoiseTile : tiles.height,
                       binned_ ? binned_->origin() : exact_.origin());
  }

  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    // Strips are processed by other streams, which do not know the limit.
    const auto limit = static_cast<long long>(stream.memory_limit()) / kLimitParts / kStagedStrips;
    run_noise_on_device(
        problem_, in, out, stream,
        [&](const Piece& device_in, const MutablePiece& device_out, Stream& lane) {
          launch(noise_piece(problem_, device_in, device_out), limit, lane);
        },
        kLimitParts);
  }

 private:
  void launch(const PieceArgs& image, long long limit, Stream& stream) const {
    if (!binned_) return exact_.launch(image, nullptr, limit, stream);
    const Scratch marks = stream.scratch(static_cast<std::size_t>(image.made.count()) *
                                         static_cast<std::size_t>(image.width));
    binned_->launch(image, marks.as<unsigned char>(), limit, stream);
    exact_.launch(image, marks.as<unsigned char>(), limit, stream);
  }

  NoiseProblem problem_;
  ExactTiles exact_;
  std::optional<BinnedTiles> binned_;
};

}  // namespace

NoiseRunnerPointer make_noise_warps_cuda(const NoiseProblem& problem) {
  return std::make_unique<WarpsRunner>(problem);
}

}  // namespace tessera
