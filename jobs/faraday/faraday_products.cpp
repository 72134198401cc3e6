// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_products.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr const char* kDepthUnit = "rad/m^2";

struct Builder {
  const FaradayProductsOf& of;
  const HeaderCards& input = of.input.header();
  const FaradayCubeAxes& file = of.input.axes();
  std::string unit = input.text("BUNIT");
  std::optional<std::string> flux =
      input.has("BUNIT") ? std::optional(unit + "/RMSF") : std::nullopt;
  FaradayDepthAxis depths{of.axes.depths(), of.axes.phi.front(), of.axes.dphi};

  FaradayDepthAxis rmsf_depths() const {
    const int half = of.axes.depths() / 2 + (of.axes.depths() + 1) / 2;
    return {2 * half + 1, -half * of.axes.dphi, of.axes.dphi};
  }
  HeaderCards depth_cards(const FaradayDepthAxis& axis, const std::string& stokes,
                          const std::optional<std::string>& of_unit) const {
    return depth_header(input, file, axis, of.axes.lambda2_0, {stokes, of_unit});
  }
  FaradayProduct cube(const std::string& name, const std::string& stokes, int first) const {
    return {faraday_file(of, name), file.with_spectral(depths.count),
            depth_cards(depths, stokes, flux), first};
  }
  FaradayProduct rmsf(const std::string& name, const std::string& stokes, int first) const {
    const FaradayDepthAxis axis = rmsf_depths();
    return {faraday_file(of, name), file.with_spectral(axis.count), depth_cards(axis, stokes, ""),
            first};
  }
  FaradayProduct map(const std::string& name, const std::string& of_unit, int first) const {
    return {faraday_file(of, name), file.map(),
            map_header(depth_cards(depths, "", flux), file, of_unit), first};
  }
  FaradayProduct iterations(int first) const {
    return {faraday_file(of, "CLEAN_nIter"), file.with_spectral(1),
            iterations_header(depth_cards(depths, "", flux), file), first};
  }
  // The two that rmsynth3d makes keep all axes, and the reference pixel of the cubes that it wrote
  // before: of the RMSF, if there is one.
  FaradayProduct peak_map(FaradayMap which, int first, bool rmsf) const {
    const HeaderCards before = depth_cards(rmsf ? rmsf_depths() : depths, "", flux);
    return {faraday_file(of, faraday_map_name(which, false)), file.with_spectral(1),
            faraday_peak_header(before, file, which, depths.first, unit), first};
  }
};

void add_cubes(const Builder& make, bool one_file, FaradayNames names, FaradayProducts& products) {
  FaradayLayout& at = products.layout;
  at.real = at.add(make.depths.count);
  at.imaginary = at.add(make.depths.count);
  at.total = at.add(make.depths.count);
  const bool brentjens = names == FaradayNames::brentjens;
  const auto name = [&](const char* rmtools, const char* other) {
    return one_file ? "FDF_dirty" : brentjens ? other : rmtools;
  };
  products.streamed.push_back(make.cube(name("FDF_real_dirty", "q-rmcube-dirty"), "Q", at.real));
  products.streamed.push_back(make.cube(name("FDF_im_dirty", "u-rmcube-dirty"), "U", at.imaginary));
  products.streamed.push_back(make.cube(name("FDF_tot_dirty", "p-rmcube-dirty"), "", at.total));
}

void add_clean(const Builder& make, bool one_file, const FaradayCubesWanted& wanted,
               FaradayProducts& products) {
  FaradayLayout& at = products.layout;
  const int depths = make.depths.count;
  const auto add = [&](const std::string& stem, int& real, int& imaginary, int& total) {
    const auto name = [&](const char* part) { return one_file ? stem : stem + part; };
    products.streamed.push_back(make.cube(name("_real"), "Q", real = at.add(depths)));
    products.streamed.push_back(make.cube(name("_im"), "U", imaginary = at.add(depths)));
    products.streamed.push_back(make.cube(name("_tot"), "", total = at.add(depths)));
  };
  if (wanted.clean) add("FDF_clean", at.clean_real, at.clean_imaginary, at.clean_total);
  if (wanted.components) add("FDF_CC", at.part_real, at.part_imaginary, at.part_total);
  at.iterations = at.add(1);
  products.streamed.push_back(make.iterations(at.iterations));
}

