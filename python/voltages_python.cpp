// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>

#include <algorithm>

#include "io/voltages/voltage_file.hpp"
#include "io/voltages/voltage_gather.hpp"
#include "io/voltages/voltage_order.hpp"
#include "python/arrays.hpp"
#include "python/doors.hpp"
#include "python/long_call.hpp"
#include "python/options_python.hpp"
#include "python/text.hpp"
#include "tessera/error.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

std::vector<std::string> file_names(nb::handle files) {
  const std::string what = "read_voltages: files";
  if (!nb::isinstance<nb::list>(files) && !nb::isinstance<nb::tuple>(files))
    return {path_text(what, files)};
  std::vector<std::string> names;
  for (nb::handle file : files) names.push_back(path_text(what, file));
  return names;
}

/// All that was read: (time, channel, antenna, polarisation), and one byte per sample and input.
struct Recording {
  std::vector<unsigned char> samples, valid;
  long long length = 0;
  bool truncated = false, gaps = false;
  std::vector<std::string> warnings;
};

void add_valid(const VoltageBlock& block, int inputs, Recording& recording) {
  for (long long t = 0; t < block.samples; ++t)
    for (int i = 0; i < inputs; ++i)
      recording.valid.push_back(
          block.valid.empty() ||
          block.valid[static_cast<std::size_t>(t / block.valid_samples * inputs + i)] != 0);
  recording.gaps = recording.gaps || !block.valid.empty();
}

Recording read_all(VoltageSource& source, long long most) {
  constexpr long long kAtOnce = 1 << 16;
  const VoltageInfo& info = source.info();
  Recording recording;
  while (most == 0 || recording.length < most) {
    const VoltageBlock block =
        source.read(most == 0 ? kAtOnce : std::min(kAtOnce, most - recording.length));
    if (block.samples == 0) break;
    const VoltageOrder order{"TFAP", info.shape, info.samples};
    const std::size_t before = recording.samples.size();
    recording.samples.resize(before +
                             static_cast<std::size_t>(block.samples * order.bytes_a_sample()));
    gather_voltages(info, block, order.layout(block.samples), recording.samples.data() + before);
    add_valid(block, info.shape.inputs(), recording);
    recording.length += block.samples;
  }
  recording.truncated = source.truncated();
  recording.warnings = source.warnings();
  return recording;
}

/// Halves of bytes as bytes of their own.
std::vector<unsigned char> spread_halves(const std::vector<unsigned char>& bytes) {
  std::vector<unsigned char> spread;
  spread.reserve(2 * bytes.size());
  for (const unsigned char byte : bytes)
    for (const int half : {byte >> 4, byte & 15})
      spread.push_back(static_cast<unsigned char>(half > 7 ? half - 16 : half));
  return spread;
}

nb::object recorded_array(const std::vector<unsigned char>& bytes, const char* dtype,
                          const Shape& shape) {
  const nb::bytes copy(bytes.data(), bytes.size());
  return nb::module_::import_("numpy")
      .attr("frombuffer")(copy, "dtype"_a = dtype)
      .attr("reshape")(to_tuple(shape))
      .attr("copy")();
}

nb::object samples_array(const VoltageInfo& info, const Recording& recording) {
  Shape shape{recording.length, info.shape.channels, info.shape.antennas, info.shape.polarisations};
  if (info.samples == SampleType::cf32)
    return recorded_array(recording.samples, "complex64", shape);
  shape.push_back(2);
  if (info.samples == SampleType::ci4)
    return recorded_array(spread_halves(recording.samples), "int8", shape);
  return recorded_array(recording.samples,
                        info.samples == SampleType::ci8    ? "int8"
                        : info.samples == SampleType::ci16 ? "int16"
                                                           : "float16",
                        shape);
}

template <class T>
nb::object or_none(const std::optional<T>& value) {
  return value ? nb::cast(*value) : nb::none();
}

