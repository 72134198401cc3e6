// SPDX-License-Identifier: Apache-2.0
#include "tessera/faraday_clean.hpp"

#include <nanobind/nanobind.h>

#include <cmath>

#include "python/array_checks.hpp"
#include "python/doors.hpp"
#include "python/faraday_arrays.hpp"
#include "python/plans_by_key.hpp"
#include "python/row_calls.hpp"
#include "python/text.hpp"
#include "tessera/error.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

constexpr const char *kFdf = "faraday_clean: fdf", *kCutoff = "faraday_clean: cutoff",
                     *kOut = "faraday_clean: result";

/// The results of faraday_clean.
struct CleanResult {
  nb::object clean, components, iterations;
};

/// RMSFs of pixels that lack channels, and which pixel has which.
struct OwnRmsfs {
  std::vector<FaradayRmsf> rmsfs;
  std::vector<int> of_pixel;

  OwnRmsfs(std::vector<FaradayRmsf> own, nb::handle map) : rmsfs(std::move(own)) {
    if (map.is_none()) return;
    const std::string what = "faraday_clean: rmsf_of_pixel";
    for (const double which : numbers(what, numpy("ravel")(unmasked_array(what, map)))) {
      if (!(which >= -1 && which < 1e9) || which != std::floor(which))
        throw Error(ErrorKind::usage, "faraday_clean: rmsf_of_pixel has " + to_text(which) +
                                          "; it can have -1 and places in own_rmsfs");
      of_pixel.push_back(static_cast<int>(which));
    }
  }
};

nb::object as_integers(const Array& array) {
  if (array.library == Library::torch) return array.object.attr("int")();
  return array.object.attr("astype")("int32");
}

/// Spectra of one shape and dtype, on any device.
class CleanPlan {
 public:
  /// `like`: a part of spectra such as are expected; the plan is made now, so that errors come now.
  CleanPlan(const Array& like, const FaradayRmsf& rmsf, const FaradayCleanOptions& options,
            const CubeRunOptions& run, bool has_cutoff)
      : shape_(like.shape),
        type_(like.type),
        rmsf_(rmsf),
        options_(options),
        run_(run),
        has_cutoff_(has_cutoff) {
    plan_for(cube_view(kFdf, like, run.axis).info());
  }

  CleanResult operator()(const ComplexArray& fdf, nb::handle cutoff, const OwnRmsfs& own) {
    check_array(kFdf, fdf.real, shape_, type_);
    if (cutoff.is_none() && !has_cutoff_)
      throw Error(ErrorKind::usage,
                  "faraday_clean: there is no cutoff; give the plan one, or the call an array");
    FaradayDirty dirty{cube_view(kFdf, fdf.real, run_.axis),
                       cube_view(kFdf, fdf.imaginary, run_.axis)};
    const FaradayClean plan = plan_for(dirty.real.info());
    const Array cutoffs = cutoff_map(fdf.real, cutoff);
    if (!cutoff.is_none()) dirty.cutoff = plane_view(kCutoff, cutoffs);
    dirty.own_rmsfs = own.rmsfs;
    dirty.rmsf_of_pixel = own.of_pixel;
    const ComplexArray clean = make_complex_like(fdf.real, shape_, type_),
                       components = make_complex_like(fdf.real, shape_, type_);
    const Array count = make_like(fdf.real, pixels(), type_);
    const FaradayCleaned made{
        cube_view(kOut, clean.real, run_.axis), cube_view(kOut, clean.imaginary, run_.axis),
        cube_view(kOut, components.real, run_.axis),
        cube_view(kOut, components.imaginary, run_.axis), plane_view(kOut, count)};
    run_on_arrays({&fdf.real, &cutoffs}, plan, run_,
                  [&](Stream& stream) { plan(dirty, made, stream); });
    return {clean.object, components.object, as_integers(count)};
  }

  std::string describe() const { return plans_.describe(); }
  FaradayClean first_plan() const { return plans_.first(); }

 private:
  Shape pixels() const { return without_axis(shape_, run_.axis); }

  FaradayClean plan_for(const ImageInfo& info) {
    return plans_.get(info.device, [&] { return FaradayClean(info, rmsf_, options_); });
  }

  /// In host memory lists and other dtypes become arrays of the spectra's.
  Array cutoff_map(const Array& fdf, nb::handle cutoff) const {
    if (cutoff.is_none()) return fdf;
    nb::object given = nb::borrow(cutoff);
    if (fdf.device == kHost) given = unmasked_array(kCutoff, given, dtype_name(type_));
    const Array map = look_at(given, kCutoff);
    check_array(kCutoff, map, pixels(), type_);
    return map;
  }

  Shape shape_;
  Type type_;
  FaradayRmsf rmsf_;
  FaradayCleanOptions options_;
  CubeRunOptions run_;
  bool has_cutoff_;
  KeptPlans<FaradayClean> plans_;
};

bool is_map(nb::handle cutoff) {
  return nb::isinstance<nb::list>(cutoff) ||
         (nb::hasattr(cutoff, "ndim") && nb::cast<int>(cutoff.attr("ndim")) > 0);
}

CleanResult clean(nb::handle given, const FaradayRmsf& rmsf, nb::handle cutoff, const OwnRmsfs& own,
                  const nb::kwargs& keywords) {
  FaradayCleanOptions options;
  CubeRunOptions run;
  take_options("faraday_clean", keywords, options, run);
  if (!is_map(cutoff)) from_python(kCutoff, cutoff, options.cutoff);
  const ComplexArray fdf = look_at_complex(given, kFdf);
  CleanPlan plan(fdf.real, rmsf, options, run, !is_map(cutoff));
  return plan(fdf, is_map(cutoff) ? cutoff : nb::none(), own);
}

