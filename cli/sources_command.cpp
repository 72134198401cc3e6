// SPDX-License-Identifier: Apache-2.0
#include "cli/batch_door.hpp"
#include "cli/commands.hpp"
#include "jobs/sources/sources_job.hpp"

namespace tessera {
namespace {

constexpr const char* kExamples = R"(Examples:
  tessera sources photo.png out.png --factor 0.5
  tessera sources huge.npy out.npy --factor 2 --memory-limit 2G
)";

}  // namespace

void add_sources(Program& program) {
  auto job = std::make_shared<SourcesJob>();
  auto batch = std::make_shared<BatchOptions>();
  Command command = program.command("sources", "Catalogues of the sources of an image.");
  command.input("INPUT", job->input, kInputHelp);
  command.output("OUTPUT", job->output, kOutputHelp);
  command.options(job->options);
  command.reading(job->reading);
  command.writing(job->writing);
  command.options(job->settings);
  command.options(*batch);
  command.talk();
  command.notes(kExamples);
  command.action([job, batch](Session& session) { run_files(session, *job, *batch); });
}

}  // namespace tessera
