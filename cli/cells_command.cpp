// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "cli/cells_door.hpp"
#include "cli/cells_preview_command.hpp"
#include "cli/cells_score_command.hpp"
#include "cli/cells_watch_command.hpp"
#include "cli/commands.hpp"
#include "cli/devices.hpp"
#include "jobs/cells/cells_job.hpp"
#include "jobs/cells/detect_job.hpp"

namespace tessera {
namespace {

constexpr const char* kTrackNotes = R"(Files made in the folder OUTDIR:
  tracks.csv      one row per cell and frame: place, radius, score, speed, shape
  summary.csv     one row per cell: displacement, path, speeds, class, shape
  histogram.csv   histograms of speeds: per cell, per cell and frame
  spots.csv       the spots as TrackMate's table: its columns and units
  trackmate.xml   for TrackMate (Fiji)     isbi.xml  for Icy
  overlay.mp4     the film with the tracks drawn on it
  report.html     film, tracks, speeds and table in one page; histogram.svg
  masks.tif       --masks yes: pixels of a cell have its track's id
  ctc/            --ctc yes: masks, res_track.txt (Cell Tracking Challenge)
  tracks.geff/    --geff yes: spots and links in the Graph Exchange File Format
  followed.tracks tracks before edits: with --edits they are not followed again
  summary.json    parameters, counts, flux; written last

Films are videos (through ffmpeg), stacks of TIFF pages, NPY (frames, rows,
columns), and folders or patterns of pictures. --channel and --z choose one
channel and slice of ImageJ and OME stacks; the pixel size and frame interval of
such stacks are used unless --um-per-pixel and --frame-rate are given. A folder
of films is a batch: results go to OUTDIR/NAME, a run that was interrupted
continues where it stopped, and films.csv and films.json have one row per film.
If a film breaks off, the tracks so far are kept; the exit code is then 4. It is 4, too, if single frames disagree with the
tracks: a warning says why, and which option decides.

Edits are a table of corrections, which report.html makes (its button Correct),
or trackmate.xml after it was corrected in TrackMate (docs/cells.md):
  EDIT,TRACK,FRAME,OTHER,X,Y,RADIUS
  split,3,120           merge,3,,9          delete,7
  add,12,40,,101.5,77.2,8

Examples:
  tessera cells track venule.avi -o venule --flow 0 --um-per-pixel 0.32
  tessera cells track frames/ -o out --frame-rate 30 --polarity bright
  tessera cells track stack.tif -o out --crop 0,110,640x219 --edits edits.csv
  tessera cells track stack.tif -o again --edits corrected.xml
  tessera cells track hyperstack.tif -o out --channel 1 --z max
  tessera cells track venule.avi -o out --inside vessel.png --masks yes
  tessera cells track venule.avi -o out --inside '0,110 639,90 639,300 0,330'
  tessera cells track films/ -o results --files-at-once 2
)";

constexpr const char* kDetectNotes = R"(Examples:
  tessera cells detect frame.png
  tessera cells detect film.avi -o cells.csv --frames 1 --threshold 2
  tessera cells detect frame.png --json
)";

void add_track(Program& program, CLI::App& group) {
  auto job = std::make_shared<CellsJob>();
  auto batch = std::make_shared<BatchOptions>();
  Command command = program.command(group, "track", "Find the cells of a film and follow them.");
  command.input("FILM", job->input, std::string(kFilmHelp) + "; or a folder of films");
  command.output_option(job->output, "the folder to write to");
  const Given given = add_cells_options(command, job->options, [](const char*) { return true; });
  command.options(job->measure);
  for_each_option(job->film, [&](const char* name, auto& value, const Help& help) {
    add_film_option(command, name, value, help);
  });
  command.options(job->reading.choice);
  command.reading(job->reading);
  command.options(job->settings);
  command.options(*batch, {"to"});
  command.flag("force", job->force, kForceHelp);
  command.talk();
  command.share([job, batch] { return is_film_batch(*job, *batch); });
  command.notes(kTrackNotes);
  command.action([job, batch, given](Session& session) {
    check_given_options(job->options.model, *given);
    on_devices(session, *job, [&](Session& one, const CellsJob& own) {
      if (is_film_batch(own, *batch))
        one.say(run_films(own, *batch, one.progress()));
      else
        one.say(own.run(one.progress_in("frames")));
    });
  });
}

void add_detect(Program& program, CLI::App& group) {
  auto job = std::make_shared<DetectJob>();
  Command command =
      program.command(group, "detect", "Find the cells in pictures, each frame separately.");
  command.input("FILM", job->input, kFilmHelp);
  command.output_option(job->output, "the table to write, .csv; by default it is printed", false);
  const Given given = add_cells_options(
      command, job->options, [](const char* name) { return !CellsOptions::is_for_films(name); });
  command.options(job->reading.choice);
  command.reading(job->reading);
  command.options(job->settings);
  command.flag("force", job->force, kForceHelp);
  command.talk();
  command.notes(kDetectNotes);
  command.action([job, given](Session& session) {
    check_given_options(job->options.model, *given);
    session.say(job->run(session.progress_in("frames")));
  });
}

}  // namespace

void add_cells(Program& program) {
  CLI::App& group = program.group("cells", "Find white blood cells in films and follow them.");
  add_track(program, group);
  add_detect(program, group);
  add_cells_preview(program, group);
  add_cells_watch(program, group);
  add_cells_score(program, group);
}

}  // namespace tessera