constexpr const char* kClean =
    R"(RM-CLEAN: removes the side lobes of the RMSF from Faraday spectra (Heald 2009).

fdf: complex64 or complex128, (depths, rows, columns), (depths, pixels) or (depths,).
rmsf: of faraday_rmsf for the same axes, or your own FaradayRmsf(phi, value, fwhm).
cutoff: where to stop, in the unit of the spectra, for instance 3 * tessera.faraday_noise(axes, sigma); an
    array with one value per pixel gives each its own.
own_rmsfs, rmsf_of_pixel: RMSFs of pixels that lack channels, and for every pixel which of them is
    its own, counted from 0; -1: rmsf.
Returns clean (components, each a Gaussian as wide as the main lobe, plus the residual),
components, and iterations (int32, one value per pixel).

>>> rmsf = tessera.faraday_rmsf(spectra.axes, fit=True)
>>> cleaned = tessera.faraday_clean(spectra.fdf, rmsf, 3e-4)
>>> cleaned.clean, cleaned.components, cleaned.iterations)";

/// cutoff is an argument of its own.
std::string clean_parameters() {
  const std::string all = option_parameters<FaradayCleanOptions>();
  return all.substr(all.find(", gain:"));
}

void add_clean_plan(nb::module_& module) {
  nb::class_<CleanPlan> plan(
      module, "FaradayClean",
      "RM-CLEAN made ready for spectra of one shape and dtype. Make it once, "
      "call it many times, from any number of threads.");
  plan.def(
          "__init__",
          [](CleanPlan* self, nb::handle shape, nb::handle dtype, const FaradayRmsf& rmsf,
             nb::handle cutoff, const nb::kwargs& keywords) {
            FaradayCleanOptions options;
            CubeRunOptions run;
            take_options("FaradayClean", keywords, options, run);
            const bool has_cutoff = !cutoff.is_none();
            if (has_cutoff) from_python(kCutoff, cutoff, options.cutoff);
            new (self) CleanPlan(expected_part(kFdf, shape, dtype), rmsf, options, run, has_cutoff);
          },
          "shape"_a, "dtype"_a, "rmsf"_a, "cutoff"_a = nb::none(), "options"_a,
          nb::sig(kept(
              "def __init__(self, shape: collections.abc.Sequence[int], "
              "dtype: numpy.typing.DTypeLike, rmsf: FaradayRmsf, cutoff: float | None = None, *" +
              clean_parameters() + option_parameters<CubeRunOptions>() + ") -> None")),
          "cutoff: where to stop, in the unit of the spectra; None: calls must give an array "
          "with one value per pixel.\n\n"
          ">>> plan = tessera.FaradayClean(fdf.shape, fdf.dtype, rmsf, 3e-4)\n"
          ">>> cleaned = [plan(fdf) for fdf in many]")
      .def(
          "__call__",
          [](CleanPlan& self, nb::handle fdf, nb::handle cutoff, std::vector<FaradayRmsf> own,
             nb::handle of_pixel) {
            return self(look_at_complex(fdf, kFdf), cutoff, {std::move(own), of_pixel});
          },
          "fdf"_a, "cutoff"_a = nb::none(), nb::kw_only(),
          "own_rmsfs"_a = std::vector<FaradayRmsf>(), "rmsf_of_pixel"_a = nb::none(),
          nb::sig("def __call__(self, fdf: typing.Any, cutoff: typing.Any = None, *, "
                  "own_rmsfs: collections.abc.Sequence[FaradayRmsf] = (), "
                  "rmsf_of_pixel: typing.Any = None) -> FaradayCleaned"),
          "`cutoff`: an array with one value per pixel; None: the plan's.")
      .def("describe", &CleanPlan::describe,
           "The methods that run, one line per device met so far.");
  add_choice(plan, [](const CleanPlan& self) { return self.first_plan(); });
}

}  // namespace

void add_faraday_clean(nb::module_& module) {
  using C = CleanResult;
  nb::class_<C>(module, "FaradayCleaned", "The results of faraday_clean.")
      .def_ro("clean", &C::clean, nb::sig("def clean(self) -> typing.Any"))
      .def_ro("components", &C::components, nb::sig("def components(self) -> typing.Any"))
      .def_ro("iterations", &C::iterations, nb::sig("def iterations(self) -> typing.Any"));
  module.def(
      "faraday_clean",
      [](nb::handle fdf, const FaradayRmsf& rmsf, nb::handle cutoff, std::vector<FaradayRmsf> own,
         nb::handle of_pixel, const nb::kwargs& options) {
        return clean(fdf, rmsf, cutoff, {std::move(own), of_pixel}, options);
      },
      "fdf"_a, "rmsf"_a, "cutoff"_a, nb::kw_only(), "own_rmsfs"_a = std::vector<FaradayRmsf>(),
      "rmsf_of_pixel"_a = nb::none(), "options"_a,
      nb::sig(kept("def faraday_clean(fdf: typing.Any, rmsf: FaradayRmsf, cutoff: typing.Any, *, "
                   "own_rmsfs: collections.abc.Sequence[FaradayRmsf] = (), "
                   "rmsf_of_pixel: typing.Any = None" +
                   clean_parameters() + option_parameters<CubeRunOptions>() +
                   ") -> FaradayCleaned")),
      kept(std::string(kClean) + "\n\nOptions:\n" + option_help<FaradayCleanOptions>() +
           option_help<CubeRunOptions>()));
  add_clean_plan(module);
}

}  // namespace tessera::python