nb::dict info_dict(const VoltageInfo& info) {
  nb::dict result;
  result["format"] = info.format;
  result["type"] = std::string(name_of(info.samples));
  result["real"] = info.real;
  result["scale"] = info.scale;
  result["offset"] = info.offset;
  result["sample_rate"] = or_none(info.sample_rate);
  nb::list frequency;
  for (const double value : info.frequency) frequency.append(value);
  result["frequency"] = nb::module_::import_("numpy").attr("array")(frequency, "float64");
  result["channel_width"] = or_none(info.channel_width);
  result["start"] = or_none(info.start);
  result["start_day"] = info.start_day;
  result["start_second"] = info.start_second;
  result["telescope"] = to_python(info.telescope);
  result["source"] = to_python(info.source);
  result["right_ascension"] = or_none(info.right_ascension);
  result["declination"] = or_none(info.declination);
  result["frame"] = std::string(name_of(info.frame));
  result["tracked"] = or_none(info.tracked);
  nb::list names, positions;
  for (const std::string& name : info.antenna_names) names.append(to_python(name));
  for (const auto& place : info.antenna_positions)
    positions.append(nb::make_tuple(place[0], place[1], place[2]));
  result["antenna_names"] = names;
  result["antenna_positions"] =
      info.antenna_positions.empty()
          ? nb::none()
          : nb::module_::import_("numpy").attr("array")(positions, "float64");
  nb::dict header;
  for (const FileDetail& detail : info.details)
    header[to_python(detail.name)] = to_python(detail.value);
  result["header"] = header;
  return result;
}

nb::dict read_voltages(nb::handle files, long long length, const nb::kwargs& keywords) {
  const std::vector<std::string> names = file_names(files);
  VoltageOptions options;
  take_options("read_voltages", keywords, options);
  if (length < 0)
    throw Error(ErrorKind::usage, "read_voltages: length is " + std::to_string(length) +
                                      "; give 0 for all samples, or how many");
  Recording recording;
  std::unique_ptr<VoltageSource> source;
  {
    const LongCall unlocked;
    source = open_voltages(names, options);
    recording = read_all(*source, length);
  }
  warn(recording.warnings);
  const VoltageInfo& info = source->info();
  nb::dict result = info_dict(info);
  result["voltages"] = samples_array(info, recording);
  result["valid"] =
      recording.gaps
          ? recorded_array(recording.valid, "bool",
                           {recording.length, info.shape.antennas, info.shape.polarisations})
          : nb::none();
  result["truncated"] = recording.truncated;
  return result;
}

constexpr const char* kHelp =
    R"(A recording of voltages: GUPPI RAW, PSRDADA, VDIF, or NPY and raw files with a description.

files: one, or a list in the order of time.
length: the most samples in time to read; 0: all.

Returns a dict. voltages: (time, channel, antenna, polarisation, 2) of integers, real and imaginary
parts; complex64 without the last axis if samples are floats. The recorded values are
(voltages + offset) * scale. valid: bool, (time, antenna, polarisation), or None if all are; samples
that are not valid are 0. Also format, type, real, sample_rate (Hz), frequency (Hz, per channel),
channel_width, start (MJD), start_day and start_second, telescope, source, right_ascension and
declination (degrees) with their frame ("icrs", which is J2000, or "date"), tracked (whether the
delays of this place have been removed; None if the recording does not say), antenna_names,
antenna_positions ((antennas, 3), ITRF in metres, or None), header, truncated.

>>> recording = tessera.read_voltages("guppi_0000.raw")
>>> recording["voltages"].shape)";

}  // namespace

void add_voltages(nb::module_& module) {
  module.def(
      "read_voltages", read_voltages, "files"_a, "length"_a = 0, "options"_a,
      nb::sig(kept("def read_voltages(files: str | bytes | os.PathLike[typing.Any] | "
                   "typing.Sequence[str | bytes | os.PathLike[typing.Any]], length: int = 0, *" +
                   option_parameters<VoltageOptions>() + ") -> dict[str, typing.Any]")),
      kept(std::string(kHelp) + "\n\nOptions:\n" + option_help<VoltageOptions>()));
}

}  // namespace tessera::python
