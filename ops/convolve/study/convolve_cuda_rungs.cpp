// SPDX-License-Identifier: Apache-2.0
// The paper's ladder, rung by rung, and the product's methods at its end.
#include <fmt/format.h>

#include "core/machine.hpp"
#include "ops/convolve/study/convolve_study.hpp"
#include "ops/convolve/study/ladder_cufft.hpp"
#include "ops/convolve/study/ladder_launch.hpp"
#include "tessera/convolve.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

PreparedRung tiled_rung(const ConvolveCase& c, const char* unit, const std::string& entry,
                        const LadderShape& shape, Stream& s) {
  return ladder_rung(c, {{unit, entry, "", ""}, shape, shape.outputs_x(), shape.block_y}, s);
}

LadderShape plain_shape(const ConvolveCase& c, int block, int tiles) {
  return tiled_shape(c.filter_size().width, c.filter_size().height, block, block, tiles);
}

PreparedRung prepare_constant(const ConvolveCase& c, Stream& s) {
  PreparedRung rung = tiled_rung(c, "r02_constant", "constant_filter", {}, s);
  rung.intensity = 0.5;  // 4 bytes for a multiply-add, as if there were no cache
  return rung;
}

template <int kBlock>
PreparedRung prepare_shared_tile(const ConvolveCase& c, Stream& s) {
  return tiled_rung(c, "r03_shared_tile", "shared_tile", plain_shape(c, kBlock, 1), s);
}

template <int kBlock>
PreparedRung prepare_one_element(const ConvolveCase& c, Stream& s) {
  return one_element_rung(c, {"r04_one_element", "one_element", "", ""}, kBlock, s);
}

template <int kBlock, int kTiles>
PreparedRung prepare_tiled(const ConvolveCase& c, Stream& s) {
  static_assert(kTiles == 2 || kTiles == 4);
  return tiled_rung(c, "r05_tiled", fmt::format("tiled_{}", kTiles), plain_shape(c, kBlock, kTiles),
                    s);
}

// Blocks of 32 need no padding: they are rungs 3 and 5 with blocks of 32x32.
template <int kTiles>
PreparedRung prepare_padded(const ConvolveCase& c, Stream& s) {
  const LadderShape shape =
      padded_shape(c.filter_size().width, c.filter_size().height, 16, 16, kTiles);
  if constexpr (kTiles == 1) return tiled_rung(c, "r03_shared_tile", "shared_tile", shape, s);
  return tiled_rung(c, "r05_tiled", fmt::format("tiled_{}", kTiles), shape, s);
}

// The limits are the device's own, or those of another one.
PreparedRung prepare_adaptive_block(const ConvolveCase& c, int block_x, int block_y,
                                    LadderLimits limits, Stream& s) {
  const auto entry = [](int tiles) { return fmt::format("adaptive_{}", tiles); };
  if (limits.shared_bytes_per_block == 0)
    limits.shared_bytes_per_block = device_info(s.device()).shared_bytes_per_block;
  const auto shape = [&](int tiles) {
    return padded_shape(c.filter_size().width, c.filter_size().height, block_x, block_y, tiles);
  };
  const int tiles = adaptive_tiles(shape, limits, [&](int t) {
    return find_kernel(s.device(), {"r07_adaptive", entry(t), "", ""}).registers();
  });
  if (tiles == 0) return {.absent = "no tile factor fits shared memory and registers"};
  return tiled_rung(c, "r07_adaptive", entry(tiles), shape(tiles), s);
}

PreparedRung prepare_adaptive(const ConvolveCase& c, Stream& s) {
  return prepare_adaptive_block(c, 32, 32, c.settings().limits.value_or(LadderLimits{}), s);
}

// The paper's choice for the GTX480, where one block fills a multiprocessor.
PreparedRung prepare_adaptive_padded(const ConvolveCase& c, Stream& s) {
  LadderLimits limits = c.settings().limits.value_or(LadderLimits{});
  limits.blocks = limits.blocks.value_or(1);
  return prepare_adaptive_block(c, 16, 32, limits, s);
}

PreparedRung prepare_nine_pixels(const ConvolveCase& c, Stream& s) {
  PreparedRung rung = tiled_rung(c, "r10_nine_pixels", "nine_pixels", {}, s);
  // Nine pixels are loaded for one that is made.
  rung.intensity = 2.0 * c.filter_size().width * c.filter_size().height / (9 * sizeof(float));
  return rung;
}

PreparedRung prepare_direct(const ConvolveCase& c, Stream&) {
  return product_rung(c, Backend::cuda, "direct");
}

