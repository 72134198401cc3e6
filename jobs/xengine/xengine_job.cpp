// SPDX-License-Identifier: Apache-2.0
#include "jobs/xengine/xengine_job.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "jobs/agreement.hpp"
#include "jobs/bank/channelised_voltages.hpp"
#include "jobs/job_files.hpp"
#include "jobs/picture.hpp"
#include "jobs/xengine/own_channels.hpp"
#include "jobs/xengine/phase_centre.hpp"
#include "jobs/xengine/tracked_voltages.hpp"
#include "jobs/xengine/xengine_pipeline.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

void check(const XEngineJob& job) {
  if (job.inputs.empty())
    throw Error(ErrorKind::usage, "xengine: there is no recording; name its files");
  check_ranges("xengine", job.choices);
  check_fused_bank(job.bank);
  parse_phase_centre(job.choices.phase_centre);
  check_xengine_output(job);
  check_pictures({job.choices.picture}, job.force);
}

/// --force replaces outputs, not the recording or what describes it.
void check_apart(const XEngineJob& job, const std::vector<std::string>& made) {
  std::vector<std::string> read = job.inputs;
  for (const std::string& input : job.inputs) read.push_back(input + ".json");
  read.push_back(job.reading.description);
  read.push_back(job.choices.array);
  for (const std::string& file : bank_files(bank_of(job.bank, job.options))) read.push_back(file);
  check_not_read("xengine", made, read);
}

/// A file of means is made from the sums as they are: rounded once, never saturated.
XEngineOptions options_for(const VoltageInfo& info, XEngineOptions options, bool means) {
  if (means) options.output_type = VisibilityType::automatic;
  options.samples = info.samples;
  options.offset_binary = info.offset_binary;
  options.real_low = info.real_low;
  return options;
}

/// The picture is drawn before files are renamed: if gnuplot fails, no file is left.
void draw(const XEngineJob& job, const VisibilityCollector& collector, XEngineResult& result) {
  if (job.choices.picture.empty()) return;
  const Picture picture = draw_picture(collector.plot(picture_format(job.choices.picture)),
                                       job.choices.picture, job.force);
  if (!picture.path.empty()) result.files.push_back(picture.path);
  result.files.push_back(picture.numbers);
  if (!picture.note.empty()) result.notes.push_back(picture.note);
}

/// Null on other ranks: rank 0 has all integrations. A part only finds out what join would refuse.
std::unique_ptr<XEngineOutput> output_of_first_rank(const XEngineJob& job,
                                                    const XEngineDescription& description) {
  std::unique_ptr<XEngineOutput> made;
  told_by_first([&] {
    const UnsharedRun by_rank_0;
    made = create_xengine_output(job, description);
    check_apart(job, made->possible_files());
    return "";
  });
  if (is_part()) made.reset();
  return made;
}

void tell(const XEngineJob& job, const VoltageInfo& info, const XEngine& plan,
          XEngineResult& result) {
  result.inputs = job.inputs;
  result.format = info.format;
  result.antennas = info.shape.antennas;
  result.polarisations = info.shape.polarisations;
  result.channels = plan.output().channels;
  result.values = holds_means(job.output) ? "means" : "sums";
  if (info.sample_rate)
    result.recorded_seconds = static_cast<double>(result.samples) / *info.sample_rate;
  if (result.saturated > 0)
    result.notes.push_back(fmt::format(
        "{} parts of visibilities are at the limits of i32; --output-type i64 can hold all",
        result.saturated));
}

}  // namespace

XEngineResult XEngineJob::run_on(VoltageSource& recording, const Progress& progress,
                                 double* bits_a_sample) const {
  check(*this);
  XEngineResult result;
  {
    const Stopwatch watch(result.seconds.all);
    std::optional<ChannelisedVoltages> spectra;
    if (bank.channelise > 0) spectra.emplace(recording, bank_of(bank, options), settings);
    VoltageSource& source = spectra ? static_cast<VoltageSource&>(*spectra) : recording;
    if (bits_a_sample) *bits_a_sample = source.info().bits_of_all();
    const AntennaList antennas = antennas_of(source.info(), choices.array);
    const PhaseCentre centre(choices.phase_centre, choices.tracked, source.info(), antennas,
                             choices.dut1);
    const VoltageInfo info = centre.turns() ? turned_info(source.info()) : source.info();
    const XEngine plan =
        plan_of_ranks(options_for(info, options, holds_means(output)),
                      [&](const XEngineOptions& with) { return XEngine(info.shape, with); });
    XEngineShare share(plan);
    if (spectra && !centre.turns()) spectra->stay_on(plan.device());
    OwnChannels own(source, share.channels());
    std::optional<TrackedVoltages> tracked;
    if (centre.turns())
      tracked.emplace(own, centre, choices.delays, settings.stream(kHost).threads(),
                      options.backend == Backend::cuda ? "cuda" : "auto", options.device);
    // The delays of a place below the ground are as exact as others; nobody means them.
    if (centre.turns())
      if (const double up = centre.elevation(*source.info().start); up < 0)
        result.notes.push_back(fmt::format(
            "the phase centre is {:.1f} degrees below the horizon when the recording begins", -up));
    if (centre.turns() && !centre.drifts() && choices.dut1 == 0)
      result.notes.emplace_back(
          "UT1 - UTC is taken as 0, so that the phase centre may be up to 13.5 arcseconds off; "
          "--dut1 takes the value that the IERS publishes");
    XEngineDescription description = describe_xengine(source.info(), plan, antennas, centre);
    if (spectra) description.ran += "; " + spectra->describe();
    if (tracked) description.ran += "; " + tracked->describe();
    // Spectra are made in float, whatever they become.
    check_same_method(description.ran, is_integer(info.samples) && !spectra);
    VisibilityCollector collector(*this, description);
    const auto made = output_of_first_rank(*this, description);
    VoltageSource& used = tracked ? static_cast<VoltageSource&>(*tracked) : own;
    run_xengine(*this, {used, info, share, made.get(), collector, tracked.has_value()}, result,
                progress);
    if (spectra)
      for (const std::string& note : spectra->notes()) result.notes.push_back(note);
    ranks().wait();
    if (!made) return result;
    const UnsharedRun by_rank_0;
    if (result.samples == 0)
      throw Error(ErrorKind::input,
                  fmt::format("xengine: {}: there are no samples to correlate; give a longer "
                              "recording, or skip less",
                              inputs.front()));
    tell(*this, info, plan, result);
    result.ran = description.ran;
    result.phase_centre = description.centre.text();
    const Stopwatch writing(result.seconds.write);
    made->prepare();
    draw(*this, collector, result);
    made->finish();
    for (const std::string& note : made->notes()) result.notes.push_back(note);
    for (const std::string& file : made->files()) result.files.push_back(file);
  }
  result.gigabits_per_second = 8e-9 * result.input_bytes / result.seconds.all;
  return result;
}

// A picture needs all integrations.
bool can_be_shared(const XEngineJob& job) {
  return std::ranges::count(job.inputs, "-") == 0 && job.choices.picture.empty();
}

XEngineResult XEngineJob::run(const Progress& progress, double* bits_a_sample) const {
  check(*this);
  return run_on(*open_voltages(inputs, reading), progress, bits_a_sample);
}

}  // namespace tessera
