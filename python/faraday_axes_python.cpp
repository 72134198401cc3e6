// SPDX-License-Identifier: Apache-2.0
#include "python/faraday_axes_python.hpp"

#include "python/array_checks.hpp"
#include "python/doors.hpp"
#include "python/faraday_arrays.hpp"
#include "python/long_call.hpp"
#include "tessera/error.hpp"
#include "tessera/faraday_maps.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

constexpr const char* kAxes =
    R"(Channels and Faraday depths, for everything that faraday does.

frequency: hertz, one per channel, in any order.
weights: one per channel, for instance 1 / sigma**2; None: all 1. Values that are not finite count as 0.
phi: depths in rad/m^2 of any kind and order, as an array, or "LOW,HIGH,STEP".

>>> axes = tessera.faraday_axes(frequency, phi_max=600, dphi=3)
>>> axes.phi.size, axes.lambda2_0, axes.fwhm)";

constexpr const char* kRmsf =
    R"(The response to a source of one Faraday depth, twice as wide as the grid of depths.

axes: of faraday_axes or faraday_synth, with a regular grid.
fit: the width by a Gaussian fitted to the main lobe; otherwise by theory, 3.8 over the range of
    wavelengths squared.
flagged: channels that a pixel lacks, True for each; None: none.

>>> rmsf = tessera.faraday_rmsf(spectra.axes, fit=True)
>>> rmsf.phi, rmsf.value, rmsf.fwhm)";

FaradayAxes make_axes(nb::handle frequency, nb::handle weights, nb::kwargs keywords) {
  const std::vector<std::string> known{"phi_max", "dphi", "samples", "phi", "lambda0"};
  for (const char* name : {"backend", "method", "device"})
    if (keywords.contains(name)) throw_unknown_option("faraday_axes", nb::str(name), known);
  AxesArguments given{nb::borrow(frequency), nb::borrow(weights), take_depths(keywords)};
  take_options("faraday_axes", keywords, given.options);
  return axes_from_python("faraday_axes", given);
}

FaradayRmsf make_rmsf(const FaradayAxes& axes, bool fit, nb::handle flagged) {
  std::vector<unsigned char> flags;
  if (!flagged.is_none())
    for (const double flag : numbers("faraday_rmsf: flagged", flagged)) flags.push_back(flag != 0);
  const LongCall unlocked;
  return faraday_rmsf(axes, fit, flags);
}

FaradayRmsf rmsf_of_arrays(nb::handle phi, nb::handle value, double fwhm) {
  const ComplexArray given = look_at_complex(
      unmasked_array("FaradayRmsf: value", value, "complex128"), "FaradayRmsf: value");
  FaradayRmsf rmsf{numbers("FaradayRmsf: phi", phi), {}, fwhm};
  const std::vector<double> real = numbers("FaradayRmsf: value", given.real.object),
                            imaginary = numbers("FaradayRmsf: value", given.imaginary.object);
  if (real.size() != rmsf.phi.size())
    throw Error(ErrorKind::usage, "FaradayRmsf: value has " + std::to_string(real.size()) +
                                      " numbers and phi " + std::to_string(rmsf.phi.size()) +
                                      "; give one a depth");
  for (std::size_t i = 0; i < real.size(); ++i) rmsf.value.emplace_back(real[i], imaginary[i]);
  return rmsf;
}

nb::object complex_numpy(const std::vector<std::complex<double>>& values) {
  Array host;
  const ComplexArray array =
      make_complex_like(host, {static_cast<long long>(values.size())}, Type::f64);
  std::copy(values.begin(), values.end(),
            static_cast<std::complex<double>*>(array.real.data));  // the real part comes first
  return array.object;
}

std::string text_of(const FaradayAxes& axes) {
  return "FaradayAxes(" + std::to_string(axes.channels()) + " channels, " +
         std::to_string(axes.depths()) + " depths, lambda2_0 " + to_text(axes.lambda2_0) +
         " m^2, fwhm " + to_text(axes.fwhm) + " rad/m^2)";
}

/// For pickle: what axes and RMSFs hold, bit for bit.
nb::tuple state_of(const FaradayAxes& a) {
  return nb::make_tuple(to_numpy(a.frequency), to_numpy(a.lambda2), to_numpy(a.weight),
                        a.weight_sum, a.lambda2_0, to_numpy(a.phi), a.dphi, a.fwhm, a.max_scale);
}
FaradayAxes axes_of_state(const nb::tuple& state) {
  const auto list = [&](int i) { return numbers("FaradayAxes", state[i]); };
  const auto number = [&](int i) { return nb::cast<double>(state[i]); };
  return {list(0), list(1),   list(2),   number(3), number(4),
          list(5), number(6), number(7), number(8)};
}
nb::tuple state_of(const FaradayRmsf& r) {
  return nb::make_tuple(to_numpy(r.phi), complex_numpy(r.value), r.fwhm, r.fitted);
}
FaradayRmsf rmsf_of_state(const nb::tuple& state) {
  FaradayRmsf rmsf = rmsf_of_arrays(state[0], state[1], nb::cast<double>(state[2]));
  rmsf.fitted = nb::cast<bool>(state[3]);
  return rmsf;
}
template <class Class, class Made>
void add_state(nb::class_<Class>& bound, Made made) {
  bound
      .def(
          "__getstate__", [](const Class& self) { return state_of(self); },
          nb::sig("def __getstate__(self) -> tuple[typing.Any, ...]"))
      .def(
          "__setstate__",
          [made](Class& self, const nb::tuple& state) { new (&self) Class(made(state)); },
          nb::sig("def __setstate__(self, state: tuple[typing.Any, ...]) -> None"));
}

/// Text with one word replaced; the word must be there.
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

