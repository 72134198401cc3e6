// SPDX-License-Identifier: Apache-2.0
// Method fft-library on the CPU: overlap-save tiles through FFTW, for filters of any size. Tiles
// are counted from output pixel 0, 0.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "core/rows.hpp"
#include "ops/convolve/convolve_tiles.hpp"
#include "ops/convolve/cpu/fft_library.hpp"
#include "ops/convolve/cpu/fft_library_fftw.hpp"
#include "ops/convolve/inside_prefix.hpp"

namespace tessera {
namespace {

/// Conjugated, because the filter is not turned; with the factors of the sum and of the inverse.
template <class T>
std::vector<T> filter_spectrum(const ConvolveProblem& p, TileShape shape) {
  const RealTransform<double> transform(shape.across, shape.down);
  const Scratch tile = transform.make_tile();
  double* samples = tile.as<double>();
  std::fill_n(samples, transform.samples(), 0.0);
  for (int j = 0; j < p.filter_height; ++j)
    std::copy_n(&p.weights[1ULL * j * p.filter_width], p.filter_width,
                samples + j * transform.row());
  transform.forward(tile);
  const double factor = p.scale / (1.0 * shape.across * shape.down);
  std::vector<T> spectrum(static_cast<std::size_t>(transform.samples()));
  for (std::size_t k = 0; k < spectrum.size(); k += 2) {
    spectrum[k] = static_cast<T>(factor * samples[k]);
    spectrum[k + 1] = static_cast<T>(-factor * samples[k + 1]);
  }
  return spectrum;
}

template <class T>
void multiply(T* tile, const std::vector<T>& spectrum) {
  for (std::size_t k = 0; k < spectrum.size(); k += 2) {
    const T re = tile[k] * spectrum[k] - tile[k + 1] * spectrum[k + 1];
    tile[k + 1] = tile[k] * spectrum[k + 1] + tile[k + 1] * spectrum[k];
    tile[k] = re;
  }
}

template <class T>
class FftLibraryCpu : public ConvolveRunner {
 public:
  explicit FftLibraryCpu(const ConvolveProblem& problem)
      : problem_(problem),
        prefix_(inside_prefix(problem)),
        direct_(make_convolve_direct_parts(problem)),  // also looks at TESSERA_ISA
        rows_(tile_rows()),
        shape_(library_tile_shape(problem)),
        transform_(shape_.across, shape_.down),
        spectrum_(filter_spectrum<T>(problem, shape_)) {}

  std::string describe() const override {
    return fmt::format("FFTW, {}x{} tiles", shape_.across, shape_.down);
  }
  int row_step() const override { return shape_.rows(problem_); }
  double error_factor() const override {
    return 2 * fft_error_factor(problem_, shape_, prefix_);  // radices 3, 5 and 7 round more
  }

  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    const int step = shape_.columns(problem_), tiles = (out.view.size.width + step - 1) / step;
    for_pieces(out.rows(), row_step(), out.view.size.planes * tiles, stream,
               [&](int index, Rows rows) {
                 run_tile(in, out, index / tiles, rows, index % tiles * step);
               });
  }

 private:
  void run_tile(const Piece& in, const MutablePiece& out, int plane, Rows rows, int column) const {
    const Rows whole = whole_groups(rows, row_step(), problem_.output.size.height);
    const auto addresses = tile_row_addresses(problem_, in, plane, whole);
    const int columns = std::min(shape_.columns(problem_), out.view.size.width - column);
    const Scratch tile = transform_.make_tile();
    const TileParts parts{1, columns, 0};
    bool finite = true;
    for (int channel = 0; channel < problem_.image.size.channels; ++channel) {
      rows_.load(problem_, {addresses.data(), in.view.pixel, channel, column - problem_.anchor.x,
                            static_cast<int>(addresses.size()), columns + problem_.filter_width - 1,
                            parts, shape_.down, shape_.across, tile.data(), transform_.row()});
      transform_.forward(tile);
      multiply(tile.as<T>(), spectrum_);
      transform_.inverse(tile);
      T* results = tile.as<T>() + (rows.first - whole.first) * transform_.row();
      finite = finite && all_finite(tile.as<T>(), whole.count(), columns);
      rows_.store(problem_, {prefix_.empty() ? nullptr : prefix_.data(), parts, results,
                             transform_.row(), rows.first, rows.count(), column, columns,
                             out.view.address(column, rows.first - out.first_row, plane) +
                                 channel * bytes_of(out.view.type),
                             out.view.pixel, out.view.row});
    }
    if (!finite) direct_->run_part(in, out, plane, rows, column, columns);
  }

  bool all_finite(const T* results, int rows, int columns) const {
    bool finite = true;
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < columns; ++x)
        finite = std::isfinite(results[y * transform_.row() + x]) && finite;
    return finite;
  }

  ConvolveProblem problem_;
  std::vector<double> prefix_;
  std::unique_ptr<const ConvolveDirectCpu> direct_;
  TileRows rows_;
  TileShape shape_;
  RealTransform<T> transform_;
  std::vector<T> spectrum_;
};

}  // namespace

std::string why_no_fft_library() { return ""; }

std::unique_ptr<const ConvolveRunner> make_convolve_fft_library_cpu(
    const ConvolveProblem& problem) {
  if (problem.sums == Type::f64) return std::make_unique<FftLibraryCpu<double>>(problem);
  return std::make_unique<FftLibraryCpu<float>>(problem);
}

}  // namespace tessera
