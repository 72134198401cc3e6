// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include "cli/commands.hpp"
#include "cli/devices.hpp"
#include "jobs/correlate/correlate_job.hpp"

namespace tessera {
namespace {

constexpr const char* kCorrelateNotes = R"(Maps:
  --sums all        colour and orientation together: a:a + b:b + x1:x1 + x2:x2
  --sums pairs      colour, then orientation
  --sums joint      colour with orientation: a:x1, a:x2, b:x1, b:x2
  --sums 0:0,2:2+3:3
                    any maps: commas separate maps, + adds pairs of planes

The output has the mean of every map, then the standard error of every map.
Profiles (.csv) and a summary (.json) are written next to it. A run that was
interrupted continues where it stopped (OUT.partial). Images that cannot be
read are reported and left out.

Examples:
  tessera correlate photos -o scenes.fits --picture scenes.svg
  tessera correlate 'photos/*.png' -o scenes.npy --crop 500x500 --sums pairs
  tessera correlate one.png -o one.npy --scale energy --quadrants all
  tessera correlate a.raw b.raw x1.raw x2.raw --stack 4 --raw 500x500:f32
      -o four.fits --planes normalised
  tessera correlate left.png --with right.png -o both.npy
  tessera correlate photos -o scenes.npy
      --sweep gradient-scale=1,2,texture-scale=3,6
)";

}  // namespace

void add_correlate(Program& program) {
  auto job = std::make_shared<CorrelateJob>();
  Command command = program.command(
      "correlate", "Correlate the colour and orientation of images over all shifts.");
  command.inputs("IMAGES", job->inputs, "files, folders, or patterns in quotes");
  command.output_option(job->output, "the maps to write, .npy or .fits");
  command.options(job->options, {"batch"});
  command.options(job->scene);
  command.options(job->ensemble);
  command.reading(job->reading);
  command.writing(job->writing);
  command.options(job->settings);
  command.talk();
  command.share([] { return true; });
  command.notes(kCorrelateNotes);
  command.action([job](Session& session) {
    on_devices(session, *job,
               [](Session& one, const CorrelateJob& own) { one.say(own.run(one.progress())); });
  });
}

}  // namespace tessera
