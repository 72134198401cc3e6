// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/stokes_fitter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/packed_text.hpp"
#include "core/ranks.hpp"
#include "jobs/faraday/faraday_planes.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// It reads the whole cube, so that one of several ranks does.
std::vector<double> noise_by_first(FaradayCubeSource& cube, FaradayMemory& memory) {
  PackedText told(told_by_first([&] {
    PackedText text;
    for (const double sigma : measure_stokes_noise(cube, {}, memory).sigma) text.put(sigma);
    return text.text();
  }));
  std::vector<double> noise(static_cast<std::size_t>(cube.info().size.planes));
  for (double& sigma : noise) sigma = told.take<double>();
  return noise;
}

}  // namespace

void StokesFitCounts::add(AnyView status) {
  const View<const float> values = status.as<const float>();
  for (int y = 0; y < status.size.height; ++y)
    for (int x = 0; x < status.size.width; ++x)
      ++of[static_cast<std::size_t>(std::lround(values.at(x, y)))];
}

long long StokesFitCounts::pixels() const { return std::accumulate(of.begin(), of.end(), 0LL); }

std::string StokesFitCounts::text() const {
  std::string text = fmt::format("{} of {} pixels are fitted", of[0], pixels());
  const char* between = "; ";
  for (const auto& [name, status] : Names<StokesStatus>::list) {
    if (status == StokesStatus::fitted || (*this)[status] == 0) continue;
    text += fmt::format("{}{} {}", between, (*this)[status], name);
    between = ", ";
  }
  return text;
}

StokesFitter::StokesFitter(FaradayCubeSource& cube, const std::vector<double>& frequencies,
                           StokesFitOptions options, const StokesFitChoices& choices,
                           const ReadOptions& reading, FaradayMemory& memory)
    : cube_(cube) {
  const bool measures = choices.noise == "auto";
  if (!measures) noise_ = FaradayNoise(choices.noise, cube, reading, memory);
  if (measures && !choices.threshold) {
    noise_.list = noise_by_first(cube, memory);
  } else if (choices.threshold) {
    StokesNoise found = measure_stokes_noise(cube, choices.threshold, memory);
    emission_ = std::move(found.emission);
    if (measures) noise_.list = std::move(found.sigma);
  }
  const auto is_known = [](double sigma) { return sigma > 0 && std::isfinite(sigma); };
  if (!noise_.list.empty() && std::ranges::none_of(noise_.list, is_known))
    throw Error(
        ErrorKind::input,
        fmt::format("faraday: no channel of {} has noise above 0{}; give the noise{}", cube.path(),
                    measures ? ", measured over its pixels" : "", measures ? " as a number" : ""));
  sigma_ = noise_.list;
  options.sigma = sigma_;
  plan_.emplace(cube.info(), frequencies, options);
}

void StokesFitter::fit_only(const std::vector<Point>& pixels) {
  const Size size = cube_.info().size;
  Image wanted({size.width, size.height}, Type::u8);
  for (const Point& pixel : pixels)
    wanted.as<unsigned char>().at(pixel.x, pixel.y) =
        emission_ ? emission_.as<unsigned char>().at(pixel.x, pixel.y) : 1;
  emission_ = std::move(wanted);
}

ImageInfo StokesFitter::info() const {
  ImageInfo info = cube_.info();
  info.size.planes += sigma_planes();
  return info;
}

std::size_t StokesFitter::scratch_bytes_a_row() const {
  return std::max(cube_.scratch_bytes_a_row(),
                  noise_.cube ? noise_.cube->scratch_bytes_a_row() : 0);
}

void StokesFitter::read(Rows rows, AnyMutableView to) {
  const AnyMutableView i = planes_of(to, 0, channels());
  cube_.read(rows, i);
  if (sigma_planes() > 0) noise_.read(rows, planes_of(to, channels(), sigma_planes()));
  if (!emission_) return;
  for (int y = 0; y < rows.count(); ++y)
    for (int x = 0; x < to.size.width; ++x)
      if (emission_.as<unsigned char>().at(x, rows.first + y) == 0)
        for (int k = 0; k < channels(); ++k)
          i.as<float>().at(x, y, 0, k) = std::numeric_limits<float>::quiet_NaN();
}

void StokesFitter::fit(AnyView strip, AnyMutableView model, AnyMutableView maps,
                       Stream& stream) const {
  StokesVoxels voxels{planes_of(strip, 0, channels())};
  if (sigma_planes() > 0) voxels.sigma = planes_of(strip, channels(), sigma_planes());
  (*plan_)(voxels, model, maps, stream);
  stream.wait();
}

}  // namespace tessera
