// SPDX-License-Identifier: Apache-2.0
#include "jobs/channelise/channelise_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "io/output_set.hpp"
#include "io/voltages/voltage_write.hpp"
#include "jobs/bank/channelised_voltages.hpp"
#include "jobs/channelise/spectrum_collector.hpp"
#include "jobs/job_files.hpp"
#include "jobs/picture.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Only NPY and raw files have a second one.
std::vector<std::string> files_of_output(const std::string& output) {
  if (output.ends_with(".npy") || output.ends_with(".bin")) return {output, output + ".json"};
  return {output};
}

void check(const ChanneliseJob& job) {
  if (job.inputs.empty())
    throw Error(ErrorKind::usage, "channelise: there is no recording; name its files");
  check_ranges("channelise", job.choices);
  check_pictures({job.choices.picture}, job.force);
  std::vector<std::string> read = job.inputs;
  for (const std::string& input : job.inputs) read.push_back(input + ".json");
  read.push_back(job.reading.description);
  for (const std::string& file : bank_files(job.bank)) read.push_back(file);
  check_not_read("channelise", files_of_output(job.output), read);
}

/// Inputs times spectra without data.
long long missing_in(const VoltageBlock& block, int inputs) {
  long long missing = 0;
  for (long long first = 0, at = 0; !block.valid.empty() && first < block.samples;
       first += block.valid_samples, at += inputs) {
    const auto mask =
        block.valid.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(inputs));
    missing += std::min(block.valid_samples, block.samples - first) *
               std::ranges::count(mask, static_cast<unsigned char>(0));
  }
  return missing;
}

/// Spectra from the recording to the file, one block after the other.
class ChanneliseRun {
 public:
  ChanneliseRun(const ChanneliseJob& job, ChannelisedVoltages& spectra, VoltageSink& sink,
                SpectrumCollector& picture, ChanneliseResult& result)
      : job_(job),
        spectra_(spectra),
        sink_(sink),
        picture_(picture),
        result_(result),
        inputs_(spectra.info().shape.inputs()),
        all_(spectra.info().length.value_or(spectra.info().expected_length)) {
    if (job.choices.limit) all_ = all_ > 0 ? std::min(all_, *job.choices.limit) : 0;
  }

  void run(const Progress& progress) {
    for (;;) {
      const long long most =
          job_.choices.limit.value_or(std::numeric_limits<long long>::max() / 4) - result_.spectra;
      if (most == 0) break;
      VoltageBlock block;
      {
        const Stopwatch watch(result_.seconds.work);
        block = spectra_.read(most);
      }
      if (block.samples == 0) break;
      write(block);
      result_.spectra += block.samples;
      if (progress) progress(result_.spectra, all_ > 0 ? std::max(all_, result_.spectra) : 0);
    }
    result_.missing = result_.spectra > 0 ? static_cast<double>(missing_) /
                                                static_cast<double>(result_.spectra * inputs_)
                                          : 0;
  }
  long long missing() const { return missing_; }

 private:
  void write(const VoltageBlock& block) {
    const Stopwatch watch(result_.seconds.write);
    const long long missing = missing_in(block, inputs_);
    if (missing > 0 && sink_.missing() == VoltageSink::Missing::lost)
      throw Error(ErrorKind::usage,
                  fmt::format("channelise: {}: {} spectra of inputs from spectrum {} on lack "
                              "samples, which this format cannot tell from zeros; write .npy, .bin "
                              "or .vdif",
                              job_.output, missing, result_.spectra));
    missing_ += missing;
    result_.input_bytes += static_cast<double>(block.samples * inputs_ - missing) / inputs_ *
                           spectra_.info().bits_of_all() / 8;
    picture_.add(block);
    sink_.write(block);
  }

  const ChanneliseJob& job_;
  ChannelisedVoltages& spectra_;
  VoltageSink& sink_;
  SpectrumCollector& picture_;
  ChanneliseResult& result_;
  int inputs_;
  long long all_;  ///< spectra; 0: not known
  long long missing_ = 0;
};

void tell(const ChanneliseJob& job, ChannelisedVoltages& spectra, const VoltageInfo& recorded,
          ChanneliseResult& result) {
  const VoltageInfo& info = spectra.info();
  const ChanneliseCounts counts = spectra.counts();
  result.ran = spectra.describe();
  result.format = recorded.format;
  result.inputs = job.inputs;
  result.antennas = info.shape.antennas;
  result.polarisations = info.shape.polarisations;
  result.channels = info.shape.channels;
  result.samples_type =
      std::string(recorded.real ? "real " : "") + std::string(name_of(recorded.samples));
  result.output_type = std::string(name_of(info.samples));
  result.samples = spectra.plan().needs(0, result.spectra).count;
  result.sample_rate = info.sample_rate;
  if (info.sample_rate)
    result.recorded_seconds = static_cast<double>(result.spectra) / *info.sample_rate;
  if (!info.frequency.empty()) {
    result.frequency_first = info.frequency.front();
    result.frequency_last = info.frequency.back();
  }
  result.gains = spectra.gains();
  result.gain_spectra = spectra.gain_spectra();
  result.saturated = counts.saturated;
  result.not_a_number = counts.not_a_number;
  result.truncated = spectra.truncated();
  result.warnings = spectra.warnings();
  for (const std::string& note : spectra.notes()) result.notes.push_back(note);
  if (info.frequency.empty())
    result.notes.emplace_back(
        "the recording does not say where its band lies, so channels have no frequencies; "
        "--frequency and --sample-rate tell");
}

/// The picture is drawn before files are renamed: if gnuplot fails, no file is left.
void draw(const ChanneliseJob& job, const SpectrumCollector& collector, ChanneliseResult& result) {
  if (job.choices.picture.empty()) return;
  const Picture picture = draw_picture(collector.plot(picture_format(job.choices.picture)),
                                       job.choices.picture, job.force);
  if (!picture.path.empty()) result.files.push_back(picture.path);
  result.files.push_back(picture.numbers);
  if (!picture.note.empty()) result.notes.push_back(picture.note);
}

}  // namespace

ChanneliseResult ChanneliseJob::run_on(VoltageSource& source, const Progress& progress) const {
  check(*this);
  ChanneliseResult result;
  {
    const Stopwatch watch(result.seconds.all);
    ChannelisedVoltages spectra(source, bank, settings);
    const auto sink = create_voltages(output, "auto", force);
    sink->begin(spectra.info());
    SpectrumCollector picture(*this, spectra);
    ChanneliseRun work(*this, spectra, *sink, picture, result);
    work.run(progress);
    if (result.spectra == 0)
      throw Error(ErrorKind::input,
                  too_short("channelise", inputs.front(), spectra.plan().length()));
    result.files = files_of_output(output);
    tell(*this, spectra, source.info(), result);
    if (work.missing() > 0 && sink->missing() == VoltageSink::Missing::by_frame)
      result.notes.emplace_back(
          "frames with missing spectra are marked invalid as a whole; .npy and .bin lose none");
    draw(*this, picture, result);
    const Stopwatch writing(result.seconds.write);
    OutputSet together;
    sink->finish();
    together.place();
  }
  result.gigabits_per_second = 8e-9 * result.input_bytes / result.seconds.all;
  return result;
}

ChanneliseResult ChanneliseJob::run(const Progress& progress) const {
  check(*this);
  return run_on(*open_voltages(inputs, reading), progress);
}

}  // namespace tessera
