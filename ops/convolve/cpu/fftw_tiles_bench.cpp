// SPDX-License-Identifier: Apache-2.0
// The peer of method fft: overlap-save by FFTW's real transforms of 128 by 128, as one would write
// it in an afternoon, on one thread and without borders.
#include <algorithm>
#include <cstring>
#include <vector>

#include "ops/convolve/cpu/fft_library_fftw.hpp"
#include "study/bench_case.hpp"

namespace tessera {
namespace {

constexpr int kTile = 128;

/// One tile at a time; the image has `taps` - 1 rows and columns more than the result.
class FftwTiles {
 public:
  explicit FftwTiles(int taps) : step_(kTile - taps + 1), tile_(transform_.make_tile()) {
    float* samples = tile_.as<float>();
    std::fill_n(samples, transform_.samples(), 0.0F);
    for (int j = 0; j < taps; ++j)
      for (int i = 0; i < taps; ++i)
        samples[j * transform_.row() + i] = 1.0F / static_cast<float>(taps * taps * kTile * kTile);
    transform_.forward(tile_);
    spectrum_.assign(samples, samples + transform_.samples());
  }

  void run(View<const float> in, View<float> out) const {
    for (int y = 0; y < out.size.height; y += step_)
      for (int x = 0; x < out.size.width; x += step_)
        run_tile(in, out, std::min(x, out.size.width - step_),
                 std::min(y, out.size.height - step_));
  }

 private:
  void run_tile(View<const float> in, View<float> out, int x, int y) const {
    float* samples = tile_.as<float>();
    for (int r = 0; r < kTile; ++r)
      std::memcpy(samples + r * transform_.row(), &in.at(x, y + r), kTile * sizeof(float));
    transform_.forward(tile_);
    for (std::size_t k = 0; k < spectrum_.size(); k += 2) {
      const float re = samples[k] * spectrum_[k] + samples[k + 1] * spectrum_[k + 1];
      samples[k + 1] = samples[k + 1] * spectrum_[k] - samples[k] * spectrum_[k + 1];
      samples[k] = re;
    }
    transform_.inverse(tile_);
    for (int r = 0; r < step_; ++r)
      std::memcpy(&out.at(x, y + r), samples + r * transform_.row(), step_ * sizeof(float));
  }

  int step_;
  RealTransform<float> transform_{kTile, kTile};
  Scratch tile_;
  std::vector<float> spectrum_;
};

void run_fftw_tiles(benchmark::State& state) {
  const int side = static_cast<int>(state.range(0)), taps = static_cast<int>(state.range(1));
  const Image in = benchmark_image({side + taps - 1, side + taps - 1}, 1);
  Image out({side, side}, Type::f32);
  const FftwTiles tiles(taps);
  time_work(state, "flops", 2.0 * taps * taps * side * side, measure_cpu().fma_flops_one,
            [&] { tiles.run(in.as<float>(), out.as<float>()); });
  state.SetLabel("FFTW r2c, 128x128 tiles, one thread");
}

const bool registered = [] {
  auto* bench = benchmark::RegisterBenchmark("convolve/peer/fftw-tiles", run_fftw_tiles);
  bench->Unit(benchmark::kMillisecond)->UseManualTime()->ArgNames({"side", "taps"});
  for (const int taps : {3, 7, 15, 31}) bench->Args({1024, taps});
  return true;
}();

}  // namespace
}  // namespace tessera
