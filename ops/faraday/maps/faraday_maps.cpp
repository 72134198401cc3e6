// SPDX-License-Identifier: Apache-2.0
// The plan of the maps: check, choose, run.
#include "tessera/faraday_maps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/check.hpp"
#include "core/plan_impl.hpp"
#include "core/refuse.hpp"
#include "ops/faraday/faraday_band.cuh"
#include "ops/faraday/faraday_views.hpp"
#include "ops/faraday/maps/faraday_maps_problem.hpp"

namespace tessera {
namespace {

constexpr const char* kName = "faraday maps";

void check_maps(const std::vector<FaradayMap>& maps) {
  if (maps.empty()) refuse(kName, "no map is requested; name one or more");
  for (std::size_t k = 0; k < maps.size(); ++k) {
    if (static_cast<std::size_t>(maps[k]) >= Names<FaradayMap>::list.size())
      refuse(kName, fmt::format("map {} is number {}; there are {}", k, static_cast<int>(maps[k]),
                                Names<FaradayMap>::list.size()));
    if (std::count(maps.begin(), maps.end(), maps[k]) > 1)
      refuse(kName, fmt::format("{} is requested twice; name every map once", name_of(maps[k])));
  }
}

FaradayMapsProblem make_problem(const ImageInfo& spectra, const FaradayAxes& axes, double fwhm,
                                const std::vector<FaradayMap>& maps,
                                const FaradayMapsOptions& options) {
  check_faraday_cube(kName, "the real part", spectra);
  if (spectra.size.planes != axes.depths())
    refuse(kName, fmt::format(
                      "the spectra have {} planes and the axes {} depths; give one plane per depth",
                      spectra.size.planes, axes.depths()));
  if (axes.weight.size() != axes.lambda2.size() || !(axes.weight_sum > 0))
    refuse(kName,
           fmt::format("the axes have {} channels and {} weights that add up to {}; make them with "
                       "faraday_axes",
                       axes.lambda2.size(), axes.weight.size(), axes.weight_sum));
  if (!(fwhm > 0) || !std::isfinite(fwhm))
    refuse(kName, fmt::format("the width of the RMSF is {} rad/m^2; it must be above 0", fwhm));
  if (options.noise < 0 || std::isinf(options.noise))
    refuse(kName, fmt::format("noise is {}; it can be 0 or more, or nan to have it measured",
                              options.noise));
  check_maps(maps);
  FaradayMapsProblem p{spectra, spectra, axes, fwhm, maps, options.noise};
  p.output.size.planes = static_cast<int>(maps.size());
  p.device = spectra.device == kHost ? options.device : spectra.device;
  return p;
}

std::string names_of(const std::vector<FaradayMap>& maps) {
  std::string names;
  for (const FaradayMap map : maps)
    names += (names.empty() ? "" : ", ") + std::string(name_of(map));
  return names;
}

struct FaradayMapsPlan final : PlanOf<FaradayMapsProblem, FaradayMapsRunner, ImagePlan::Impl> {
  using PlanOf::PlanOf;
  const ImageInfo& input() const override { return problem.spectra; }
  const ImageInfo& output() const override { return problem.output; }
  std::string problem_text() const override {
    return fmt::format("{} {}x{} {}, {} depths, {}", kName, problem.spectra.size.width,
                       problem.spectra.size.height, name_of(problem.spectra.type),
                       problem.axes.depths(), names_of(problem.maps));
  }
};

}  // namespace

FaradayMaps::FaradayMaps(const ImageInfo& spectra, const FaradayAxes& axes, double fwhm,
                         const std::vector<FaradayMap>& maps, const FaradayMapsOptions& options)
    : ImagePlan(std::make_shared<const FaradayMapsPlan>(
          kName, make_problem(spectra, axes, fwhm, maps, options), faraday_maps_methods(),
          options)) {}

void FaradayMaps::operator()(AnyView real, AnyView imaginary, AnyMutableView maps) const {
  (*this)(real, imaginary, AnyView(), maps);
}
void FaradayMaps::operator()(AnyView real, AnyView imaginary, AnyMutableView maps,
                             Stream& stream) const {
  (*this)(real, imaginary, AnyView(), maps, stream);
}

void FaradayMaps::operator()(AnyView real, AnyView imaginary, AnyView bands,
                             AnyMutableView maps) const {
  Stream& stream = thread_stream(*this);
  (*this)(real, imaginary, bands, maps, stream);
  stream.wait();
}

void FaradayMaps::operator()(AnyView real, AnyView imaginary, AnyView bands, AnyMutableView maps,
                             Stream& stream) const {
  const int rows = real.size.height;
  check_faraday_view(kName, "real part", real.info(), input(), rows);
  check_faraday_view(kName, "imaginary part", imaginary.info(), input(), rows);
  if (bands.data) {
    ImageInfo planned = input();
    planned.size.planes = kFaradayBandPlaces;
    check_faraday_view(kName, "bands", bands.info(), planned, rows);
    check_apart(kName, bands, maps);
  }
  check_faraday_view(kName, "output", maps.info(), output(), rows);
  check_apart(kName, real, maps);
  check_apart(kName, imaginary, maps);
  check_stream(kName, stream, device());
  if (rows > 0) impl<FaradayMapsPlan>().runner->run({real, imaginary, bands, maps}, stream);
}

}  // namespace tessera