/// How a stub shows a property that is an array.
nb::sig array_property(const std::string& name) {
  return nb::sig(kept("def " + name + "(self) -> numpy.typing.NDArray[typing.Any]"));
}

void add_classes(nb::module_& module) {
  using A = FaradayAxes;
  nb::class_<A> axes(module, "FaradayAxes",
                     "Channels and Faraday depths; made by faraday_axes. It can be pickled.");
  axes.def_prop_ro(
          "frequency", [](const A& a) { return to_numpy(a.frequency); },
          array_property("frequency"), "Hz")
      .def_prop_ro(
          "weights", [](const A& a) { return to_numpy(a.weight); }, array_property("weights"),
          "one a channel")
      .def_prop_ro(
          "lambda2", [](const A& a) { return to_numpy(a.lambda2); }, array_property("lambda2"),
          "m^2, a channel")
      .def_prop_ro(
          "phi", [](const A& a) { return to_numpy(a.phi); }, array_property("phi"),
          "depths, rad/m^2")
      .def_ro("lambda2_0", &A::lambda2_0, "where angles refer to, m^2")
      .def_ro("dphi", &A::dphi, "step of a regular grid, otherwise 0")
      .def_ro("fwhm", &A::fwhm, "width of the RMSF by theory, rad/m^2")
      .def_ro("max_scale", &A::max_scale, "wider structures are lost, rad/m^2")
      .def_prop_ro("frequency_0", &A::frequency_0, "of lambda2_0, Hz")
      .def("__repr__", text_of);
  using R = FaradayRmsf;
  nb::class_<R> rmsf(module, "FaradayRmsf",
                     "The response to one Faraday depth, about zero. It can be pickled.");
  rmsf.def(
          "__init__",
          [](R* self, nb::handle phi, nb::handle value, double fwhm) {
            new (self) R(rmsf_of_arrays(phi, value, fwhm));
          },
          "phi"_a, "value"_a, "fwhm"_a, "From one's own arrays: 2 n + 1 values for n depths.",
          nb::sig("def __init__(self, phi: numpy.typing.ArrayLike, value: numpy.typing.ArrayLike, "
                  "fwhm: float) -> None"))
      .def_prop_ro(
          "phi", [](const R& r) { return to_numpy(r.phi); }, array_property("phi"), "rad/m^2")
      .def_prop_ro(
          "value", [](const R& r) { return complex_numpy(r.value); }, array_property("value"),
          "complex128")
      .def_ro("fwhm", &R::fwhm, "rad/m^2")
      .def_ro("fitted", &R::fitted, "fwhm was fitted");
  add_state(axes, axes_of_state);
  add_state(rmsf, rmsf_of_state);
}

}  // namespace

nb::object take_depths(nb::kwargs& keywords) {
  if (!keywords.contains("phi")) return nb::none();
  nb::object phi = keywords["phi"];
  if (nb::isinstance<nb::str>(phi)) return nb::none();
  keywords = nb::borrow<nb::kwargs>(nb::dict(keywords).attr("copy")());
  nb::del(keywords["phi"]);
  return phi;
}

FaradayAxes axes_from_python(const std::string& operation, const AxesArguments& given) {
  if (nb::isinstance<FaradayAxes>(given.frequency)) return nb::cast<FaradayAxes>(given.frequency);
  FaradayChannels channels{numbers(operation + ": frequency", given.frequency)};
  if (!given.weights.is_none()) channels.weight = numbers(operation + ": weights", given.weights);
  if (!given.dead.empty() && channels.weight.empty())
    channels.weight.assign(channels.frequency.size(), 1.0);
  if (channels.weight.size() == given.dead.size())
    for (std::size_t k = 0; k < given.dead.size(); ++k)
      if (given.dead[k]) channels.weight[k] = 0;
  if (given.phi.is_none()) return faraday_axes(channels, given.options);
  return faraday_axes(channels, numbers(operation + ": phi", given.phi), given.options);
}

std::string synth_parameters() {
  return replaced(option_parameters<FaradayOptions>(), "phi: str",
                  "phi: str | numpy.typing.ArrayLike");
}
std::string grid_parameters() {
  const std::string all = synth_parameters();
  return all.substr(0, all.find(", backend:"));
}
std::string grid_help() {
  const std::string all = option_help<FaradayOptions>();
  return all.substr(0, all.find("    backend ("));
}

void add_faraday_axes(nb::module_& module) {
  add_classes(module);
  module.def("faraday_axes", make_axes, "frequency"_a, nb::kw_only(), "weights"_a = nb::none(),
             "options"_a,
             nb::sig(kept("def faraday_axes(frequency: numpy.typing.ArrayLike, *, "
                          "weights: numpy.typing.ArrayLike | None = None" +
                          grid_parameters() + ") -> FaradayAxes")),
             kept(std::string(kAxes) + "\n\nOptions:\n" + grid_help()));
  module.def("faraday_rmsf", make_rmsf, "axes"_a, nb::kw_only(), "fit"_a = false,
             "flagged"_a = nb::none(),
             nb::sig("def faraday_rmsf(axes: FaradayAxes, *, fit: bool = False, "
                     "flagged: numpy.typing.ArrayLike | None = None) -> FaradayRmsf"),
             kRmsf);
  module.def(
      "faraday_noise",
      [](const FaradayAxes& axes, nb::handle sigma) {
        return faraday_noise(axes, numbers("faraday_noise: sigma", sigma));
      },
      "axes"_a, "sigma"_a,
      nb::sig("def faraday_noise(axes: FaradayAxes, sigma: numpy.typing.ArrayLike) -> float"),
      "The noise of a spectrum by theory, from that of the channels: sqrt(sum of w^2 sigma^2) / "
      "sum of w.");
}

}  // namespace tessera::python
