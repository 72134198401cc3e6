// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>

#include <optional>
#include <utility>

#include "python/doors.hpp"
#include "python/faraday_arrays.hpp"
#include "python/faraday_axes_python.hpp"
#include "python/faraday_model.hpp"
#include "python/faraday_voxel_arrays.hpp"
#include "python/plans_by_key.hpp"
#include "python/row_calls.hpp"
#include "tessera/faraday.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

constexpr const char *kQ = "faraday_synth: q", *kU = "faraday_synth: u",
                     *kSynthOut = "faraday_synth: out";

/// Cubes of one shape and dtype, on any device.
class SynthPlan {
 public:
  /// `like`: Q such as is expected; its plan is made now, so that errors come now.
  SynthPlan(const Array& like, const FaradayAxes& axes, const FaradayOptions& options,
            const CubeRunOptions& run)
      : shape_(like.shape), type_(like.type), axes_(axes), options_(options), run_(run) {
    const int depths = plan_for(cube_view(kQ, like, run.axis).info()).output().size.planes;
    result_shape_ = with_extent(shape_, run.axis, depths);
  }

  nb::object operator()(const Array& q, const Array& u, nb::handle out) {
    check_array(kQ, q, shape_, type_);
    check_array(kU, u, shape_, type_);
    const AnyView q_view = cube_view(kQ, q, run_.axis), u_view = cube_view(kU, u, run_.axis);
    const FaradaySynth plan = plan_for(q_view.info());
    const ComplexArray fdf = complex_result(kSynthOut, out, q, result_shape_);
    const AnyMutableView real = cube_view(kSynthOut, fdf.real, run_.axis),
                         imaginary = cube_view(kSynthOut, fdf.imaginary, run_.axis);
    run_on_arrays({&q, &u, &fdf.real}, plan, run_,
                  [&](Stream& stream) { plan(q_view, u_view, real, imaginary, stream); });
    return fdf.object;
  }
  nb::object operator()(nb::handle q, nb::handle u, nb::handle out) {
    return (*this)(look_at(q, kQ), look_at(u, kU), out);
  }

  const FaradayAxes& axes() const { return axes_; }
  const Shape& output_shape() const { return result_shape_; }
  std::string describe() const { return plans_.describe(); }
  FaradaySynth first_plan() const { return plans_.first(); }

 private:
  FaradaySynth plan_for(const ImageInfo& info) {
    return plans_.get(info.device, [&] { return kept_plan<FaradaySynth>(info, axes_, options_); });
  }

  Shape shape_, result_shape_;
  Type type_;
  FaradayAxes axes_;
  FaradayOptions options_;
  CubeRunOptions run_;
  KeptPlans<FaradaySynth> plans_;
};

/// The results of faraday_synth.
struct SpectraResult {
  nb::object fdf, bands;
  FaradayAxes axes;
  std::string method;
};

struct SynthArguments {
  nb::object weights, noise, model, out;
};

/// Planes of FaradayBand for every pixel.
nb::object make_bands(const VoxelArrays& voxels, const Array& q, const Array& u,
                      const FaradayAxes& axes, const CubeRunOptions& run) {
  Shape shape = without_axis(q.shape, run.axis);
  shape.insert(shape.begin(), static_cast<long long>(Names<FaradayBand>::list.size()));
  const Array made = make_like(q, shape, q.type);
  const AnyMutableView bands = cube_view("faraday_synth: bands", made, 0);
  const FaradayVoxels cubes = voxels.voxels(q, u);
  const FaradayBands plan(cubes.q.info(), axes, {.sigma = voxels.channel_sigma()});
  std::vector<const Array*> arrays{&q, &u, &made};
  for (const Array* array : voxels.arrays()) arrays.push_back(array);
  run_on_arrays(arrays, plan, run, [&](Stream& stream) { plan(cubes, bands, stream); });
  return made.object;
}

/// Q and U as FaradayBands::weigh makes them.
void weigh(const VoxelArrays& voxels, Array& q, Array& u, const FaradayAxes& axes,
           const CubeRunOptions& run) {
  const Array weighed_q = make_like(q, q.shape, q.type), weighed_u = make_like(u, u.shape, u.type);
  const FaradayVoxels cubes = voxels.voxels(q, u);
  const FaradayBands plan(cubes.q.info(), axes);
  const AnyMutableView to_q = cube_view(kQ, weighed_q, run.axis),
                       to_u = cube_view(kU, weighed_u, run.axis);
  std::vector<const Array*> arrays{&q, &u, &weighed_q, &weighed_u};
  for (const Array* array : voxels.arrays()) arrays.push_back(array);
  run_on_arrays(arrays, plan, run, [&](Stream& stream) { plan.weigh(cubes, to_q, to_u, stream); });
  q = weighed_q;
  u = weighed_u;
}

