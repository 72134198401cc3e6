// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_clean_maps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/refuse.hpp"
#include "jobs/faraday/faraday_block.hpp"
#include "jobs/faraday/faraday_header.hpp"
#include "jobs/faraday/faraday_products.hpp"
#include "tessera/faraday_bands.hpp"

namespace tessera {
namespace {

constexpr int kOrder = 8;              ///< values on each side of the middle
constexpr double kManyChannels = 1e9;  ///< their number is not in the files

double needed_lambda2_0(const FaradayCleanJob& job, const FaradayCubeSource& spectra) {
  const std::optional<double> value =
      job.choices.lambda0 ? job.choices.lambda0 : spectra.header().number("LAMSQ0");
  if (!value || !(*value >= 0) || !std::isfinite(*value))
    refuse("faraday",
           fmt::format("{} does not state the wavelength squared that its angles refer to "
                       "(LAMSQ0); give --lambda0, in m^2",
                       spectra.path()));
  return *value;
}

/// By the header; without one, depths lie around 0 as synth makes them.
std::vector<double> depths_of(const FaradayCubeSource& spectra, double dphi) {
  const int count = spectra.info().size.planes;
  const std::string axis = fmt::format("{}", spectra.axes().spectral + 1);
  const HeaderCards& header = spectra.header();
  const double value = header.number("CRVAL" + axis).value_or(0);
  const double pixel = header.number("CRPIX" + axis).value_or(count / 2 + 1);
  std::vector<double> phi;
  for (int p = 0; p < count; ++p) phi.push_back(value + (p + 1 - pixel) * dphi);
  return phi;
}

/// By values `stride` depths apart.
RmsfMoments moments_at(const FaradayRmsf& rmsf, int stride, double dphi) {
  const int middle = rmsf.centre(), order = std::min(kOrder, middle / stride);
  const double step = stride * dphi;
  const auto at = [&](int k) { return rmsf.value[static_cast<std::size_t>(middle + k * stride)]; };
  double slope = 0, bend = 0, share = 1, sign = 1;
  for (int k = 1; k <= order; ++k, sign = -sign) {
    share *= static_cast<double>(order - k + 1) / (order + k);
    slope += sign * share / k * (at(k).imag() - at(-k).imag());
    bend += 2 * sign * share / (1.0 * k * k) * (at(k).real() + at(-k).real() - 2 * at(0).real());
  }
  const double mean = -slope / step / 2, square = -bend / (step * step) / 4;
  return {mean, std::sqrt(std::max(0.0, square - mean * mean))};
}

}  // namespace

RmsfMoments rmsf_moments(const FaradayRmsf& rmsf) {
  const int middle = rmsf.centre();
  const double dphi =
      rmsf.phi[static_cast<std::size_t>(middle) + 1] - rmsf.phi[static_cast<std::size_t>(middle)];
  const RmsfMoments first = moments_at(rmsf, 1, dphi);
  // Values in float want steps that are not too small; channels away from lambda2_0 turn the phase
  // by 2 mean step, which wants steps that are not too large.
  const double step = std::min(rmsf.fwhm / 5, 0.25 / std::max(std::abs(first.mean), 1e-9));
  const int stride = std::min(static_cast<int>(std::min(step / dphi, 1e6)), middle / 2);
  return stride > 1 ? moments_at(rmsf, stride, dphi) : first;
}

FaradayCleanMaps::FaradayCleanMaps(const FaradayCleanJob& job, const FaradayCleanInput& input,
                                   std::vector<FaradayMap> maps)
    : input_(input),
      maps_(std::move(maps)),
      phi_(depths_of(input.spectra(), input.dphi())),
      moments_(rmsf_moments(input.rmsf())),
      lambda2_0_(needed_lambda2_0(job, input.spectra())) {
  // Two channels that have the mean and the spread of all.
  FaradayAxes axes;
  const double mean = lambda2_0_ + moments_.mean, spread = std::max(moments_.spread, 1e-12);
  axes.lambda2 = {mean - spread, mean + spread};
  axes.weight = {1, 1};
  axes.weight_sum = 2;
  axes.lambda2_0 = lambda2_0_;
  axes.phi = phi_;
  axes.dphi = input.dphi();
  plan_.emplace(input.spectra().info(), axes, input.rmsf().fwhm, maps_,
                FaradayMapsOptions{.backend = Backend::cpu});
}

std::vector<FaradayProduct> FaradayCleanMaps::products(const FaradayCleanJob& job,
                                                       const FaradayCleanInput& input,
                                                       int first_plane) const {
  const FaradayCubeSource& spectra = input.spectra();
  const FaradayCubeAxes& file = spectra.axes();
  const HeaderCards header = with_stokes(spectra.header(), file, "");
  const std::string unit = header.text("BUNIT"), ending = spectra.is_fits() ? ".fits" : ".npy";
  std::vector<FaradayProduct> products;
  for (std::size_t n = 0; n < maps_.size(); ++n) {
    const FaradayMap map = maps_[n];
    const std::string path = job.output + faraday_map_name(map, !input.noise().is_known()) + ending;
    const int plane = first_plane + static_cast<int>(n);
    if (map == FaradayMap::max_pi || map == FaradayMap::peak_rm)
      products.push_back({path, file.with_spectral(1),
                          faraday_peak_header(header, file, map, phi_.front(),
                                              unit.substr(0, unit.rfind("/RMSF"))),
                          plane});
    else
      products.push_back(
          {path, file.map(), map_header(header, file, faraday_map_unit(map, unit)), plane});
  }
  return products;
}

double FaradayCleanMaps::bytes_a_row() const {
  return 4.0 * plan_->input().size.width * static_cast<double>(Names<FaradayBand>::list.size());
}

void FaradayCleanMaps::run(AnyView real, AnyView imaginary, const FaradayDirty& dirty,
                           int first_row, AnyMutableView maps, int threads) const {
  Stream host(kHost, threads);
  const int rows = real.size.height, width = real.size.width;
  const FaradayBlock bands(with_planes(rows_of(real.info(), rows, kHost),
                                       static_cast<int>(Names<FaradayBand>::list.size())),
                           host);
  std::vector<RmsfMoments> own;
  for (const FaradayRmsf& rmsf : dirty.own_rmsfs) own.push_back(rmsf_moments(rmsf));
  const View<float> to = bands.view.as<float>();
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < width; ++x) {
      const std::size_t pixel = static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                                static_cast<std::size_t>(x);
      const int number = dirty.rmsf_of_pixel.empty() ? -1 : dirty.rmsf_of_pixel[pixel];
      const auto n = static_cast<std::size_t>(std::max(number, 0));
      const RmsfMoments& moments = number < 0 ? moments_ : own[n];
      const double values[] = {input_.noise().at(x, first_row + y),
                               number < 0 ? input_.rmsf().fwhm : dirty.own_rmsfs[n].fwhm,
                               lambda2_0_ + moments.mean,
                               moments.spread,
                               kManyChannels,
                               1,
                               0};
      for (int b = 0; b < to.size.planes; ++b) to.at(x, y, 0, b) = static_cast<float>(values[b]);
    }
  (*plan_)(real, imaginary, AnyView(bands.view), maps, host);
  host.wait();
}

}  // namespace tessera
