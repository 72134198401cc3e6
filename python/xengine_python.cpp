// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>

#include "python/doors.hpp"
#include "python/row_calls.hpp"
#include "python/xengine_results.hpp"
#include "python/xengine_stream.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

constexpr const char* kVoltages = "xengine: voltages";

/// The X-engine that blocks like an array need.
struct EngineFor {
  XEngineOptions options;
  HostOptions run;
  XEngineShape shape;
  std::string axes;  ///< letters, one for each axis of the array

  EngineFor(const RawArray& voltages, const std::string& layout, std::optional<int> polarisations,
            const nb::kwargs& keywords) {
    take_options("xengine", keywords, options, run);
    if (!keywords.contains("samples")) {
      const VoltageFormat format = format_of(voltages);
      options.samples = format.samples;
      if (!keywords.contains("offset_binary")) options.offset_binary = format.offset_binary;
    }
    const VoltageFormat format{options.samples, options.offset_binary};
    axes = axes_of(voltages, layout, format, polarisations);
    shape = shape_of(voltages, layout, format, polarisations);
  }
};

/// Visibilities of one array, and what an XEngine would tell about its last dump.
nb::object correlate_once(nb::handle given, const std::string& layout,
                          std::optional<int> polarisations, const MaskArguments& mask,
                          bool as_complex, nb::handle out, const nb::kwargs& keywords) {
  const RawArray voltages = look_at_raw(given, kVoltages);
  const EngineFor needed(voltages, layout, polarisations, keywords);
  XEngineStream engine(needed.shape, needed.options, needed.run);
  engine.add(voltages, layout, mask);
  return engine.dump(out, as_complex);
}

constexpr const char* kOnce =
    R"(The X-engine in one call: every input of an array of antennas times every other.

    V[c, i, j] = sum over t of A[t, c, i] conj(A[t, c, j])

voltages: int8 or int16 with a last axis of 2 (real and imaginary part), or records of two fields;
    uint8 and uint16 are offset binary; complex64; float16 or float32 with a last axis of 2; with
    samples="ci4" uint8, one byte per sample. NumPy, CuPy, torch or anything with __dlpack__
    or __cuda_array_interface__. Any strides, no copy.
layout: the order of the axes: t time, c channels, a antennas, p polarisations, i inputs. "tci" is
    (time, channels, antennas, polarisations), or (time, channels, inputs) with polarisations=;
    "act" ends with polarisations. A layout without c has one channel. Two layouts have groups of
    samples: "tcc", (channels, time / n, antennas, polarisations, n) with n = 128 / bits of a part,
    and "dp4a", (time / 4, channels, antennas, polarisations, 2, 4).
valid: true where an input has data, (stretches of time, antennas, polarisations), or one axis for
    all inputs, or one value per antenna. Stretches are valid_samples long; None: equally long.
    Samples that are not valid count as 0.
out: an array of the result's shape to fill.
Returns visibilities: (channels, baselines, polarisations, polarisations), baselines in the order
of tessera.baselines: a and b with b <= a, V = A_a conj(A_b). Integer samples give exact int64 with
a last axis of 2, or complex128 with as_complex=True; float samples complex128. order="full" is
(channels, inputs, inputs), order="register-tile" xGPU's, (2, channels, values). Arrays on a device
give results there.

>>> voltages = rng.integers(-20, 20, (1000, 16, 5, 2, 2), "int8")
>>> visibilities = tessera.xengine(voltages, as_complex=True)
>>> visibilities.shape
(16, 15, 2, 2)
>>> matrix = tessera.xengine(voltages, order="full", as_complex=True)
>>> bool(np.array_equal(matrix[3], matrix[3].conj().T))
True)";

constexpr const char* kClass =
    R"(The X-engine for voltages that come in blocks, of any length, from any thread.

>>> with tessera.XEngine(antennas=5, channels=16) as engine:
...     for block in recording:
...         engine.add(block)
...     visibilities = engine.dump()
>>> visibilities.shape, visibilities.dtype.name
((16, 15, 2, 2, 2), 'int64')
>>> int(engine.counts.min()), float(engine.weights.min())
(3000, 1.0)

Sums of integer samples are exact, and the same whatever the blocks. At the end of `with` memory is
given back; what was not dumped is lost.)";

