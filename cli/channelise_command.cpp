// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "jobs/channelise/channelise_job.hpp"

namespace tessera {
namespace {

constexpr const char* kChanneliseNotes = R"(Files made, by the ending of OUT:
  .npy, .bin     spectra [time][channel][antenna][polarisation], and next to them
                 OUT.json, which describes them and lists missing spectra
  .vdif          ci8, 2^n channels, if the first spectrum begins where a frame can;
                 frames with missing spectra are marked invalid
  .raw, .dada    GUPPI RAW and PSRDADA; refused if spectra are missing
`tessera xengine` reads all of them; `tessera xengine --channelise` does both in
one run, with nothing written in between.

With h the filter, x the samples and D the hop, channel k of spectrum m is
  y[m, k] = sum over n of h[n] x[m D + n] exp(-2 pi i k (m D + n) / N)
and N the number of channels, or twice that of real samples. Channels ascend in
frequency. A spectrum of an input is missing if one of its samples is.

If a recording breaks off, what came before is kept; the exit code is then 4.

Examples:
  tessera channelise band.vdif -o spectra.npy --channels 1024 --frequency 1.2e9
  tessera channelise band.npy -o spectra.npy --channels 512 --oversample 8/7
      --taps 12 --window kaiser:9 --picture spectra.png
  tessera channelise band.dada -o spectra.npy --output-type cf32
  tessera channelise band.dada -o spectra.raw --channels 256 --gain 0.5 --json
)";

std::string how_far(long long done, long long all, double seconds) {
  return fmt::format("{}{} spectra, {:.3g} per second", done,
                     all > 0 ? fmt::format(" of {}", all) : "",
                     static_cast<double>(done) / seconds);
}

}  // namespace

void add_channelise(Program& program) {
  auto job = std::make_shared<ChanneliseJob>();
  Command command = program.command(
      "channelise", "Divide the band of a recording into channels by a polyphase filter bank.");
  command.inputs("RECORDING", job->inputs,
                 "files of one recording, in order: GUPPI RAW, PSRDADA, VDIF, NPY or raw");
  command.output_option(job->output, "the spectra to write: .npy, .bin, .vdif, .raw or .dada");
  // The recording knows the type of its samples.
  command.options(job->bank.options, {"samples", "real", "offset-binary", "real-low"});
  command.option("gain", FilterBank::kGainHint, job->bank.gain, FilterBank::kGainHelp,
                 [job](const std::string& text) { job->bank.gain = text; });
  command.option("coefficients", "FILE", "", FilterBank::kCoefficientsHelp,
                 [job](const std::string& text) { job->bank.coefficients = text; });
  command.options(job->choices);
  command.options(job->reading);
  command.options(job->settings);
  command.flag("force", job->force, kForceHelp);
  command.talk();
  command.notes(kChanneliseNotes);
  command.action([job](Session& session) { session.say(job->run(session.progress_as(how_far))); });
}

}  // namespace tessera
