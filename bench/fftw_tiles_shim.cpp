// SPDX-License-Identifier: Apache-2.0
// Overlap-save by FFTW's real transforms, as one would write it in an afternoon, on one thread and
// without borders: a peer of method fft. FFTW is under the GPL, so this is built on demand by
// bench/fftw_peers.py, for the comparison alone, and is not part of any other program.
#include <fftw3.h>

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

namespace {

template <class T>
struct Fftw;
template <>
struct Fftw<float> {
  using Complex = fftwf_complex;
  using Plan = fftwf_plan;
  static constexpr auto& plan_forward = fftwf_plan_dft_r2c_2d;
  static constexpr auto& plan_inverse = fftwf_plan_dft_c2r_2d;
  static constexpr auto& execute = fftwf_execute;
  static constexpr auto& destroy = fftwf_destroy_plan;
  static constexpr auto& allocate = fftwf_malloc;
  static constexpr auto& release = fftwf_free;
};
template <>
struct Fftw<double> {
  using Complex = fftw_complex;
  using Plan = fftw_plan;
  static constexpr auto& plan_forward = fftw_plan_dft_r2c_2d;
  static constexpr auto& plan_inverse = fftw_plan_dft_c2r_2d;
  static constexpr auto& execute = fftw_execute;
  static constexpr auto& destroy = fftw_destroy_plan;
  static constexpr auto& allocate = fftw_malloc;
  static constexpr auto& release = fftw_free;
};

/// Tiles of `across` by `down` samples, in place: a row has room for its half spectrum.
template <class T>
class FftwTiles {
 public:
  FftwTiles(int across, int down, const double* weights, int filter_width, int filter_height)
      : across_(across),
        down_(down),
        row_(2LL * (across / 2 + 1)),
        columns_(across - filter_width + 1),
        rows_(down - filter_height + 1),
        tile_(static_cast<T*>(Fftw<T>::allocate(sizeof(T) * samples()))) {
    auto* spectrum = reinterpret_cast<typename Fftw<T>::Complex*>(tile_);
    // Plans that are measured take half a minute per size.
    forward_ = Fftw<T>::plan_forward(down, across, tile_, spectrum, FFTW_ESTIMATE);
    inverse_ = Fftw<T>::plan_inverse(down, across, spectrum, tile_, FFTW_ESTIMATE);
    std::fill_n(tile_, samples(), T{0});
    for (int j = 0; j < filter_height; ++j)
      for (int i = 0; i < filter_width; ++i)
        tile_[j * row_ + i] =
            static_cast<T>(weights[1LL * j * filter_width + i] / (1.0 * across * down));
    Fftw<T>::execute(forward_);
    spectrum_.assign(tile_, tile_ + samples());
  }
  ~FftwTiles() {
    Fftw<T>::destroy(forward_);
    Fftw<T>::destroy(inverse_);
    Fftw<T>::release(tile_);
  }
  FftwTiles(const FftwTiles&) = delete;
  FftwTiles& operator=(const FftwTiles&) = delete;

  /// `in` has the apron of the filter around it.
  void run(const T* in, long long in_row, int in_height, T* out, int width, int height) {
    for (int y = 0; y < height; y += rows_)
      for (int x = 0; x < width; x += columns_) {
        const int wide = static_cast<int>(std::min<long long>(across_, in_row - x));
        const int high = std::min(down_, in_height - y);
        std::fill_n(tile_, samples(), T{0});
        for (int r = 0; r < high; ++r)
          std::memcpy(tile_ + r * row_, in + (y + r) * in_row + x, sizeof(T) * wide);
        filter();
        for (int r = 0; r < std::min(rows_, height - y); ++r)
          std::memcpy(out + 1LL * (y + r) * width + x, tile_ + r * row_,
                      sizeof(T) * std::min(columns_, width - x));
      }
  }

 private:
  long long samples() const { return row_ * down_; }
  void filter() {
    Fftw<T>::execute(forward_);
    for (std::size_t k = 0; k < spectrum_.size(); k += 2) {
      const T re = tile_[k] * spectrum_[k] + tile_[k + 1] * spectrum_[k + 1];
      tile_[k + 1] = tile_[k + 1] * spectrum_[k] - tile_[k] * spectrum_[k + 1];
      tile_[k] = re;
    }
    Fftw<T>::execute(inverse_);
  }

  int across_, down_;
  long long row_;
  int columns_, rows_;
  T* tile_;
  typename Fftw<T>::Plan forward_, inverse_;
  std::vector<T> spectrum_;
};

}  // namespace

#define TESSERA_FFTW_TILES(T)                                                                   \
  extern "C" void* fftw_tiles_make_##T(int across, int down, const double* weights, int width,  \
                                       int height) {                                            \
    return new FftwTiles<T>(across, down, weights, width, height);                              \
  }                                                                                             \
  extern "C" void fftw_tiles_run_##T(void* tiles, const T* in, long long in_row, int in_height, \
                                     T* out, int width, int height) {                           \
    static_cast<FftwTiles<T>*>(tiles)->run(in, in_row, in_height, out, width, height);          \
  }                                                                                             \
  extern "C" void fftw_tiles_free_##T(void* tiles) { delete static_cast<FftwTiles<T>*>(tiles); }

TESSERA_FFTW_TILES(float)
TESSERA_FFTW_TILES(double)