SpectraResult synth(nb::handle given_q, nb::handle given_u, nb::handle frequency,
                    const SynthArguments& arguments, nb::kwargs keywords) {
  AxesArguments about{nb::borrow(frequency), nb::none(), take_depths(keywords)};
  CubeRunOptions run;
  take_options("faraday_synth", keywords, about.options, run);
  Array q = look_at(given_q, kQ), u = look_at(given_u, kU);
  check_array(kU, u, q.shape, q.type);
  cube_view(kQ, q, run.axis);  // a bad axis is said before anything else
  std::optional<StokesModel> model;
  if (!arguments.model.is_none()) {
    model.emplace(arguments.model, q, run.axis);
    q = look_at(model->divide(q.object), kQ);
    u = look_at(model->divide(u.object), kU);
  }
  const VoxelArrays voxels(arguments.noise, arguments.weights, q, run.axis,
                           model ? &*model : nullptr);
  about.weights = voxels.channel_weights(q, u);
  if (!nb::isinstance<FaradayAxes>(frequency)) about.dead = dead_channels(q, u, run.axis);
  const FaradayAxes axes = axes_from_python("faraday_synth", about);
  SynthPlan plan(q, axes, about.options, run);
  nb::object bands = make_bands(voxels, q, u, axes, run);
  if (voxels.has_weights()) weigh(voxels, q, u, axes, run);
  nb::object fdf = plan(q, u, arguments.out);
  if (model) {
    model->multiply(fdf, axes);
    bands[nb::int_(0)] = model->times_noise(bands[nb::int_(0)], axes);
  }
  return {fdf, bands, axes, plan.describe()};
}

constexpr const char* kSynth =
    R"(Rotation measure synthesis: Q and U over frequency become emission over Faraday depth.

    fdf[p] = K sum over k of w_k (q + i u)[k] exp(-2i phi_p (lambda2_k - lambda2_0)), K = 1 / sum w

q, u: (frequencies, rows, columns), (frequencies, pixels) or (frequencies,), or with axis=-1 the
    frequencies last; float32 or float64, of NumPy, CuPy, torch or anything with __dlpack__. Any
    strides, no copy. Voxels in which either is not finite are left out of both sums; a pixel
    without any is NaN.
frequency: hertz, one per channel, in any order; or a FaradayAxes, which then determines weights
    and depths too.
weights: one per channel, or a cube like q; "variance": 1 / noise**2; None: all 1. Channels without any
    data count as 0.
noise: of q and u: a number, one per channel, one per pixel, or a cube like q; None: not known.
phi: depths in rad/m^2 as an array of any kind and order, or "LOW,HIGH,STEP".
model: Stokes I, one value per channel or a cube like q: the sum is over q / I and u / I, and the result is
    multiplied by I at the frequency of lambda2_0, linear between the nearest channels that count;
    outside the band it is I of the nearest.
out: a complex array of the result's shape to fill.
Returns fdf, complex64 or complex128 with depths instead of frequencies, axes with phi, lambda2_0 and
fwhm, and bands: for every pixel the noise of its spectrum, the width of its RMSF, mean, spread and
number of its own channels, stretch and lean of its errors (in this order along the first axis).

>>> spectra = tessera.faraday_synth(q, u, frequency, phi_max=600, dphi=3)
>>> spectra.fdf.shape, spectra.phi[abs(spectra.fdf[:, 44, 48]).argmax()])";

void add_spectra(nb::module_& module) {
  using S = SpectraResult;
  nb::class_<S>(module, "FaradaySpectra", "The results of faraday_synth.")
      .def_ro("fdf", &S::fdf, "complex spectra", nb::sig("def fdf(self) -> typing.Any"))
      .def_ro("axes", &S::axes, "channels and depths")
      .def_ro("bands", &S::bands,
              "(7, rows, columns): noise, fwhm, mean, spread and number of the channels of every "
              "pixel, stretch and lean of its errors",
              nb::sig("def bands(self) -> typing.Any"))
      .def_prop_ro(
          "phi", [](const S& s) { return to_numpy(s.axes.phi); },
          nb::sig("def phi(self) -> numpy.typing.NDArray[typing.Any]"), "depths, rad/m^2")
      .def_prop_ro(
          "lambda2_0", [](const S& s) { return s.axes.lambda2_0; }, "m^2")
      .def_prop_ro(
          "fwhm", [](const S& s) { return s.axes.fwhm; }, "of the RMSF by theory, rad/m^2")
      .def_ro("method", &S::method, "what ran");
}

