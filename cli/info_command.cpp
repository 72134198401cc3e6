// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "jobs/info/file_report.hpp"
#include "jobs/info/machine_report.hpp"
#include "jobs/info/recording_report.hpp"
#include "tessera/error.hpp"
#include "tune/found_tables.hpp"

namespace tessera {
namespace {

constexpr const char* kInfoExamples = R"(Examples:
  tessera info
  tessera info --measure --json
  tessera info photo.png
  tessera info scan.0000.raw
)";

MachineReport report_with_tables(bool measure) {
  MachineReport report = report_machine(measure);
  for (const FoundTable& table : found_tables())
    report.tuning_tables.push_back(table.problem.empty()
                                       ? fmt::format("{}, {} lines", table.name, table.lines)
                                       : fmt::format("{}, ignored: {}", table.name, table.problem));
  return report;
}

struct InfoChoice {
  std::string file;
  bool measure = false;
  ReadOptions reading;
};

}  // namespace

void add_info(Program& program) {
  auto choice = std::make_shared<InfoChoice>();
  Command command = program.command("info", "Describe this machine and this build, or a file.");
  command.optional_input("FILE", choice->file,
                         "an image or a recording to describe; - is an image on standard input");
  command.flag("measure", choice->measure,
               "measure the peaks of processor, memory and devices; takes a few seconds");
  command.reading(choice->reading);
  command.run_once();
  command.talk();
  command.notes(kInfoExamples);
  command.action([choice](Session& session) {
    if (!choice->file.empty() && choice->measure)
      throw Error(ErrorKind::usage, "--measure is about the machine; leave out the file");
    if (choice->file.empty())
      session.say(report_with_tables(choice->measure));
    else if (is_recording(choice->file))
      session.say(report_recording(choice->file));
    else
      session.say(report_file(choice->file, choice->reading));
  });
}

}  // namespace tessera
