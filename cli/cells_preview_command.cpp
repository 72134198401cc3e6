// SPDX-License-Identifier: Apache-2.0
#include "cli/cells_preview_command.hpp"

#include "cli/cells_door.hpp"
#include "cli/commands.hpp"
#include "jobs/cells/cells_preview.hpp"

namespace tessera {
namespace {

constexpr const char* kPreviewNotes =
    R"(The first 60 frames are followed as `cells track` would, in seconds. The page
shows four of them with their candidates, the radii that were measured, the
choices that `cells track` makes by itself with their reasons, and a command
line that follows the whole film. If single frames disagree with the tracks, a
warning says why and which option decides, and the exit code is 4.

Examples:
  tessera cells preview venule.avi
  tessera cells preview frames/ -o frames.html --polarity bright
  tessera cells preview hyperstack.tif --channel 1 --z max --json --force
)";

}  // namespace

void add_cells_preview(Program& program, CLI::App& group) {
  auto job = std::make_shared<CellsPreviewJob>();
  CellsJob& track = job->track;
  Command command = program.command(
      group, "preview", "Look at a film's first frames, and suggest how to follow its cells.");
  command.input("FILM", track.input, kFilmHelp);
  command.output_option(job->page, "the page to write; by default " + job->page, false);
  const Given given = add_cells_options(command, track.options, [](const char*) { return true; });
  command.option("um-per-pixel", track.film.um_per_pixel,
                 "micrometres per pixel; auto: as the film says, if it does");
  command.option("frame-rate", track.film.frame_rate,
                 "frames per second; auto: the film's own rate, or 30");
  command.options(track.reading.choice);
  command.reading(track.reading);
  command.options(track.settings);
  command.flag("force", job->force, kForceHelp);
  command.talk();
  command.notes(kPreviewNotes);
  command.action([job, given](Session& session) {
    check_given_options(job->track.options.model, *given);
    session.say(job->run(session.progress_in("frames")));
  });
}

}  // namespace tessera
