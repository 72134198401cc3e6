// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.hpp"
#include "cli/devices.hpp"
#include "jobs/beam/beam_job.hpp"

namespace tessera {
namespace {

constexpr const char* kBeamNotes =
    R"(Inputs are FITS files that state their beam: BMAJ, BMIN and BPA in the header,
or CASAMBM with a table BEAMS for cubes whose channels differ; or --beams names
a beam log, as ASKAP's pipeline writes it next to a cube. A word can be a
file, a folder, a quoted pattern, or @list.txt with one name per line. All
inputs together get one beam.

Blank pixels stay blank and count as 0 for their neighbours; the sky outside
the image is 0. Channels without a beam (0 or NaN) become blank.

Examples:
  tessera beam Q/*.fits -o common/
  tessera beam Q/*.fits U/*.fits --suffix .common
  tessera beam cube.fits -o smooth.fits --to 18,15,30
  tessera beam cubeQ.fits cubeU.fits -o common/ --beams own
  tessera beam @channels.txt -o out/ --cutoff 25 --circular --memory-limit 2G
)";

}  // namespace

void add_beam(Program& program) {
  auto job = std::make_shared<BeamJob>();
  Command command = program.command("beam", "Convolve radio images and cubes to a common beam.");
  command.inputs("INPUT", job->inputs, "FITS files, folders, quoted patterns or @list.txt");
  command.output_option(
      job->output, "a folder for files of the same names, or a file if there is one input", false);
  command.options(job->options);
  command.reading(job->reading);
  command.writing(job->writing);
  command.options(job->settings);
  command.talk();
  command.share([job] { return can_be_shared(*job); });
  command.notes(kBeamNotes);
  command.action([job](Session& session) {
    on_devices(session, *job,
               [](Session& one, const BeamJob& own) { one.say(own.run(one.progress())); });
  });
}

}  // namespace tessera
