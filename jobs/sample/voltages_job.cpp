// SPDX-License-Identifier: Apache-2.0
#include "jobs/sample/voltages_job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "io/output.hpp"
#include "io/output_set.hpp"
#include "io/uvfits/uvfits_sky.hpp"
#include "io/voltages/voltage_write.hpp"
#include "jobs/sample/voltages_inputs.hpp"
#include "jobs/timing.hpp"
#include "sample/band_voltages.hpp"

namespace tessera {
namespace {

constexpr long long kBlockBytes = 32 << 20;

VoltageMaker maker_of(const VoltagesJob& job, int threads) {
  const auto seed = static_cast<std::uint64_t>(job.seed);
  std::vector<SampleAntenna> antennas;
  if (!job.array.empty()) antennas = read_sample_antennas(job.array);
  if (job.sky.empty()) return {job.voltages, seed, threads, antennas};
  check_voltages(job.voltages);
  const std::vector<SampleSource> sources = read_sources(
      job.sky, job.voltages, antennas.empty() ? draw_antennas(job.voltages, seed) : antennas);
  return {job.voltages, seed, threads, antennas, sources};
}

/// One line per antenna, as `xengine --array` reads it: not every format has room for positions.
std::string antenna_lines(const VoltageMaker& made) {
  std::string text = "# name x y z, ITRF in metres\n";
  for (const SampleAntenna& antenna : made.antennas())
    text += fmt::format("{} {} {} {}\n", antenna.name, antenna.place.x, antenna.place.y,
                        antenna.place.z);
  return text;
}

VoltageInfo info_of(const VoltageMaker& made, const BandVoltages* raw) {
  const VoltagesOptions& o = made.options();
  VoltageInfo info{.shape = made.shape(), .samples = o.type};
  info.sample_rate = info.channel_width = o.channel_width;
  for (int c = 0; c < o.channels; ++c) info.frequency.push_back(made.frequency(c));
  if (raw) {
    info.shape = raw->shape();
    info.real = o.raw == RawBand::real;
    info.lower_sideband = o.lower_sideband;
    info.sample_rate = raw->sample_rate();
    info.channel_width = o.channels * o.channel_width;
    info.frequency = {raw->frequency()};
  }
  const double day = std::floor(o.start);
  info.set_start(static_cast<long long>(day), (o.start - day) * 86400);
  info.telescope = "sample";
  info.source = "sample";
  const SkyPlace centre = icrs_place(made.centre(), o.start);
  info.right_ascension = centre.right_ascension;
  info.declination = centre.declination;
  info.tracked = o.tracked;
  for (const SampleAntenna& antenna : made.antennas()) {
    info.antenna_names.push_back(antenna.name);
    info.antenna_positions.push_back({antenna.place.x, antenna.place.y, antenna.place.z});
  }
  return info;
}

/// The number of saturated parts.
template <class Made>
long long record(const Made& made, long long step, const VoltagesOptions& o, VoltageSink& sink,
                 const Progress& progress) {
  const XEngineShape shape = made.shape();
  const long long bytes_a_time = 1LL * bytes_of(o.type) * shape.inputs() * shape.channels;
  const long long most =
      std::min(o.samples, step * std::max(1LL, kBlockBytes / bytes_a_time / step));
  std::vector<unsigned char> memory(static_cast<std::size_t>(most * bytes_a_time));
  long long saturated = 0;
  for (long long t = 0; t < o.samples; t += most) {
    if (progress) progress(t, o.samples);
    const long long count = std::min(most, o.samples - t);
    const VoltageLayout layout = voltage_layout("tci", shape, o.type, count);
    saturated += made.read(t, count, layout, memory.data());
    sink.write({memory.data(), count, layout});
  }
  return saturated;
}

void finish(Output& output, const std::string& text) {
  output.file().write_all(0, text.data(), std::ssize(text));
  output.finish();
}

}  // namespace

SkyPlace icrs_place(const EarthVector& direction, double mjd) {
  return EarthAt(mjd).place({direction.x, direction.y, direction.z});
}

std::string VoltagesResult::describe() const {
  return fmt::format("{}: {}, seed {}, {} parts saturated, in {:.3g} s", fmt::join(files, ", "),
                     made, seed, saturated, seconds);
}

VoltagesResult VoltagesJob::run(const Progress& progress) const {
  const VoltageMaker made = maker_of(*this, settings.stream(kHost).threads());
  const VoltagesOptions& o = made.options();
  const std::string stem = std::filesystem::path(output).replace_extension().string();
  VoltagesResult result{
      .made = fmt::format("{} samples of {}, {} antennas x {}, {} channels, {} sources", o.samples,
                          name_of(o.type), o.antennas, o.polarisations, o.channels,
                          made.sources().size()),
      .files = {output, stem + "_truth.json", stem + "_model.npy", stem + "_antennas.txt"},
      .seed = seed};
  const Stopwatch watch(result.seconds);
  std::optional<BandVoltages> raw;
  if (o.raw != RawBand::no)
    raw.emplace(made, static_cast<std::uint64_t>(seed), settings.stream(kHost).threads());
  const auto sink = create_voltages(output, format, force);
  Output truth(result.files[1], force), model(result.files[2], force),
      antennas(result.files[3], force);
  sink->begin(info_of(made, raw ? &*raw : nullptr));
  result.saturated = raw ? record(*raw, BandVoltages::kPart, o, *sink, progress)
                         : record(made, VoltageMaker::kRun, o, *sink, progress);
  OutputSet together;
  sink->finish();
  finish(antennas, antenna_lines(made));
  finish(model, voltages_model(made));
  finish(truth, voltages_truth(made, result, raw ? &*raw : nullptr));
  together.place();
  return result;
}

}  // namespace tessera
