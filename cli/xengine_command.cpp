// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string_view>

#include "cli/commands.hpp"
#include "cli/devices.hpp"
#include "jobs/xengine/xengine_job.hpp"

namespace tessera {
namespace {

constexpr const char* kXEngineNotes = R"(Files made, by the ending of OUT:
  .npy             sums, [time][channel][baseline][p of a][p of b]; f32 and f64
                   are complex, i32 and i64 have one more axis: real, imaginary
  .raw, .bin       the same bytes without a header
      and next to them OUT.json (axes, antennas, baselines, frequencies, times)
      and, if samples are missing, OUT_weights.npy: how many were valid
  .uvfits, .uvf    means, one group per baseline and integration; the weight of a
                   mean is its number of valid samples; 32-bit floats, or 64-bit
                   with --output-type f64
  .ms              the same means as a Measurement Set, a folder: one row per
                   baseline and integration, 32-bit floats; needs the package
                   tessera-casacore (docs/measurement-sets.md)

V = sum over t of A_i conj(A_j), for baselines (a, b) with b <= a; i belongs to
a, j to b. UVFITS and Measurement Sets name b first: they hold E_1 conj(E_2),
and u, v, w are those of r_1 - r_2.
Sums of integer samples are exact integers; OUT.json says of how many products
each is. A mean is the sum divided by that number; without samples it is 0.

If a recording breaks off, what came before is kept; the exit code is then 4.
Give the files of a recording in order. NPY and raw files need a description
(docs/xengine.md).

The file of --array has one line per antenna, ITRF in metres:
  m000  5109224.290 2006790.356 -3239100.126

Examples:
  tessera xengine scan.0000.raw scan.0001.raw -o scan.npy --integrate 1s
  tessera xengine voltages.npy -o v.uvfits --array array.txt --phase-centre zenith
  tessera xengine run.dada -o run.npy --average 16 --output-type f32
      --picture run.svg --memory-limit 2G
  tessera xengine band.vdif -o v.npy --channelise 1024 --frequency 1.2e9
  tessera xengine dump.raw -o first.npy --limit 100000 --order full --json
)";

std::string how_far(long long done, long long all, double seconds, double bits_a_sample) {
  return fmt::format("{}{} samples, {:.2f} Gbit/s", done, all > 0 ? fmt::format(" of {}", all) : "",
                     static_cast<double>(done) * bits_a_sample / seconds / 1e9);
}

}  // namespace

void add_xengine(Program& program) {
  auto job = std::make_shared<XEngineJob>();
  Command command = program.command(
      "xengine", "Correlate the antennas of an array: recordings of voltages to visibilities.");
  command.inputs("RECORDING", job->inputs,
                 "files of one recording, in order: GUPPI RAW, PSRDADA, VDIF, NPY or raw");
  command.output_option(job->output, "the visibilities to write: .npy, .raw, .bin, .uvfits or .ms");
  command.options(job->choices);
  command.options(job->bank);
  // The recording knows the type of its samples.
  command.options(job->options, {"samples", "offset-binary", "real-low"});
  command.options(job->reading);
  command.options(job->settings);
  command.flag("force", job->force, kForceHelp);
  command.keep_line(job->command);
  command.talk();
  command.share([job] { return can_be_shared(*job); });
  command.notes(kXEngineNotes);
  command.action([job](Session& session) {
    on_devices(session, *job, [](Session& one, const XEngineJob& own) {
      auto bits = std::make_shared<double>(0);
      const Progress progress =
          one.progress_as([bits](long long done, long long all, double seconds) {
            return how_far(done, all, seconds, *bits);
          });
      one.say(own.run(progress, bits.get()));
    });
  });
}

}  // namespace tessera