PreparedRung prepare_separable(const ConvolveCase& c, Stream&) {
  return product_rung(c, Backend::cuda, "separable");
}

PreparedRung prepare_fft(const ConvolveCase& c, Stream&) {
  return product_rung(c, Backend::cuda, "fft");
}

std::string file(const char* rung) { return std::string("ops/convolve/study/") + rung; }

}  // namespace

PreparedRung product_rung(const ConvolveCase& c, Backend backend, const std::string& method) {
  const bool on_host = backend == Backend::cpu;
  const AnyView in = on_host ? c.image_on_host() : c.image_on_device();
  PreparedRung rung;
  try {
    const Convolve plan(in.info(), c.filter().view(),
                        {.border = Border::replicate,
                         .backend = backend,
                         .method = method,
                         .device = on_host ? 0 : in.device});
    rung.bound = plan.error_bound(c.largest_pixel());
    rung.run = [plan, in, out = on_host ? c.host_out() : c.out()](Stream& on) {
      plan(Piece{in, 0}, MutablePiece{out, 0}, on);
    };
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::failure) throw;
    return {.absent = error.what()};
  }
  const StudySize& filter = c.filter_size();
  // GFLOP/s of the FFT as if it were direct, to be comparable; its own intensity is different.
  const double flops_a_pixel = method == "separable" ? 2.0 * (filter.width + filter.height)
                                                     : 2.0 * filter.width * filter.height;
  rung.flops = flops_a_pixel * c.pixels();
  if (method != "fft") rung.intensity = flops_a_pixel / (2 * sizeof(float));
  return rung;
}

const std::vector<ConvolveRung>& convolve_rungs() {
  static const std::vector<ConvolveRung> rungs{
      {"1", "naive, global memory", {file("r01_")}, prepare_naive},
      {"2", "filter in constant memory", {file("r02_")}, prepare_constant},
      {"3", "shared tile, all threads active", {file("r03_")}, prepare_shared_tile<32>},
      {"3.16x16", "the same, blocks of 16x16", {file("r03_")}, prepare_shared_tile<16>},
      {"3.unrolled", "shared tile, unrolled", {file("r08_")}, prepare_tile_unrolled},
      {"4", "shared tile, one element each", {file("r04_one_element")}, prepare_one_element<32>},
      {"4.16x16", "the same, blocks of 16x16", {file("r04_one_element")}, prepare_one_element<16>},
      {"4.unrolled", "one element each, unrolled", {file("r04_un")}, prepare_element_unrolled},
      {"5a", "1x2 tiling", {file("r05_")}, prepare_tiled<16, 2>},
      {"5a.32x32", "the same, blocks of 32x32", {file("r05_")}, prepare_tiled<32, 2>},
      {"5b", "1x4 tiling", {file("r05_")}, prepare_tiled<16, 4>},
      {"5b.32x32", "the same, blocks of 32x32", {file("r05_")}, prepare_tiled<32, 4>},
      {"6", "1x4 tiling, padding columns", {file("r05_"), file("r06_")}, prepare_padded<4>},
      {"6.1x1", "no tiling, padding columns", {file("r03_"), file("r06_")}, prepare_padded<1>},
      {"6.1x2", "1x2 tiling, padding columns", {file("r05_"), file("r06_")}, prepare_padded<2>},
      {"7", "adaptive tiling", {file("r05_"), file("r07_")}, prepare_adaptive},
      {"7.16x32",
       "the same, 16x32 with padding",
       {file("r05_"), file("r06_"), file("r07_")},
       prepare_adaptive_padded},
      {"8", "unrolled, compiled at run time", {file("r08_")}, prepare_unrolled},
      {"9", "unrolled, read-only loads", {file("r08_"), file("r09_")}, prepare_read_only},
      {"10", "ours: direct", {"ops/convolve/convolve_direct"}, prepare_direct},
      {"10b", "the talk: nine pixels per thread", {file("r10_")}, prepare_nine_pixels},
      {"s1", "separable: horizontal pass", {file("r11_")}, prepare_horizontal},
      {"s2", "separable: vertical pass", {file("r12_")}, prepare_vertical},
      {"s3", "separable: both passes", {file("r11_"), file("r12_")}, prepare_both_passes},
      {"s4", "ours: separable, fused", {"ops/convolve/convolve_separable"}, prepare_separable},
      {"fft", "ours: fft", {"ops/convolve/convolve_fft"}, prepare_fft},
      {"cufft", "cuFFT, padded as in the paper", {}, prepare_cufft},
  };
  return rungs;
}

}  // namespace tessera
