// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/stokes_fit_products.hpp"

#include <fmt/format.h>

#include <cmath>

#include "jobs/faraday/faraday_header.hpp"
#include "jobs/faraday/faraday_stokes.hpp"

namespace tessera {
namespace {

std::string name_in(const std::string& prefix, const FaradayCubeSource& cube,
                    const std::string& name) {
  return prefix + name + (cube.is_fits() ? ".fits" : ".npy");
}

/// That of the cube; if it has several Stokes parameters, of I alone.
FaradayProduct model_product(const std::string& prefix, const FaradayCubeSource& cube) {
  HeaderCards header = cube.header();
  header.remove("DATAMAX");
  header.remove("DATAMIN");
  if (const int axis = stokes_axis_of(header); axis > 0 && cube.axes().stokes >= 0) {
    header.set_number(fmt::format("CRPIX{}", axis), 1);
    header.set_number(fmt::format("CRVAL{}", axis), 1);
  }
  return {name_in(prefix, cube, "model.i"), cube.axes().with_spectral(cube.info().size.planes),
          header, 0};
}

FaradayProduct covariance_product(const std::string& prefix, const FaradayCubeSource& cube,
                                  const StokesFitLayout& at) {
  FaradayProduct product = stokes_map(prefix, cube, "covariance", "", at.covariance());
  for (const int axis : {3, 4}) {
    product.axes.lengths.push_back(StokesFitLayout::kTerms);
    product.header.set_text(fmt::format("CTYPE{}", axis), "INDEX");
    product.header.set_number(fmt::format("CRVAL{}", axis), 0);
    product.header.set_number(fmt::format("CDELT{}", axis), 1);
    product.header.set_number(fmt::format("CRPIX{}", axis), 1);
    product.header.set_text(fmt::format("CUNIT{}", axis), "");
  }
  product.axes.spectral = 2;
  product.planes = StokesFitLayout::kSquare;
  return product;
}

}  // namespace

FaradayProduct stokes_map(const std::string& prefix, const FaradayCubeSource& cube,
                          const std::string& name, const std::string& unit, int plane) {
  return {name_in(prefix, cube, name), cube.axes().map(),
          map_header(cube.header(), cube.axes(), unit), plane};
}

void fill_stokes_planes(const StokesFitLayout& at, AnyMutableView strip) {
  const View<float> to = strip.as<float>();
  constexpr int kLast = kMostStokesOrder;
  for (int i = 0; i < StokesFitLayout::kTerms; ++i)
    for (int j = 0; j < StokesFitLayout::kTerms; ++j) {
      const int high = std::max(kLast - i, kLast - j), low = std::min(kLast - i, kLast - j);
      const int from = at.maps() + StokesPlanes::covariance + high * (high + 1) / 2 + low;
      for (int y = 0; y < strip.size.height; ++y)
        for (int x = 0; x < strip.size.width; ++x)
          to.at(x, y, 0, at.covariance() + i * StokesFitLayout::kTerms + j) = to.at(x, y, 0, from);
    }
  for (int y = 0; y < strip.size.height; ++y)
    for (int x = 0; x < strip.size.width; ++x)
      to.at(x, y, 0, at.mask()) =
          to.at(x, y, 0, at.maps() + StokesPlanes::status) == 0 ? 1.0F : std::nanf("");
}

std::vector<FaradayProduct> stokes_fit_products(const std::string& prefix,
                                                const FaradayCubeSource& cube, int order,
                                                bool linear) {
  const StokesFitLayout at{cube.info().size.planes};
  const std::string unit = cube.header().text("BUNIT");
  std::vector<FaradayProduct> products{model_product(prefix, cube)};
  const auto add = [&](const std::string& name, const std::string& of_unit, int plane) {
    products.push_back(stokes_map(prefix, cube, name, of_unit, plane));
  };
  for (int k = 0; k <= order; ++k) {
    const std::string own = k == 0 || linear ? unit : "";
    add(fmt::format("coeff{}", k), own, at.maps() + StokesPlanes::coefficient + k);
    add(fmt::format("coeff{}err", k), own, at.maps() + StokesPlanes::error + k);
  }
  add("reffreq", "Hz", at.maps() + StokesPlanes::reference);
  products.push_back(covariance_product(prefix, cube, at));
  add("mask", "", at.mask());
  add("alpha", "", at.maps() + StokesPlanes::alpha);
  add("alphaerr", "", at.maps() + StokesPlanes::alpha_error);
  add("order", "", at.maps() + StokesPlanes::order);
  add("chisqred", "", at.maps() + StokesPlanes::reduced);
  add("snr", "", at.maps() + StokesPlanes::snr);
  add("status", "", at.maps() + StokesPlanes::status);
  return products;
}

}  // namespace tessera
