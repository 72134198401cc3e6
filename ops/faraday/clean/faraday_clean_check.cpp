// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/clean/faraday_clean_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/refuse.hpp"
#include "ops/faraday/faraday_views.hpp"

namespace tessera {
namespace {

constexpr const char* kName = "faraday";

/// The cutoffs have no range of their own: jobs read negative ones as multiples of the noise.
void check_options(const FaradayCleanOptions& o) {
  check_ranges(kName, o);
  if (!(o.cutoff >= 0) || !std::isfinite(o.cutoff))
    refuse(kName,
           fmt::format("cutoff is {}; it can be 0 or more, in the unit of the spectra", o.cutoff));
  if (o.window && (!(*o.window >= 0) || !std::isfinite(*o.window)))
    refuse(kName,
           fmt::format("window is {}; it can be 0 or more, in the unit of the spectra", *o.window));
}

double step_of(const FaradayRmsf& rmsf) {
  return (rmsf.phi.back() - rmsf.phi.front()) / static_cast<double>(rmsf.phi.size() - 1);
}

/// A component changes a residual by at most its own size.
bool is_response(const std::complex<double>& value) { return std::norm(value) <= 1 + 1e-6; }

/// The middle must be 1, so that a component removes its fraction of the peak at which it was
/// found. All 0 is the response of a pixel without channels.
void check_middle(const std::string& which, const FaradayRmsf& rmsf) {
  const std::complex<double> middle = rmsf.value[static_cast<std::size_t>(rmsf.centre())];
  if (std::abs(middle - 1.0) <= 1e-3) return;
  const auto is_zero = [](const std::complex<double>& value) { return value == 0.0; };
  if (!std::all_of(rmsf.value.begin(), rmsf.value.end(), is_zero))
    refuse(kName, fmt::format("the middle of {} is {} + {}i; it must be 1, or all values 0", which,
                              middle.real(), middle.imag()));
}

void check_rmsf(const std::string& which, const FaradayRmsf& rmsf, int depths) {
  const std::size_t wanted = 2 * static_cast<std::size_t>(depths) + 1;
  if (rmsf.value.size() != wanted || rmsf.phi.size() != wanted)
    refuse(kName, fmt::format("{} has {} values at {} depths, and spectra of {} depths need {}; "
                              "make it with faraday_rmsf from the same axes",
                              which, rmsf.value.size(), rmsf.phi.size(), depths, wanted));
  if (!(rmsf.fwhm > 0) || !std::isfinite(rmsf.fwhm) || !(step_of(rmsf) > 0) ||
      !std::isfinite(step_of(rmsf)))
    refuse(kName, fmt::format("{} has a width of {} and a step of {} rad/m^2; both must be above 0",
                              which, rmsf.fwhm, step_of(rmsf)));
  const auto bad = std::find_if_not(rmsf.value.begin(), rmsf.value.end(), is_response);
  if (bad != rmsf.value.end())
    refuse(kName, fmt::format("value {} of {} is {} + {}i; the magnitude of an RMSF is at most 1",
                              bad - rmsf.value.begin(), which, bad->real(), bad->imag()));
  check_middle(which, rmsf);
}

void check_own_rmsfs(const FaradayCleanProblem& problem, const FaradayDirty& dirty) {
  if (dirty.own_rmsfs.empty() && dirty.rmsf_of_pixel.empty()) return;
  const auto pixels = static_cast<std::size_t>(dirty.real.size.width) * dirty.real.size.height;
  if (dirty.rmsf_of_pixel.size() != pixels)
    refuse(kName, fmt::format("rmsf_of_pixel has {} numbers for {} pixels; give one per pixel",
                              dirty.rmsf_of_pixel.size(), pixels));
  const int count = static_cast<int>(dirty.own_rmsfs.size());
  for (const int own : dirty.rmsf_of_pixel)
    if (own < -1 || own >= count)
      refuse(kName, fmt::format("rmsf_of_pixel names RMSF {} of {}; it can be -1 to {}", own, count,
                                count - 1));
  for (int i = 0; i < count; ++i) {
    const FaradayRmsf& rmsf = dirty.own_rmsfs[static_cast<std::size_t>(i)];
    const std::string which = fmt::format("RMSF {} of own_rmsfs", i);
    check_rmsf(which, rmsf, problem.depths());
    if (std::abs(step_of(rmsf) - problem.dphi) > 1e-9 * problem.dphi)
      refuse(kName,
             fmt::format(
                 "{} has a step of {} rad/m^2 and that of the plan has {}; they must be the same",
                 which, step_of(rmsf), problem.dphi));
  }
}

bool is_same_view(const AnyView& a, const AnyView& b) {
  return a.data == b.data && a.pixel == b.pixel && a.row == b.row && a.plane == b.plane;
}

struct Output {
  const char* name;
  AnyView view;
  ImageInfo planned;
  const AnyView* itself = nullptr;  ///< the input it may coincide with
};

}  // namespace

FaradayCleanProblem checked_clean_problem(const ImageInfo& spectra, const FaradayRmsf& rmsf,
                                          const FaradayCleanOptions& options) {
  check_faraday_cube(kName, "the spectrum", spectra);
  check_rmsf("the RMSF", rmsf, spectra.size.planes);
  check_options(options);
  FaradayCleanProblem p{spectra, rmsf, options, step_of(rmsf)};
  p.device = spectra.device == kHost ? options.device : spectra.device;
  return p;
}

void check_clean_call(const FaradayCleanProblem& problem, const FaradayDirty& dirty,
                      const FaradayCleaned& cleaned) {
  const ImageInfo& cube = problem.spectra;
  ImageInfo map = cube;
  map.size.planes = 1;
  const int rows = dirty.real.size.height;
  check_faraday_view(kName, "real part", dirty.real.info(), cube, rows);
  check_faraday_view(kName, "imaginary part", dirty.imaginary.info(), cube, rows);
  if (dirty.cutoff.data) check_faraday_view(kName, "cutoff map", dirty.cutoff.info(), map, rows);
  if (dirty.window.data) check_faraday_view(kName, "window map", dirty.window.info(), map, rows);

  std::vector<Output> outputs{{"cleaned real part", cleaned.real, cube, &dirty.real},
                              {"cleaned imaginary part", cleaned.imaginary, cube, &dirty.imaginary},
                              {"components' real part", cleaned.components_real, cube},
                              {"components' imaginary part", cleaned.components_imaginary, cube},
                              {"map of iterations", cleaned.iterations, map}};
  std::erase_if(outputs, [](const Output& out) { return !out.view.data; });
  if (outputs.empty()) refuse(kName, "no result is wanted; give memory for at least one");
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Output& out = outputs[i];
    check_faraday_view(kName, out.name, out.view.info(), out.planned, rows);
    for (std::size_t k = 0; k < i; ++k) check_parts_apart(kName, outputs[k].view, out.view);
    for (const AnyView* in : {&dirty.real, &dirty.imaginary, &dirty.cutoff, &dirty.window})
      if (in->data && !(in == out.itself && is_same_view(*in, out.view)))
        check_parts_apart(kName, *in, out.view);
  }
  check_own_rmsfs(problem, dirty);
}

}  // namespace tessera