void add_function(nb::module_& module) {
  module.def(
      "faraday_synth",
      [](nb::handle q, nb::handle u, nb::handle frequency, nb::object weights, nb::object noise,
         nb::object model, nb::object out, nb::kwargs options) {
        return synth(q, u, frequency,
                     {std::move(weights), std::move(noise), std::move(model), std::move(out)},
                     std::move(options));
      },
      "q"_a, "u"_a, "frequency"_a, nb::kw_only(), "weights"_a = nb::none(), "noise"_a = nb::none(),
      "model"_a = nb::none(), "out"_a = nb::none(), "options"_a,
      nb::sig(kept("def faraday_synth(q: typing.Any, u: typing.Any, "
                   "frequency: numpy.typing.ArrayLike | FaradayAxes, *, "
                   "weights: numpy.typing.ArrayLike | str | None = None, "
                   "noise: typing.Any = None, model: typing.Any = None, "
                   "out: typing.Any = None" +
                   synth_parameters() + option_parameters<CubeRunOptions>() +
                   ") -> FaradaySpectra")),
      kept(std::string(kSynth) + "\n\nOptions:\n" + option_help<FaradayOptions>() +
           option_help<CubeRunOptions>()));
}

void add_dead_channels(nb::module_& module) {
  module.def(
      "faraday_dead_channels",
      [](nb::handle given_q, nb::handle given_u, nb::handle given_model, int axis) {
        Array q = look_at(given_q, kQ), u = look_at(given_u, kU);
        check_array(kU, u, q.shape, q.type);
        cube_view(kQ, q, axis);
        if (!given_model.is_none()) {
          const StokesModel model(given_model, q, axis);
          q = look_at(model.divide(q.object), kQ);
          u = look_at(model.divide(u.object), kU);
        }
        nb::list dead;
        for (const unsigned char none : dead_channels(q, u, axis)) dead.append(none != 0);
        return dead;
      },
      "q"_a, "u"_a, nb::kw_only(), "model"_a = nb::none(), "axis"_a = 0,
      nb::sig("def faraday_dead_channels(q: typing.Any, u: typing.Any, *, "
              "model: typing.Any = None, axis: int = 0) -> list[bool]"),
      R"(Channels without a pixel at which q and u are finite, which faraday_synth gives weight 0: True for
each. Those of a cube are the ones that are dead in all parts of it.

>>> weights = np.where(tessera.faraday_dead_channels(q, u), 0.0, 1.0)
>>> axes = tessera.faraday_axes(frequency, weights=weights))");
}

void add_synth_plan(nb::module_& module) {
  nb::class_<SynthPlan> plan(module, "FaradaySynth",
                             "Synthesis made ready for cubes of one shape and dtype. Make it once, "
                             "call it many times, from any number of threads.");
  plan.def(
          "__init__",
          [](SynthPlan* self, nb::handle shape, nb::handle dtype, const FaradayAxes& axes,
             const nb::kwargs& keywords) {
            MethodOptions by;
            CubeRunOptions run_options;
            take_options("FaradaySynth", keywords, by, run_options);
            new (self) SynthPlan(expected_array("faraday_synth", shape, dtype), axes,
                                 {.backend = by.backend, .method = by.method, .device = by.device},
                                 run_options);
          },
          "shape"_a, "dtype"_a, "axes"_a, "options"_a,
          nb::sig(kept("def __init__(self, shape: collections.abc.Sequence[int], "
                       "dtype: numpy.typing.DTypeLike, axes: FaradayAxes, *" +
                       option_parameters<MethodOptions>() + option_parameters<CubeRunOptions>() +
                       ") -> None")),
          ">>> plan = tessera.FaradaySynth(q.shape, q.dtype, axes)\n"
          ">>> fdf = [plan(q, u) for q, u in many]\n\n"
          "Give channels without any data the weight 0 in `axes`: a plan does not look for them.")
      .def(
          "__call__",
          [](SynthPlan& self, nb::handle q, nb::handle u, nb::handle out) {
            return self(q, u, out);
          },
          "q"_a, "u"_a, "out"_a = nb::none(),
          nb::sig("def __call__(self, q: typing.Any, u: typing.Any, out: typing.Any = None) -> "
                  "typing.Any"))
      .def("describe", &SynthPlan::describe,
           "The methods that run, one line per device met so far.")
      .def_prop_ro("axes", &SynthPlan::axes)
      .def_prop_ro(
          "output_shape", [](const SynthPlan& self) { return to_tuple(self.output_shape()); },
          nb::sig("def output_shape(self) -> tuple[int, ...]"));
  add_choice(plan, [](const SynthPlan& self) { return self.first_plan(); });
}

}  // namespace

void add_faraday_synth(nb::module_& module) {
  add_spectra(module);
  add_function(module);
  add_dead_channels(module);
  add_synth_plan(module);
}

}  // namespace tessera::python