constexpr const char* kAdd =
    R"(Adds a block. voltages, layout, valid and valid_samples are as in tessera.xengine.

Blocks on a device are processed after the work that their library has enqueued, and before any
that it will enqueue; the call does not wait.

>>> engine = tessera.XEngine(5, channels=16)
>>> engine.add(np.zeros((1000, 16, 5, 2, 2), "int8"), valid=np.ones((10, 5), bool))
>>> engine.samples
1000)";

constexpr const char* kDump =
    R"(Visibilities of all blocks since the last dump; sums begin at 0 again.

out: an array to fill, of output_shape, of the library of the last block and on the same device.
as_complex: complex128 for integer sums too.

>>> engine = tessera.XEngine(5, channels=16, output_type="f32")
>>> for block in recording:
...     engine.add(block)
>>> engine.dump().dtype.name
'complex64')";

constexpr const char* kBaselines =
    R"(Pairs of antennas (a, b), b <= a, in the order of visibilities: (baselines, 2) of int32.

>>> tessera.baselines(3).tolist()
[[0, 0], [1, 0], [1, 1], [2, 0], [2, 1], [2, 2]])";

constexpr const char* kMaskParameters =
    "valid: typing.Any = None, valid_samples: int | None = None";

void add_making(nb::class_<XEngineStream>& engine) {
  using E = XEngineStream;
  const auto not_samples = [](std::string_view name) { return name != "samples"; };
  engine
      .def(
          "__init__",
          [](E* self, int antennas, int polarisations, int channels, const std::string& samples,
             const nb::kwargs& keywords) {
            XEngineOptions options;
            HostOptions run;
            take_options("XEngine", keywords, options, run);
            from_text("XEngine: samples", samples, options.samples);
            new (self) E({antennas, polarisations, channels}, options, run);
          },
          "antennas"_a, "polarisations"_a = 2, "channels"_a = 1, "samples"_a = "ci8", "options"_a,
          nb::sig(kept("def __init__(self, antennas: int, polarisations: int = 2, "
                       "channels: int = 1, samples: " +
                       python_type<SampleType>() + " = \"ci8\", *" +
                       option_parameters<XEngineOptions>(not_samples) +
                       option_parameters<HostOptions>() + ") -> None")),
          kept("Options:\n" + option_help<XEngineOptions>() + option_help<HostOptions>()))
      .def_static(
          "for_voltages",
          [](nb::handle given, const std::string& layout, std::optional<int> polarisations,
             const nb::kwargs& keywords) {
            const EngineFor needed(look_at_raw(given, kVoltages), layout, polarisations, keywords);
            return new E(needed.shape, needed.options, needed.run);
          },
          "voltages"_a, "layout"_a = "tci", nb::kw_only(), "polarisations"_a = nb::none(),
          "options"_a, nb::rv_policy::take_ownership,
          nb::sig(kept("def for_voltages(voltages: typing.Any, layout: str = \"tci\", *, "
                       "polarisations: int | None = None" +
                       option_parameters<XEngineOptions>() + option_parameters<HostOptions>() +
                       ") -> XEngine")),
          "An X-engine for blocks like this array, of which none is added: antennas, channels and "
          "the type of\nsamples come from it as in tessera.xengine.\n\n"
          ">>> engine = tessera.XEngine.for_voltages(voltages)")
      .def_static(
          "axes_of",
          [](nb::handle given, const std::string& layout, std::optional<int> polarisations,
             const nb::kwargs& keywords) {
            return EngineFor(look_at_raw(given, kVoltages), layout, polarisations, keywords).axes;
          },
          "voltages"_a, "layout"_a = "tci", nb::kw_only(), "polarisations"_a = nb::none(),
          "options"_a,
          nb::sig(kept("def axes_of(voltages: typing.Any, layout: str = \"tci\", *, "
                       "polarisations: int | None = None" +
                       option_parameters<XEngineOptions>() + option_parameters<HostOptions>() +
                       ") -> str")),
          "The meaning of each axis of such an array, as a letter: t time, c channels, a antennas, "
          "p "
          "polarisations,\ni inputs, n samples of a group, r real and imaginary part.\n\n"
          ">>> tessera.XEngine.axes_of(np.zeros((100, 16, 5, 2, 2), \"int8\"))\n'tcapr'")
      .def(
          "__enter__", [](nb::handle self) { return nb::borrow(self); },
          nb::sig("def __enter__(self) -> XEngine"))
      .def(
          "__exit__", [](E& self, const nb::args&) { self.release(); }, "error"_a,
          nb::sig("def __exit__(self, *error: typing.Any) -> None"));
}

