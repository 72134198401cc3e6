// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cmath>

#include "python/doors.hpp"
#include "python/long_call.hpp"
#include "python/options_python.hpp"
#include "python/raw_arrays.hpp"
#include "python/voltage_axes.hpp"
#include "python/xengine_stream.hpp"
#include "tessera/channelise.hpp"
#include "tessera/error.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

constexpr const char* kChanneliseVoltages = "channelise: voltages";

/// Numbers of a packed array of the host.
template <class T>
std::vector<T> numbers_of(nb::handle given, const char* what, const char* dtype, Shape* shape) {
  const nb::object packed =
      nb::module_::import_("numpy").attr("ascontiguousarray")(given, "dtype"_a = dtype);
  const RawArray raw = look_at_raw(packed, what);
  if (shape) *shape = raw.shape;
  long long count = 1;
  for (const long long extent : raw.shape) count *= extent;
  const auto* const data = static_cast<const T*>(raw.data);
  return {data, data + count};
}

/// A number, one per channel, or (channels, antennas, polarisations) or (channels, inputs).
std::vector<float> gains_of(nb::handle given, const XEngineShape& output) {
  if (given.is_none()) return {};
  Shape shape;
  std::vector<float> gains = numbers_of<float>(given, "channelise: gains", "float32", &shape);
  const auto channels = static_cast<std::size_t>(output.channels),
             inputs = static_cast<std::size_t>(output.inputs());
  if (gains.size() != 1 && gains.size() != channels && gains.size() != channels * inputs)
    throw_usage("channelise: gains has shape " + shape_text(shape) + "; give a number, " +
                std::to_string(channels) + " (one per channel), or (" + std::to_string(channels) +
                ", " + std::to_string(output.antennas) + ", " +
                std::to_string(output.polarisations) + ")");
  return gains;
}

/// Real samples have no axis of parts; one is put there, of which only the first part is read.
RawArray with_parts(RawArray voltages) {
  voltages.shape.push_back(2);
  voltages.steps.push_back(voltages.bytes);
  return voltages;
}

/// The voltages of a call, and the plan for them.
struct ChanneliseCall {
  ChanneliseOptions options;
  HostOptions run;
  RawArray voltages;
  VoltageBlock block;
  ValidMask mask;
  XEngineShape shape;
  ChanneliseTables tables;

  ChanneliseCall(nb::handle given, const std::string& layout, std::optional<int> polarisations,
                 const MaskArguments& valid, nb::handle gains, nb::handle coefficients,
                 const nb::kwargs& keywords)
      : voltages(look_at_raw(given, kChanneliseVoltages)) {
    take_options("channelise", keywords, options, run);
    if (options.real) voltages = with_parts(std::move(voltages));
    if (!keywords.contains("samples")) {
      const VoltageFormat found = format_of(voltages);
      options.samples = found.samples;
      if (!keywords.contains("offset_binary")) options.offset_binary = found.offset_binary;
    }
    const VoltageFormat format{options.samples, options.offset_binary};
    shape = shape_of(voltages, layout, format, polarisations);
    block = block_of(voltages, layout, shape, format);
    mask = mask_of(valid.valid, shape, block.samples, valid.samples, "channelise");
    block.valid = mask.valid;
    block.valid_samples = mask.samples;
    if (block.device != kHost && options.backend == Backend::automatic) {
      options.backend = Backend::cuda;
      options.device = block.device;
    }
    XEngineShape output = shape;
    output.channels *= options.channels;
    tables.gains = gains_of(gains, output);
    if (!coefficients.is_none())
      tables.coefficients =
          numbers_of<double>(coefficients, "channelise: coefficients", "float64", nullptr);
  }
};

Shape spectra_shape(const Channelise& plan, long long spectra) {
  const XEngineShape out = plan.output();
  Shape shape{spectra, out.channels, out.antennas, out.polarisations};
  if (is_integer(plan.options().output_type)) shape.push_back(2);
  return shape;
}

const char* spectra_dtype(const Channelise& plan) {
  const SampleType type = plan.options().output_type;
  return type == SampleType::ci8 ? "int8" : type == SampleType::ci16 ? "int16" : "complex64";
}

RawArray spectra_array(const Channelise& plan, long long spectra, nb::handle out,
                       const Array& family) {
  const Shape shape = spectra_shape(plan, spectra);
  const char* const dtype = spectra_dtype(plan);
  const char* const what = "channelise: out";
  if (out.is_none()) return look_at_raw(make_empty(family, shape, dtype), what, true);
  RawArray array = look_at_raw(out, what, true);
  if (array.shape != shape || array.dtype != dtype || !array.writable || !is_packed(array))
    throw_usage(std::string(what) + " is " + shape_text(array.shape) + " of " + array.dtype +
                "; it must be a packed array that can be written, " + shape_text(shape) + " of " +
                dtype);
  return array;
}

void warn_of_limits(const ChanneliseCounts& counts, const char* dtype) {
  if (counts.saturated == 0 && counts.not_a_number == 0) return;
  const bool one = counts.saturated == 1;
  const std::string text = "channelise: " + std::to_string(counts.saturated) +
                           (one ? " part" : " parts") + " of spectra " + (one ? "is" : "are") +
                           " at the limits of " + dtype + " and " +
                           std::to_string(counts.not_a_number) +
                           (counts.not_a_number == 1 ? " is not a number" : " are not numbers") +
                           " and became 0; smaller gains or output_type=\"cf32\" "
                           "can hold them";
  if (PyErr_WarnEx(PyExc_RuntimeWarning, text.c_str(), 1) != 0) nb::raise_python_error();
}

