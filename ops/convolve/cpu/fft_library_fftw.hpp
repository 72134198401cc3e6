// SPDX-License-Identifier: Apache-2.0
/// FFTW for float and double under one name. Plans are made with FFTW_ESTIMATE, on memory of the
/// pool and for one thread: measured plans, other alignments and more threads change bits.
#pragma once

#include <fftw3.h>

#include <complex>
#include <memory>
#include <mutex>
#include <utility>

#include "core/pools.hpp"
#include "tessera/error.hpp"

namespace tessera {

/// FFTW's planner is not safe from several threads; executing is.
inline std::mutex& fftw_planner() {
  static std::mutex mutex;
  return mutex;
}

template <class T>
struct Fftw;
template <>
struct Fftw<float> {
  using Complex = fftwf_complex;
  using Plan = fftwf_plan;
  static constexpr auto& plan_forward = fftwf_plan_dft_r2c_2d;
  static constexpr auto& plan_inverse = fftwf_plan_dft_c2r_2d;
  static constexpr auto& forward = fftwf_execute_dft_r2c;
  static constexpr auto& inverse = fftwf_execute_dft_c2r;
  static constexpr auto& destroy = fftwf_destroy_plan;
};
template <>
struct Fftw<double> {
  using Complex = fftw_complex;
  using Plan = fftw_plan;
  static constexpr auto& plan_forward = fftw_plan_dft_r2c_2d;
  static constexpr auto& plan_inverse = fftw_plan_dft_c2r_2d;
  static constexpr auto& forward = fftw_execute_dft_r2c;
  static constexpr auto& inverse = fftw_execute_dft_c2r;
  static constexpr auto& destroy = fftw_destroy_plan;
};

/// Real tiles to their spectra and back, in place: `down` rows of row() samples.
template <class T>
class RealTransform {
 public:
  RealTransform(int across, int down) : across_(across), down_(down) {
    const Scratch tile = make_tile();
    auto* spectrum = tile.template as<typename Fftw<T>::Complex>();
    const std::lock_guard lock(fftw_planner());
    forward_ = Fftw<T>::plan_forward(down, across, tile.template as<T>(), spectrum, FFTW_ESTIMATE);
    inverse_ = Fftw<T>::plan_inverse(down, across, spectrum, tile.template as<T>(), FFTW_ESTIMATE);
    if (forward_ && inverse_) return;
    destroy();
    throw Error(ErrorKind::resources, "convolve: FFTW makes no plan; memory may have run out");
  }
  ~RealTransform() {
    const std::lock_guard lock(fftw_planner());
    destroy();
  }
  RealTransform(const RealTransform&) = delete;
  RealTransform& operator=(const RealTransform&) = delete;

  long long row() const { return 2LL * (across_ / 2 + 1); }
  long long samples() const { return row() * down_; }
  Scratch make_tile() const { return host_scratch(sizeof(T) * samples()); }
  void forward(const Scratch& tile) const {
    Fftw<T>::forward(forward_, tile.as<T>(), tile.as<typename Fftw<T>::Complex>());
  }
  void inverse(const Scratch& tile) const {
    Fftw<T>::inverse(inverse_, tile.as<typename Fftw<T>::Complex>(), tile.as<T>());
  }

 private:
  void destroy() {
    if (forward_) Fftw<T>::destroy(forward_);
    if (inverse_) Fftw<T>::destroy(inverse_);
  }

  int across_, down_;
  typename Fftw<T>::Plan forward_ = nullptr, inverse_ = nullptr;
};

}  // namespace tessera