void add_rmsf(const Builder& make, bool one_file, bool cube, FaradayProducts& products) {
  FaradayLayout& at = products.layout;
  if (cube) {
    const int length = make.rmsf_depths().count;
    at.rmsf_real = at.add(length);
    at.rmsf_imaginary = at.add(length);
    at.rmsf_total = at.add(length);
    const auto name = [&](const char* apart) { return one_file ? "RMSF" : apart; };
    products.streamed.push_back(make.rmsf(name("RMSF_real"), "Q", at.rmsf_real));
    products.streamed.push_back(make.rmsf(name("RMSF_im"), "U", at.rmsf_imaginary));
    products.streamed.push_back(make.rmsf(name("RMSF_tot"), "", at.rmsf_total));
  } else {
    at.pattern = at.add(1);
    products.pattern.push_back(make.map("RMSF_pattern", "", at.pattern));
  }
  at.fwhm = at.add(1);
  products.streamed.push_back(make.map(one_file ? "RMSF" : "RMSF_FWHM", kDepthUnit, at.fwhm));
}

}  // namespace

std::string faraday_map_name(FaradayMap map, bool measured_noise) {
  switch (map) {
    case FaradayMap::max_pi:
      return "FDF_maxPI";
    case FaradayMap::peak_rm:
      return "FDF_peakRM";
    case FaradayMap::rm:
      return "phiPeakPIfit_rm2";
    case FaradayMap::rm_error:
      return "dRM_rm2";
    case FaradayMap::rm_error_fwhm:
      return "dPhiPeakPIfit_rm2";
    case FaradayMap::pi:
      return "ampPeakPIfit";
    case FaradayMap::pi_debiased:
      return "ampPeakPIfitEff";
    case FaradayMap::snr:
      return "snrPIfit";
    case FaradayMap::angle:
      return "polAngleFit_deg";
    case FaradayMap::angle_error:
      return "dPolAngleFit_deg";
    case FaradayMap::angle_0:
      return "polAngle0Fit_deg";
    case FaradayMap::angle_0_error:
      return "dPolAngle0Fit_deg";
    case FaradayMap::noise:
      return measured_noise ? "dFDFcorMAD" : "dFDFth";
    case FaradayMap::second_moment:
      return "FDF_mom2";
  }
  return "";
}

std::string faraday_map_unit(FaradayMap map, const std::string& flux) {
  switch (map) {
    case FaradayMap::peak_rm:
    case FaradayMap::rm:
    case FaradayMap::rm_error:
    case FaradayMap::rm_error_fwhm:
    case FaradayMap::second_moment:
      return kDepthUnit;
    case FaradayMap::snr:
      return "";
    case FaradayMap::angle:
    case FaradayMap::angle_error:
    case FaradayMap::angle_0:
    case FaradayMap::angle_0_error:
      return "deg";
    default:
      return flux;
  }
}

HeaderCards faraday_peak_header(const HeaderCards& depth_header, const FaradayCubeAxes& axes,
                                FaradayMap map, double first_depth, const std::string& unit) {
  const bool depth = map == FaradayMap::peak_rm;
  HeaderCards header = flat_header(depth_header, axes, depth ? kDepthUnit : unit);
  header.set_number(fmt::format("CRVAL{}", axes.spectral + 1), first_depth);
  if (depth) header.set_text("BTYPE", "FDEP");
  return header;
}

