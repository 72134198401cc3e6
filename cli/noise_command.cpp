// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string_view>
#include <type_traits>

#include "cli/commands.hpp"
#include "cli/devices.hpp"
#include "jobs/noise/noise_batch.hpp"

namespace tessera {
namespace {

constexpr const char* kNoiseNotes = R"(Files made, PREFIX first (-o out/field):
  out/field_bkg.fits   background: the median of the box around every pixel
  out/field_rms.fits   noise: (Q75 - Q25) / 1.34896 of that box
  out/field_snr.fits   (image - background) / noise
  --quantiles 0.25,0.025: out/field_q25.fits, out/field_q2.5.fits instead
FITS gives .fits, TIFF .tif, others .npy; floats, with the input's header. Maps
of a cube have all its planes and axes; each plane has the values of a run on
this plane alone. --slice makes maps of one plane.

Blank pixels (NaN, infinities, BLANK of the header, --mask) do not count and are
NaN in the maps; with --nomask they get estimates too. Where less than a quarter
of a box is valid, the maps are NaN; --fill takes the nearest value.
--like bane: grid step ceil(4 sqrt(BMAJ BMIN) / pixel) or 16, box 6 steps,
estimator clip, two passes, mode grid; no snr.

A folder or a pattern of images is a batch: the maps go to the folder -o, named
after their images, and a run that was interrupted continues where it stopped.

Examples:
  tessera noise field.fits -o field --box 64
  tessera noise field.fits -o fast --mode grid --box 96 --grid 16
  tessera noise field.fits -o field --like bane
  tessera noise cube.fits -o cube --box 64 --json
  tessera noise cube.fits -o plane3 --slice 3 --mask flags.fits[1] --fill
  tessera noise huge.npy -o huge --mode binned --memory-limit 500M
  tessera noise field.fits -o field --picture field.png --json
  tessera noise fields -o maps/ --box 64 --files-at-once 2
  tessera noise field.fits -o parts --box 64 --part 3/40
)";

/// The options, noting which values are given: --like leaves those as they are.
void add_options(Command& command, NoiseJob& job) {
  for_each_option(job.options, [&](const char* name, auto& value, const Help& help) {
    if (command.device_option(name, value)) return;
    using Value = std::remove_reference_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, bool>)
      command.flag(name, value, help);
    else
      command.option(name, value_hint<Value>(), to_text(value), help,
                     [name, &value, &job](const std::string& text) {
                       from_text(std::string("--") + name, text, value);
                       job.given.emplace_back(name);
                     });
  });
}

/// A picture shows means of all rows: one process makes it.
bool can_be_shared(const NoiseJob& job) { return job.input != "-" && job.choices.picture.empty(); }

}  // namespace

void add_noise(Program& program) {
  auto job = std::make_shared<NoiseJob>();
  auto batch = std::make_shared<BatchOptions>();
  Command command =
      program.command("noise", "Map the background and the noise of an image at every pixel.");
  command.input(
      "INPUT", job->input,
      "the image to read; - is standard input; or a folder or a quoted pattern of images");
  command.output_option(job->output, "the prefix of all file names: out/field; or a folder: out/");
  add_options(command, *job);
  command.options(job->choices);
  command.reading(job->reading);
  command.writing(job->writing);
  command.options(job->settings);
  command.options(*batch, {"to"});  // maps have their own names
  command.talk();
  command.share([job, batch] { return is_noise_batch(*job, *batch) || can_be_shared(*job); });
  command.notes(kNoiseNotes);
  command.action([job, batch](Session& session) {
    on_devices(session, *job, [&](Session& one, const NoiseJob& own) {
      if (is_noise_batch(own, *batch))
        one.say(run_noise_batch(own, *batch, one.progress()));
      else
        one.say(own.run(one.progress()));
    });
  });
}

}  // namespace tessera