void add_summing(nb::class_<XEngineStream>& engine) {
  using E = XEngineStream;
  engine
      .def(
          "add",
          [](E& self, nb::handle voltages, const std::string& layout, nb::object valid,
             std::optional<long long> valid_samples) {
            self.add(look_at_raw(voltages, kVoltages), layout, {valid, valid_samples});
          },
          "voltages"_a, "layout"_a = "tci", "valid"_a = nb::none(), "valid_samples"_a = nb::none(),
          nb::sig(kept(std::string("def add(self, voltages: typing.Any, layout: str = \"tci\", ") +
                       kMaskParameters + ") -> None")),
          kAdd)
      .def("dump", &E::dump, "out"_a = nb::none(), "as_complex"_a = false,
           nb::sig("def dump(self, out: typing.Any = None, as_complex: bool = False) -> "
                   "typing.Any"),
           kDump)
      .def("clear", &E::clear, "Forgets all blocks since the last dump.");
}

void add_figures(nb::class_<XEngineStream>& engine) {
  using E = XEngineStream;
  add_choice(engine, [](const E& self) { return self.running(); });
  engine.def("describe", &E::describe, "The method that runs.")
      .def_prop_ro("samples", &E::samples, "samples in time since the last dump")
      .def_prop_ro("counts", &E::counts,
                   nb::sig("def counts(self) -> "
                           "numpy.typing.NDArray[numpy.int64]"),
                   "of the last dump: samples in which both inputs were valid, times the channels "
                   "that were averaged; the axes of a channel")
      .def_prop_ro("weights", &E::weights,
                   nb::sig("def weights(self) -> "
                           "numpy.typing.NDArray[numpy.float64]"),
                   "counts of the last dump as shares of all samples, 0 to 1")
      .def_prop_ro(
          "saturated", [](const E& self) { return self.last().saturated; },
          "parts of the last dump that output_type=\"i32\" could not hold")
      .def_prop_ro(
          "output_shape", [](const E& self) { return to_tuple(visibility_shape(self.plan())); },
          nb::sig("def output_shape(self) -> tuple[int, ...]"), "of visibilities")
      .def_prop_ro(
          "output_dtype", [](const E& self) { return visibility_dtype(self.plan()); },
          nb::sig("def output_dtype(self) -> str"), "of visibilities");
}

}  // namespace

void add_xengine(nb::module_& module) {
  nb::class_<XEngineStream> engine(module, "XEngine", kClass);
  add_making(engine);
  add_summing(engine);
  add_figures(engine);
  module.def(
      "xengine",
      [](nb::handle voltages, const std::string& layout, std::optional<int> polarisations,
         nb::object valid, std::optional<long long> valid_samples, bool as_complex, nb::object out,
         const nb::kwargs& options) {
        return correlate_once(voltages, layout, polarisations, {valid, valid_samples}, as_complex,
                              out, options);
      },
      "voltages"_a, "layout"_a = "tci", nb::kw_only(), "polarisations"_a = nb::none(),
      "valid"_a = nb::none(), "valid_samples"_a = nb::none(), "as_complex"_a = false,
      "out"_a = nb::none(), "options"_a,
      nb::sig(kept(std::string("def xengine(voltages: typing.Any, layout: str = \"tci\", *, "
                               "polarisations: int | None = None, ") +
                   kMaskParameters + ", as_complex: bool = False, out: typing.Any = None" +
                   option_parameters<XEngineOptions>() + option_parameters<HostOptions>() +
                   ") -> typing.Any")),
      kept(std::string(kOnce) +
           "\n\nOptions (samples come from the dtype unless they are given):\n" +
           option_help<XEngineOptions>() + option_help<HostOptions>()));
  module.def("baselines", baselines_array, "antennas"_a,
             nb::sig("def baselines(antennas: int) -> numpy.typing.NDArray[numpy.int32]"),
             kBaselines);
}

}  // namespace tessera::python
