// SPDX-License-Identifier: Apache-2.0
// Maps, one block of pixels at a time: one pass over the depths finds the peaks of all pixels, then
// each is fitted to the three depths around its peak.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "ops/faraday/maps/cpu/faraday_maps_lanes.hpp"
#include "ops/faraday/maps/faraday_map_value.hpp"
#include "ops/faraday/maps/faraday_maps_problem.hpp"
#include "ops/faraday/maps/faraday_median.hpp"
#include "ops/faraday/maps/faraday_peak.hpp"

namespace tessera {
namespace {

/// Real and imaginary part of some pixels of a row.
template <class T>
struct Pixels {
  View<const T> real, imaginary, bands;  ///< one row; bands may be empty
  int count() const { return real.size.width; }
};

template <class T>
class Simd : public FaradayMapsRunner {
 public:
  explicit Simd(const FaradayMapsProblem& problem)
      : maps_(problem.maps),
        phi_(problem.axes.phi),
        rule_(faraday_peak_rule(problem.axes, problem.fwhm, problem.noise)),
        needs_noise_(needs_faraday_noise(problem.maps)),
        moments_(std::count(maps_.begin(), maps_.end(), FaradayMap::second_moment) > 0),
        isa_((apply_isa_environment(), current_isa())),
        lanes_(faraday_lanes(problem.spectra.type)) {}

  void run(const FaradayMapsCall& call, Stream& stream) const override {
    const int width = call.real.size.width, blocks = (width + kFaradayBlock - 1) / kFaradayBlock;
    parallel_for(call.real.size.height * blocks, stream.threads(), [&](int unit) {
      const int y = unit / blocks, x = unit % blocks * kFaradayBlock;
      const int count = std::min(kFaradayBlock, width - x);
      const auto part = [&](const AnyView& view) {
        return view.data ? view.region(x, y, count, 1).as<const T>() : View<const T>();
      };
      const Pixels<T> pixels{part(call.real), part(call.imaginary), part(call.bands)};
      Work work(*this);
      make_block(pixels, work, call.maps.region(x, y, count, 1).as<T>());
    });
  }
  std::string describe() const override { return isa_; }

 private:
  /// Memory of a thread besides the pixels.
  struct Work {
    explicit Work(const Simd& simd)
        : packed(host_scratch(2 * sizeof(T) * simd.block_samples())),
          heights(simd.moments_ ? host_scratch(sizeof(double) * simd.block_samples()) : Scratch{}),
          real(simd.phi_.size()),
          imaginary(simd.phi_.size()) {}
    Scratch packed, heights;
    double power[kFaradayBlock], index[kFaradayBlock], moment[kFaradayBlock] = {};
    std::vector<double> real, imaginary, values, room;  ///< of one pixel
  };

  std::size_t block_samples() const { return phi_.size() * kFaradayBlock; }

  /// The pixels in place if they fill whole vectors, otherwise copied side by side.
  FaradayBlock block_of(const Pixels<T>& pixels, Work& work) const {
    FaradayBlock block{
        pixels.real.data, pixels.imaginary.data, pixels.real.plane, pixels.imaginary.plane,
        pixels.count(),   phi_.data(),           rule_.depths};
    const bool whole = pixels.count() % lanes_.lanes == 0;
    if (whole && pixels.real.pixel == 1 && pixels.imaginary.pixel == 1) return block;
    T* real = static_cast<T*>(work.packed.data());
    T* imaginary = real + block_samples();
    pack(pixels.real, real);
    pack(pixels.imaginary, imaginary);
    block.real = real;
    block.imaginary = imaginary;
    block.real_plane = block.imaginary_plane = kFaradayBlock;
    block.count = (pixels.count() + lanes_.lanes - 1) / lanes_.lanes * lanes_.lanes;
    return block;
  }

  void pack(View<const T> from, T* to) const {
    for (int p = 0; p < rule_.depths; ++p, to += kFaradayBlock) {
      for (int x = 0; x < from.size.width; ++x) to[x] = from.at(x, 0, 0, p);
      std::fill(to + from.size.width, to + kFaradayBlock, T(0));
    }
  }

  void make_block(const Pixels<T>& pixels, Work& work, View<T> out) const {
    const FaradayBlock block = block_of(pixels, work);
    lanes_.tops(block, work.power, work.index);
    if (moments_) lanes_.moments(block, static_cast<double*>(work.heights.data()), work.moment);
    for (int x = 0; x < pixels.count(); ++x) {
      const FaradayTop top = top_of(pixels, x, work.power[x], static_cast<int>(work.index[x]));
      FaradayBandValues band = faraday_band_at<T>(rule_, pixels.bands, x, 0);
      double& noise = band.at[kFaradayBandNoise];
      if (needs_noise_ && std::isnan(noise))
        noise = measured(pixels, x, band.at[kFaradayBandFwhm], top.index, work);
      put_faraday_values(faraday_values(top, rule_, band, work.moment[x]), maps_, x, 0, out);
    }
  }

  /// `power` and `index` exclude the first and last depth, which are added here.
  FaradayTop top_of(const Pixels<T>& pixels, int x, double power, int index) const {
    const auto power_at = [&](int p) {
      return faraday_power(pixels.real.at(x, 0, 0, p), pixels.imaginary.at(x, 0, 0, p));
    };
    FaradayTop top;
    top.index = top.highest = index;
    const int last = rule_.depths - 1;
    const double first_power = power_at(0), last_power = power_at(last);
    if (first_power >= power) {  // the first of equals
      power = first_power;
      top.highest = 0;
    }
    if (last_power > power) {
      power = last_power;
      top.highest = last;
    }
    if (top.highest < 0) return top;
    top.max_pi = std::sqrt(power);
    top.peak_rm = phi_[static_cast<std::size_t>(top.highest)];
    for (int k = 0; k < 3 && index >= 0; ++k) {
      top.phi[k] = phi_[static_cast<std::size_t>(index - 1 + k)];
      top.real[k] = pixels.real.at(x, 0, 0, index - 1 + k);
      top.imaginary[k] = pixels.imaginary.at(x, 0, 0, index - 1 + k);
    }
    return top;
  }

  double measured(const Pixels<T>& pixels, int x, double fwhm, int index, Work& work) const {
    for (int p = 0; p < rule_.depths; ++p) {
      work.real[static_cast<std::size_t>(p)] = pixels.real.at(x, 0, 0, p);
      work.imaginary[static_cast<std::size_t>(p)] = pixels.imaginary.at(x, 0, 0, p);
    }
    gather_faraday_noise(work.real, work.imaginary, rule_, fwhm, index, work.values);
    if (work.values.empty()) return faraday_nothing();
    const double middle = bucket_median(work.values, work.room);
    for (double& value : work.values) value = std::abs(value - middle);
    return bucket_median(work.values, work.room) / 0.6745;
  }

  std::vector<FaradayMap> maps_;
  std::vector<double> phi_;
  FaradayPeakRule rule_;
  bool needs_noise_, moments_;
  std::string isa_;
  FaradayLanes lanes_;
};

}  // namespace

FaradayMapsRunnerPointer make_faraday_maps_simd(const FaradayMapsProblem& problem) {
  if (problem.spectra.type == Type::f64) return std::make_unique<Simd<double>>(problem);
  return std::make_unique<Simd<float>>(problem);
}

}  // namespace tessera
