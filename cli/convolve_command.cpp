// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/batch_door.hpp"
#include "cli/commands.hpp"
#include "jobs/convolve/convolve_job.hpp"

namespace tessera {
namespace {

std::string filter_list() {
  std::string text = "Filters:\n";
  for (const FilterUsage& usage : filter_usages())
    text += fmt::format("  {}\n          {}\n", usage.form, usage.help);
  return text + "  FILE.npy, FILE.png\n          the weights in an image file\n";
}

constexpr const char* kExamples = R"(Examples:
  tessera convolve photo.png gauss:2.5 soft.png
  tessera convolve photo.png sobel:x edges.npy --output f32 --border replicate
  tessera convolve huge.npy weights.npy out.npy --memory-limit 2G --check
  tessera convolve scans gauss:2 soft/ --to .npy
  cat in.npy | tessera convolve - box:5x5 - > out.npy
)";

}  // namespace

void add_convolve(Program& program) {
  auto job = std::make_shared<ConvolveJob>();
  auto batch = std::make_shared<BatchOptions>();
  Command command = program.command("convolve", "Filter an image.");
  command.input("INPUT", job->input, kInputHelp);
  command.word("FILTER", job->filter, "FILTER", "a filter by name or in a file, see below");
  command.output("OUTPUT", job->output, kOutputHelp);
  command.options(job->options);
  command.reading(job->reading);
  command.writing(job->writing);
  command.options(job->settings);
  command.options(*batch);
  command.flag(
      "check", job->check,
      "compare the result with the reference: all rows, or bands of them where the image is large");
  command.talk();
  command.notes(filter_list() + "\n" + kExamples);
  command.action(
      [job, batch](Session& session) { run_files(session, *job, *batch, {job->filter}); });
}

}  // namespace tessera
