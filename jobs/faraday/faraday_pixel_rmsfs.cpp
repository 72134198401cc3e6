// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_pixel_rmsfs.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "core/parallel.hpp"
#include "jobs/faraday/faraday_planes.hpp"

namespace tessera {
namespace {

FaradayAxes rmsf_axes(FaradayAxes axes) {
  axes.phi = faraday_rmsf(axes).phi;
  return axes;
}

/// 1 where the voxel has data, else NaN.
void put_ones(const FaradayVoxels& voxels, AnyMutableView to, int threads) {
  const View<const float> q = voxels.q.as<const float>(), u = voxels.u.as<const float>();
  const View<float> ones = to.as<float>();
  parallel_for(to.size.planes, threads, [&](int k) {
    for (int y = 0; y < to.size.height; ++y)
      for (int x = 0; x < to.size.width; ++x)
        ones.at(x, y, 0, k) = std::isfinite(q.at(x, y, 0, k)) && std::isfinite(u.at(x, y, 0, k))
                                  ? 1.0F
                                  : std::numeric_limits<float>::quiet_NaN();
  });
}

/// The same for some pixels, in rows without gaps; what is left of the last row is NaN.
void gather_ones(std::span<const int> pixels, const FaradayVoxels& voxels, AnyMutableView to,
                 int threads) {
  const View<const float> q = voxels.q.as<const float>(), u = voxels.u.as<const float>();
  const View<float> ones = to.as<float>();
  const int width = to.size.width, all = width * to.size.height;
  parallel_for(to.size.planes, threads, [&](int k) {
    for (int i = 0; i < all; ++i) {
      bool is_there = i < static_cast<int>(pixels.size());
      if (is_there) {
        const int pixel = pixels[static_cast<std::size_t>(i)], x = pixel % width, y = pixel / width;
        is_there = std::isfinite(q.at(x, y, 0, k)) && std::isfinite(u.at(x, y, 0, k));
      }
      ones.at(i % width, i / width, 0, k) =
          is_there ? 1.0F : std::numeric_limits<float>::quiet_NaN();
    }
  });
}

}  // namespace

FaradayPixelRmsfPlan::FaradayPixelRmsfPlan(const ImageInfo& cube, const FaradayAxes& axes, bool fit)
    : axes_(rmsf_axes(axes)), fit_(fit), synth_(cube, axes_, {.backend = Backend::cpu}) {}

// Ones and zeros, both parts of the RMSF, and the same as numbers in double with their depths.
double FaradayPixelRmsfPlan::bytes_a_row() const {
  const Size in = synth_.input().size, out = synth_.output().size;
  return in.width * (8.0 * in.planes + (8.0 + 24 + 16) * out.planes + 100);
}

FaradayPixelRmsfs FaradayPixelRmsfPlan::make(const FaradayVoxels& voxels,
                                             const FaradayBands& weights, AnyMutableView bands,
                                             Stream& stream) const {
  const int rows = voxels.q.size.height, width = voxels.q.size.width;
  const ImageInfo cube = rows_of(synth_.input(), rows, kHost),
                  spectra = rows_of(synth_.output(), rows, kHost);
  FaradayPixelRmsfs made{std::make_unique<FaradayBlock>(spectra, stream),
                         std::make_unique<FaradayBlock>(spectra, stream),
                         {},
                         {}};
  {
    const FaradayBlock ones(cube, stream), zeros(cube, stream);
    put_ones(voxels, ones.view, stream.threads());
    std::memset(zeros.view.data, 0, static_cast<std::size_t>(bytes_of(cube)));
    weights.weigh({ones.view, zeros.view, voxels.weight}, ones.view, zeros.view, stream);
    synth_(ones.view, zeros.view, made.real->view, made.imaginary->view, stream);
  }
  const View<const float> re = made.real->view.as<const float>(),
                          im = made.imaginary->view.as<const float>();
  const View<float> band = bands.as<float>();
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < width; ++x) {
      const bool is_empty = !(band.at(x, y, 0, static_cast<int>(FaradayBand::channels)) > 0);
      made.of_pixel.push_back(is_empty ? -1 : static_cast<int>(made.rmsfs.size()));
      if (is_empty) continue;
      FaradayRmsf rmsf{axes_.phi, {}, band.at(x, y, 0, static_cast<int>(FaradayBand::fwhm))};
      for (int p = 0; p < spectra.size.planes; ++p)
        rmsf.value.emplace_back(re.at(x, y, 0, p), im.at(x, y, 0, p));
      made.rmsfs.push_back(std::move(rmsf));
    }
  if (fit_)
    parallel_for(rows * width, stream.threads(), [&](int pixel) {
      const int own = made.of_pixel[static_cast<std::size_t>(pixel)];
      if (own < 0) return;
      FaradayRmsf& rmsf = made.rmsfs[static_cast<std::size_t>(own)];
      fit_faraday_width(axes_, rmsf);
      band.at(pixel % width, pixel / width, 0, static_cast<int>(FaradayBand::fwhm)) =
          static_cast<float>(rmsf.fwhm);
    });
  return made;
}

std::vector<FaradayRmsf> FaradayPixelRmsfPlan::make_of(std::span<const int> pixels,
                                                       const FaradayVoxels& voxels, AnyView bands,
                                                       Stream& stream) const {
  const int count = static_cast<int>(pixels.size()), width = synth_.input().size.width;
  if (count == 0) return {};
  const int rows = (count + width - 1) / width;
  const ImageInfo cube = rows_of(synth_.input(), rows, kHost),
                  spectra = rows_of(synth_.output(), rows, kHost);
  const FaradayBlock real(spectra, stream), imaginary(spectra, stream);
  {
    const FaradayBlock ones(cube, stream), zeros(cube, stream);
    gather_ones(pixels, voxels, ones.view, stream.threads());
    std::memset(zeros.view.data, 0, static_cast<std::size_t>(bytes_of(cube)));
    synth_(ones.view, zeros.view, real.view, imaginary.view, stream);
  }
  const View<const float> re = real.view.as<const float>(), im = imaginary.view.as<const float>();
  const View<const float> band = bands.as<const float>();
  std::vector<FaradayRmsf> made(pixels.size());
  parallel_for(count, stream.threads(), [&](int i) {
    const int pixel = pixels[static_cast<std::size_t>(i)];
    FaradayRmsf& rmsf = made[static_cast<std::size_t>(i)];
    rmsf = {axes_.phi,
            {},
            band.at(pixel % width, pixel / width, 0, static_cast<int>(FaradayBand::fwhm))};
    for (int p = 0; p < spectra.size.planes; ++p)
      rmsf.value.emplace_back(re.at(i % width, i / width, 0, p), im.at(i % width, i / width, 0, p));
    if (fit_) fit_faraday_width(axes_, rmsf);
  });
  return made;
}

}  // namespace tessera
