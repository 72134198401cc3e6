// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/batch_door.hpp"
#include "cli/commands.hpp"
#include "jobs/morphology/morphology_job.hpp"

namespace tessera {
namespace {

std::string element_list() {
  std::string text = "Elements:\n";
  for (const FilterUsage& usage : element_usages())
    text += fmt::format("  {}\n          {}\n", usage.form, usage.help);
  return text + "  FILE.npy, FILE.png\n          the pixels of an image file that are not 0\n";
}

std::string examples(std::string_view name) {
  return fmt::format(R"(Examples:
  tessera {0} photo.png disk:3 out.png
  tessera {0} mask.png line:21,45 out.png --border constant --constant 255
  tessera {0} huge.npy element.npy out.npy --memory-limit 2G --check
  tessera {0} scans box:15x15 done/
  cat in.npy | tessera {0} - cross:1 - > out.npy
)",
                     name);
}

void add(Program& program, MorphologyKind kind, const char* about) {
  auto job = std::make_shared<MorphologyJob>();
  auto batch = std::make_shared<BatchOptions>();
  job->kind = kind;
  Command command = program.command(name_of(kind).data(), about);
  command.input("INPUT", job->input, kInputHelp);
  command.word("ELEMENT", job->element, "ELEMENT", "an element by name or in a file, see below");
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
  command.notes(element_list() + "\n" + examples(name_of(kind)));
  command.action(
      [job, batch](Session& session) { run_files(session, *job, *batch, {job->element}); });
}

}  // namespace

void add_morphology(Program& program) {
  add(program, MorphologyKind::erode, "Erode an image: the least pixel under an element.");
  add(program, MorphologyKind::dilate, "Dilate an image: the greatest pixel under an element.");
}

}  // namespace tessera
