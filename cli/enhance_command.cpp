// SPDX-License-Identifier: Apache-2.0
#include "cli/batch_door.hpp"
#include "cli/commands.hpp"
#include "jobs/enhance/enhance_job.hpp"

namespace tessera {
namespace {

constexpr const char* kEnhanceNotes = R"(Steps, each alone or in any order:
  grey       red, green and blue become one; alpha is kept
  histogram  counts values; the image stays as it is
  contrast   stretches the range of values; by percentiles or a threshold
  equalise   makes all grey values about equally frequent
  clahe      the same in tiles, with a clip limit, as in scikit-image
  smooth     weighted mean of neighbours; --smooth also takes FILE.npy

Examples:
  tessera enhance map.png readable.png
  tessera enhance scan.tif local.tif --steps grey,clahe --tiles 8,8 --clip 0.02
  tessera enhance slide.png out.png --steps contrast --channels each --low 1
  tessera enhance map.png out.png --histogram map.svg --before-after both.png
  tessera enhance huge.npy out.npy --memory-limit 500M --check
  tessera enhance scans readable/ --to .png --files-at-once 4
)";

}  // namespace

void add_enhance(Program& program) {
  auto job = std::make_shared<EnhanceJob>();
  auto batch = std::make_shared<BatchOptions>();
  Command command =
      program.command("enhance", "Make an image readable: grey, contrast, smoothing and more.");
  command.input("INPUT", job->input, kInputHelp);
  command.output("OUTPUT", job->output, kOutputHelp);
  command.options(job->options);
  command.options(job->reports);
  command.reading(job->reading);
  command.writing(job->writing);
  command.options(job->settings);
  command.options(*batch);
  command.flag("check", job->check, kCheckHelp);
  command.talk();
  command.share([job, batch] {
    return is_batch(job->output, *batch) || (between_files(*job) && !job->reports.any());
  });
  command.notes(kEnhanceNotes);
  command.action([job, batch](Session& session) {
    if (is_batch(job->output, *batch)) check_batch_of(*job);
    run_files(session, *job, *batch, {job->options.smooth});
  });
}

}  // namespace tessera