std::vector<FaradayMap> faraday_maps_of(const std::string& text) {
  if (text == "none") return {};
  if (text == "default") return {FaradayMap::max_pi, FaradayMap::peak_rm};
  std::vector<FaradayMap> maps;
  if (text == "all") {
    for (const auto& [name, map] : Names<FaradayMap>::list) maps.push_back(map);
    return maps;
  }
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t comma = std::min(text.find(',', first), text.size());
    const auto map = parse_named<FaradayMap>("--maps", text.substr(first, comma - first));
    if (std::ranges::count(maps, map) == 0) maps.push_back(map);
    first = comma + 1;
  }
  return maps;
}

std::string faraday_file(const FaradayProductsOf& of, const std::string& name) {
  return of.job.output + name + (of.input.is_fits() ? ".fits" : ".npy");
}

FaradayCubesWanted faraday_cubes_of(const FaradaySynthJob& job) {
  const std::string text = job.choices.maps_only ? "none" : job.choices.cubes;
  const bool cleans = job.cleaning.clean;
  if (text == "all") return {true, cleans, cleans};
  FaradayCubesWanted wanted;
  if (text == "none") return wanted;
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t comma = std::min(text.find(',', first), text.size());
    const std::string name = text.substr(first, comma - first);
    if (name != "dirty" && name != "clean" && name != "components")
      throw Error(ErrorKind::usage,
                  fmt::format("faraday: --cubes names '{}'; it can be all, none, or some of dirty, "
                              "clean, components",
                              name));
    if (name != "dirty" && !cleans)
      throw Error(
          ErrorKind::usage,
          fmt::format("faraday: --cubes names {}, but spectra are not cleaned; give --clean "
                      "and a cutoff",
                      name));
    (name == "dirty" ? wanted.dirty : name == "clean" ? wanted.clean : wanted.components) = true;
    first = comma + 1;
  }
  return wanted;
}

FaradayProducts faraday_products(const FaradayProductsOf& of, bool rmsf) {
  const Builder make{of};
  const FaradaySynthChoices& choices = of.job.choices;
  FaradayProducts products;
  products.maps = {FaradayMap::max_pi, FaradayMap::peak_rm};
  const FaradayCubesWanted cubes = faraday_cubes_of(of.job);
  if (cubes.dirty) add_cubes(make, choices.one_file, choices.names, products);
  if (of.job.cleaning.clean) add_clean(make, choices.one_file, cubes, products);
  const std::vector<FaradayMap> wanted = faraday_maps_of(choices.maps);
  for (const FaradayMap map : wanted)
    if (std::ranges::count(products.maps, map) == 0) products.maps.push_back(map);
  products.layout.maps = products.layout.add(static_cast<int>(products.maps.size()));
  for (const FaradayMap map : wanted) {
    const int plane =
        products.layout.maps +
        static_cast<int>(std::ranges::find(products.maps, map) - products.maps.begin());
    const bool peak = map == FaradayMap::max_pi || map == FaradayMap::peak_rm;
    products.streamed.push_back(peak ? make.peak_map(map, plane, rmsf)
                                     : make.map(faraday_map_name(map, of.measured_noise),
                                                faraday_map_unit(map, make.flux.value_or("")),
                                                plane));
  }
  if (rmsf) add_rmsf(make, choices.one_file, of.rmsf_cube, products);
  return products;
}

std::vector<FaradayProduct> rmsf_products(const FaradayProductsOf& of, int count) {
  const Builder make{of};
  const int length = make.rmsf_depths().count;
  std::vector<FaradayProduct> products{make.rmsf("RMSF_real", "Q", 0),
                                       make.rmsf("RMSF_im", "U", length),
                                       make.rmsf("RMSF_tot", "", 2 * length)};
  for (FaradayProduct& product : products) {
    product.header = without_sky(product.header, product.axes);
    if (product.axes.x >= 0) product.axes.lengths[static_cast<std::size_t>(product.axes.x)] = count;
    if (product.axes.y >= 0) product.axes.lengths[static_cast<std::size_t>(product.axes.y)] = 1;
  }
  return products;
}

}  // namespace tessera
