// SPDX-License-Identifier: Apache-2.0
#include "cli/cells_score_command.hpp"

#include "jobs/cells/cell_score.hpp"

namespace tessera {
namespace {

constexpr const char* kScoreNotes = R"(Measures:
  alpha, beta, JSC, JSC theta, RMSE   as in the ISBI 2012 challenge
  precision, recall   of spots, frame by frame, within the gate
  found               true cells (10 frames or more) that one track stays near
                      in half of their frames
  false               tracks with less than half of their spots near true cells
  near                true cells with a spot within --near at --frame
  velocity            error of the velocity between first and last common frame
  crossings kept      both cells have the same tracks 5 frames before and after

Files are tables with the columns TRACK_ID, FRAME, POSITION_X, POSITION_Y and
RADIUS (of the truth, for crossings), XML of TrackMate, or XML of the ISBI 2012
challenge. Tables that TrackMate exported in micrometres need --um-per-pixel.

Examples:
  tessera sample cells film.mkv --preset hard --seed 1 --truth truth.csv
  tessera cells track film.mkv -o out
  tessera cells score truth.csv out/tracks.csv --json
  tessera cells score corrected.xml out/trackmate.xml
)";

}  // namespace

void add_cells_score(Program& program, CLI::App& group) {
  auto job = std::make_shared<CellScoreJob>();
  Command command =
      program.command(group, "score", "Compare tracks with the truth: ISBI and other measures.");
  command.input("TRUTH", job->truth, "the true tracks, .csv or .xml");
  command.input("RESULT", job->result, "the tracks that were found, .csv or .xml");
  command.options(job->options);
  command.talk();
  command.notes(kScoreNotes);
  command.action([job](Session& session) { session.say(job->run()); });
}

}  // namespace tessera
