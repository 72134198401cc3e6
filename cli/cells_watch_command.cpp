// SPDX-License-Identifier: Apache-2.0
#include "cli/cells_watch_command.hpp"

#include <fmt/format.h>

#include <string_view>

#include "cli/cells_door.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "jobs/cells/cells_watch.hpp"

namespace tessera {
namespace {

constexpr const char* kWatchNotes =
    R"(SOURCE is one of these:
  - or a named pipe   raw frames, --raw WIDTHxHEIGHT:TYPE; read to its end
  a growing .raw file the same, or any file with --raw
  a growing .tif file pages are frames; each is read when it is complete
  a folder, 'f*.png'  pictures, in the order of the numbers in their names
Other files can only be followed when they are finished: `tessera cells track`.
Videos come through a pipe (see the examples).

The recording ends with the pipe, after --idle seconds without a new frame,
after --frames frames, or with Ctrl-C, SIGTERM or SIGHUP: the files are then
those of `cells track` for the frames that came, and the exit code is 0, or 4
with warnings. A second signal ends the tool at once.

Files made in the folder OUTDIR: those of `cells track`, without overlay and
report unless they are asked for (their frames are kept in $TMPDIR until then),
and live.html, a page that loads itself again while the recording goes on.

Latency is counted from the arrival of a frame's last byte. To tell what stands
still, results wait for later frames: up to 330 at the start of the film, about
165 later. --background none waits for none. Radii and relief are measured in
the first 40 frames unless --min-radius, --max-radius and --relief are given. A
cell is shown when it was followed for --min-frames frames.

Examples:
  grab_frames | tessera cells watch - -o live --raw 640x480:u8
  ffmpeg -i rtsp://camera -f rawvideo -pix_fmt gray - |
    tessera cells watch - -o live --raw 640x480:u8 --frame-rate 30
  tessera cells watch frames/ -o live --idle 60 --report yes
  tessera cells watch recording.tif -o live --um-per-pixel 0.32
  tessera cells watch camera.raw -o live --raw 1024x1024:u16 --background none \
    --min-radius 6 --max-radius 14 --relief none
)";

/// The end that signals ask for. It is never destroyed: a signal may come while the process exits.
const EndRequest* asked_to_end = nullptr;

}  // namespace

void add_cells_watch(Program& program, CLI::App& group) {
  auto job = std::make_shared<CellsWatchJob>();
  CellsJob& track = job->track;
  track.film.overlay = track.film.report = false;
  Command command =
      program.command(group, "watch", "Follow the cells of a film while it is being recorded.");
  command.input("SOURCE", track.input,
                "a pipe of raw frames (- is standard input), a growing .raw or .tif file, a folder "
                "or pattern of pictures that appear");
  command.output_option(track.output, "the folder to write to");
  command.options(job->watch);
  const Given given = add_cells_options(command, track.options, [](const char*) { return true; });
  command.options(track.measure);
  for_each_option(track.film, [&](const char* name, auto& value, const Help& help) {
    if (std::string_view(name) != "edits") add_film_option(command, name, value, help);
  });
  command.options(track.reading.choice);
  command.options(track.reading, {"allow-truncated", "page"});
  command.options(track.reading.limits);
  command.options(track.settings);
  command.flag("force", track.force, kForceHelp);
  command.talk();
  command.notes(kWatchNotes);
  command.action([job, given](Session& session) {
    check_given_options(job->track.options.model, *given);
    // Before the first frame there is nothing to keep: signals end the tool as they always do.
    if (asked_to_end == nullptr)
      asked_to_end = new EndRequest([] { ask_on_first_signal([] { asked_to_end->ask(); }); });
    session.say(job->run(*asked_to_end, session.progress_as([](long long done, long long,
                                                               double seconds) {
      return fmt::format("{} frames, {:.1f} frames/s", done, static_cast<double>(done) / seconds);
    })));
  });
}

}  // namespace tessera
