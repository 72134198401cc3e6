// SPDX-License-Identifier: Apache-2.0
#include "cli/batch_door.hpp"
#include "cli/commands.hpp"
#include "jobs/match/match_job.hpp"

namespace tessera {
namespace {

constexpr const char* kMatchNotes =
    R"(The map has the normalised cross-correlation at every place of the template:
1 where the image is the template up to brightness and contrast, 0 where one
of them is flat. Places are those of the template's first pixel, counted from
0; with a --border the map's pixels are those of its centre. NaN pixels, in
the image or in the template, do not count.

Examples:
  tessera match page.png logo.png map.npy
  tessera match page.png logo.png map.npy --peaks 5 --distance 20
      --threshold 0.8 --table places.csv
  tessera match page.png logo.png map.tif --border replicate --json
  tessera match page.png logo.png map.npy --mask round.png
  tessera match scans logo.png maps/ --to .npy
)";

}  // namespace

void add_match(Program& program) {
  auto job = std::make_shared<MatchJob>();
  auto batch = std::make_shared<BatchOptions>();
  Command command =
      program.command("match", "Find a template in an image by normalised cross-correlation.");
  command.input("INPUT", job->input, kInputHelp);
  command.input("TEMPLATE", job->pattern, "the image to look for");
  command.output("OUTPUT", job->output,
                 "the map to write, of f32; - writes NPY to standard output; in a folder each map "
                 "keeps its input's name");
  command.options(job->options);
  command.options(job->peaks);
  command.options(job->files);
  command.reading(job->reading);
  command.writing(job->writing);
  command.options(job->settings);
  command.options(*batch);
  command.flag("check", job->check, kCheckHelp);
  command.talk();
  command.share([job] { return between_files(*job); });
  command.notes(kMatchNotes);
  command.action([job, batch](Session& session) {
    std::vector<std::string> read{job->pattern};
    if (!job->files.mask.empty()) read.push_back(job->files.mask);
    if (is_batch(job->output, *batch) && !job->files.table.empty())
      throw Error(ErrorKind::usage,
                  "match: --table has the peaks of one image; leave it out for a batch");
    run_files(session, *job, *batch, read);
  });
}

}  // namespace tessera
