// SPDX-License-Identifier: Apache-2.0
// FFT tiles on a GPU: the filter's spectrum, and launches.
#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "ops/convolve/convolve_tiles.hpp"
#include "ops/convolve/cuda/convolve_cuda.hpp"
#include "ops/convolve/cuda/convolve_fft_args.cuh"

namespace tessera {
namespace {

/// A tile must make some outputs: for larger filters direct or whole images are faster.
constexpr int kMostFftSide = 97;

using Complex = std::complex<double>;

/// exp(2 pi i k / 128)
std::vector<Complex> turns() {
  std::vector<Complex> all(kFftTile);
  for (int k = 0; k < kFftTile; ++k) all[k] = std::polar(1.0, 2 * std::numbers::pi * k / kFftTile);
  return all;
}

/// The spectrum of the filter rotated by 180 degrees about its first weight (summing over the
/// pixels to the right and below is a convolution with that), divided by the number of pixels of a
/// tile, because inverse transforms are not normalised.
std::vector<FftValue> spectrum_of(const ConvolveProblem& p) {
  const std::vector<Complex> turn = turns();
  std::vector<Complex> rows(static_cast<std::size_t>(p.filter_height) * kFftTile);
  for (int j = 0; j < p.filter_height; ++j)
    for (int v = 0; v < kFftTile; ++v)
      for (int i = 0; i < p.filter_width; ++i)
        rows[j * kFftTile + v] +=
            p.weights[static_cast<std::size_t>(j) * p.filter_width + i] * turn[i * v % kFftTile];
  std::vector<FftValue> spectrum(kFftTile * kFftTile);
  for (int u = 0; u < kFftTile; ++u)
    for (int v = 0; v < kFftTile; ++v) {
      Complex sum = 0;
      for (int j = 0; j < p.filter_height; ++j)
        sum += rows[j * kFftTile + v] * turn[j * u % kFftTile];
      sum /= kFftTile * kFftTile;
      spectrum[spectrum_index(u, v)] = {static_cast<float>(sum.real()),
                                        static_cast<float>(sum.imag())};
    }
  return spectrum;
}

class FftCuda : public ConvolveCudaRunner {
 public:
  explicit FftCuda(const ConvolveProblem& problem)
      : ConvolveCudaRunner(problem),
        valid_width_(kFftTile - problem.filter_width + 1),
        valid_height_(kFftTile - problem.filter_height + 1),
        weights_(problem.device,
                 std::vector<float>(problem.weights.begin(), problem.weights.end())),
        spectrum_(problem.device, spectrum_of(problem)),
        kernel_(find_kernel(problem.device, {"convolve_fft",
                                             fmt::format("fft_{}_{}", name_of(problem.image.type),
                                                         name_of(problem.output.type)),
                                             "", ""})) {}

  std::string describe() const override {
    return fmt::format("device {}, tiles of {}x{}, {}", problem().device, kFftTile, kFftTile,
                       kernel_.origin());
  }
  int row_step() const override { return valid_height_; }
  double error_factor() const override {
    return fft_error_factor(problem(), {kFftTile, kFftTile}, inside_prefix(problem()));
  }

 protected:
  void launch(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    FftArgs args{};
    fill(args, in, out);
    args.weights = weights_.as<float>();
    args.spectrum = spectrum_.as<FftValue>();
    args.valid_width = valid_width_;
    args.valid_height = valid_height_;
    args.pairs_across = static_cast<int>(blocks_for(args.out_width, 2LL * valid_width_));
    args.first_tile_row = args.made.first / valid_height_;
    args.tiles_down = (args.made.end - 1) / valid_height_ - args.first_tile_row + 1;
    const long long jobs_a_plane = 1LL * args.pairs_across * args.tiles_down * args.channels;
    const int planes_at_once = static_cast<int>(
        std::max(1LL, std::min<long long>(out.view.size.planes, (1 << 30) / jobs_a_plane)));
    const auto& device = device_info(problem().device);
    for (int plane = 0; plane < out.view.size.planes; plane += planes_at_once) {
      move_to_part(args, in, out, {0, out.view.size.height}, plane);
      args.jobs =
          static_cast<int>(jobs_a_plane * std::min(planes_at_once, out.view.size.planes - plane));
      kernel_.launch(stream, {static_cast<unsigned>(std::min(args.jobs, device.multiprocessors))},
                     {kFftThreads}, kFftSharedBytes, args);
    }
    weights_.used_by(stream);
    spectrum_.used_by(stream);
  }

 private:
  int valid_width_, valid_height_;
  Resident weights_, spectrum_;
  const GpuKernel& kernel_;
};

}  // namespace

std::string why_no_fft_tiles_on_device(const ConvolveProblem& p) {
  if (p.sums == Type::f64) return "its sums are in double; use direct or fft-library";
  if (std::max(p.filter_width, p.filter_height) > kMostFftSide)
    return fmt::format(
        "the filter is {}x{}; tiles take up to {} weights in each direction, fft-library more",
        p.filter_width, p.filter_height, kMostFftSide);
  const int most = device_info(p.device).shared_bytes_per_block;
  if (most < kFftSharedBytes)
    return fmt::format("a tile takes {} bytes of shared memory, the device has {}", kFftSharedBytes,
                       most);
  return "";
}

std::unique_ptr<const ConvolveRunner> make_convolve_fft_cuda(const ConvolveProblem& problem) {
  return std::make_unique<FftCuda>(problem);
}

}  // namespace tessera
