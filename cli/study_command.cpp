// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.hpp"
#include "study/studies.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr const char* kStudyExamples = R"(Examples:
  tessera study
  tessera study convolve --sizes 3-15
  tessera study correlate --rungs shared,simd,ours
)";

struct StudyChoice {
  StudyOptions options;
  bool csv = false;
};

void run_study(const Study& study, const StudyChoice& choice, Session& session) {
  if (choice.csv && session.json)
    throw Error(ErrorKind::usage, "--csv and --json cannot both go to standard output");
  const StudyResult result = study.run(choice.options, session.progress());
  if (choice.csv)
    std::fputs(result.csv().c_str(), stdout);
  else
    session.say(result);
}

void add_one(Program& program, CLI::App& group, const Study& study) {
  auto choice = std::make_shared<StudyChoice>();
  Command command = program.command(group, study.name.c_str(), study.title.c_str());
  command.options(choice->options);
  for (const StudyOption& own : study.own)
    command.option(
        own.name.c_str(), own.hint, own.usual, own.help,
        [choice, name = own.name](const std::string& text) { choice->options.own[name] = text; });
  command.flag("csv", choice->csv, "print the rows as comma-separated values");
  command.talk();
  command.notes(study.notes);
  command.action([&study, choice](Session& session) { run_study(study, *choice, session); });
}

}  // namespace

void add_study_commands(Program& program) {
  CLI::App* group = nullptr;
  Command listing = program.listing_group(
      "study", "Run the steps by which a method became fast, next to published figures.", group);
  listing.notes(kStudyExamples);
  listing.action([](Session&) {
    for (const Study& study : studies())
      std::fputs(fmt::format("{:<10} {}\n", study.name, study.title).c_str(), stdout);
  });
  for (const Study& study : studies()) add_one(program, *group, study);
}

}  // namespace tessera
