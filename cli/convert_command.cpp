// SPDX-License-Identifier: Apache-2.0
#include "cli/batch_door.hpp"
#include "cli/commands.hpp"
#include "jobs/convert/convert_job.hpp"

namespace tessera {
namespace {

constexpr const char* kConvertExamples = R"(Examples:
  tessera convert edges.npy edges.png --type u8 --range auto
  tessera convert scan.png part.npy --crop 640,480,256x256 --type f32
  tessera convert stack.npy slice.png --plane 3
  tessera convert 'scans/*.png' arrays/ --to .npy
)";

}  // namespace

void add_convert(Program& program) {
  auto job = std::make_shared<ConvertJob>();
  auto batch = std::make_shared<BatchOptions>();
  Command command =
      program.command("convert", "Turn an image file into another: format, type, range, part.");
  command.input("INPUT", job->input, kInputHelp);
  command.output("OUTPUT", job->output, kOutputHelp);
  command.options(job->options);
  command.reading(job->reading);
  command.writing(job->writing);
  command.options(job->settings);
  command.options(*batch);
  command.talk();
  command.share([job, batch] { return is_batch(job->output, *batch); });
  command.notes(kConvertExamples);
  command.action([job, batch](Session& session) { run_files(session, *job, *batch); });
}

}  // namespace tessera