/// A mask of spectra as an array of bool.
nb::object mask_array(const std::vector<unsigned char>& valid, const XEngineShape& shape,
                      long long spectra) {
  const nb::bytes copy(valid.data(), valid.size());
  return nb::module_::import_("numpy")
      .attr("frombuffer")(copy, "dtype"_a = "bool")
      .attr("reshape")(to_tuple({spectra, shape.antennas, shape.polarisations}))
      .attr("copy")();
}

nb::object channelise_array(nb::handle given, const std::string& layout,
                            std::optional<int> polarisations, const MaskArguments& mask,
                            nb::handle gains, nb::handle coefficients, nb::handle out,
                            const nb::kwargs& keywords) {
  const ChanneliseCall call(given, layout, polarisations, mask, gains, coefficients, keywords);
  const auto plan = kept_plan<Channelise>(call.shape, call.options, call.tables);
  const long long spectra = plan.spectra(call.block.samples);
  if (spectra == 0)
    throw_usage("channelise: voltages has " + std::to_string(call.block.samples) +
                " samples in time; a spectrum is made from " + std::to_string(plan.length()) +
                ": give more samples, fewer channels or fewer taps");
  const Array family = family_of(call.voltages);
  const RawArray result = spectra_array(plan, spectra, out, family);
  std::vector<unsigned char> valid;
  if (!call.block.valid.empty())
    valid.assign(static_cast<std::size_t>(spectra * call.shape.inputs()), 1);
  const bool theirs = plan.device() != kHost && call.block.device == plan.device() &&
                      result.device == plan.device();
  ChanneliseCounts counts;
  {
    Stream stream = theirs ? library_stream(family)
                           : Stream(plan.device(), call.run.threads, call.run.memory_bytes());
    if (!theirs && call.block.device != kHost) library_stream(family).wait();
    const LongCall unlocked;
    ChanneliseState state = plan.start();
    plan(state, {call.block, 0},
         {.data = result.data,
          .first = 0,
          .spectra = spectra,
          .layout = voltage_layout("tci", plan.output(), plan.options().output_type, spectra),
          .device = result.device,
          .valid = valid},
         stream);
    if (is_integer(plan.options().output_type)) counts = plan.take_counts(state, stream);
    if (!theirs || call.voltages.library == Library::other) stream.wait();
  }
  warn_of_limits(counts, spectra_dtype(plan));
  if (valid.empty()) return result.object;
  return nb::make_tuple(result.object, mask_array(valid, call.shape, spectra));
}

constexpr const char* kChannelise =
    R"(A polyphase filter bank: voltages of a wide band become spectra of narrow channels.

    y[m, k] = sum over n of h[n] x[m D + n] exp(-2 pi i k (m D + n) / N)

with h the filter, D the hop and N the number of channels, twice that of real samples.

voltages: as in tessera.xengine; with real=True arrays without an axis of real and imaginary parts:
    int8, int16, float32.
layout: the order of the axes, as in tessera.xengine; a layout without c has one channel, "tap" is
    (time, antennas, polarisations).
valid, valid_samples: as in tessera.xengine. A spectrum of an input is missing if one of its samples
    is: its values are 0.
gains: factors of output_type "ci8" and "ci16": a number, one per channel, or (channels, antennas,
    polarisations).
coefficients: the filter, taps times N numbers, instead of one made by a window.
out: an array of the result's shape to fill.
Returns (spectra, channels, antennas, polarisations) of complex64, or int8 or int16 with a last axis
of 2, which tessera.xengine takes as it is. Channels ascend in frequency. With valid: a tuple of it
and a mask of bool, (spectra, antennas, polarisations), for valid= of tessera.xengine. Arrays on a
device give results there.

>>> band = rng.integers(-20, 20, (4000, 1, 3, 2, 2), "int8")     # 3 antennas, one wide channel
>>> spectra = tessera.channelise(band, channels=64, taps=4)
>>> spectra.shape, spectra.dtype.name
((59, 64, 3, 2), 'complex64')
>>> tessera.xengine(spectra).shape
(64, 6, 2, 2))";

}  // namespace

void add_channelise(nb::module_& module) {
  module.def(
      "channelise",
      [](nb::handle voltages, const std::string& layout, std::optional<int> polarisations,
         nb::object valid, std::optional<long long> valid_samples, nb::object gains,
         nb::object coefficients, nb::object out, const nb::kwargs& options) {
        return channelise_array(voltages, layout, polarisations, {valid, valid_samples}, gains,
                                coefficients, out, options);
      },
      "voltages"_a, "layout"_a = "tci", nb::kw_only(), "polarisations"_a = nb::none(),
      "valid"_a = nb::none(), "valid_samples"_a = nb::none(), "gains"_a = nb::none(),
      "coefficients"_a = nb::none(), "out"_a = nb::none(), "options"_a,
      nb::sig(kept("def channelise(voltages: typing.Any, layout: str = \"tci\", *, "
                   "polarisations: int | None = None, valid: typing.Any = None, "
                   "valid_samples: int | None = None, gains: typing.Any = None, "
                   "coefficients: typing.Any = None, out: typing.Any = None" +
                   option_parameters<ChanneliseOptions>() + option_parameters<HostOptions>() +
                   ") -> typing.Any")),
      kept(std::string(kChannelise) +
           "\n\nOptions (samples come from the dtype unless they are given):\n" +
           option_help<ChanneliseOptions>() + option_help<HostOptions>()));
}

}  // namespace tessera::python
