// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>

#include "cli/commands.hpp"
#include "cli/part_run.hpp"
#include "jobs/launch.hpp"
#include "jobs/parts/found_parts.hpp"
#include "jobs/parts/joined_ranks.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr const char* kJoinNotes =
    R"(Parts may be made in any order, on any machines, and again. The outputs are
those of one process, byte for byte. Nothing is made until all parts are there,
and the parts stay: remove them when the outputs are good.

Examples:
  tessera noise field.fits -o field --part 1/2
  tessera noise field.fits -o field --part 2/2
  tessera join field
)";

struct JoinJob {
  std::string output;
  bool force = false, allow_mixed = false;
};

void join(const JoinJob& job, Session& session) {
  const FoundParts parts = find_parts(job.output);
  std::filesystem::current_path(folder_of_run(parts, job.output));
  check_inputs_now(parts);
  const RunInParts run(std::make_unique<JoinedRanks>(parts));
  all_ranks().allow_mixed = job.allow_mixed;
  Program program;
  add_all(program);
  std::vector<std::string> words{"tessera"};
  words.insert(words.end(), parts.first().words.begin(), parts.first().words.end());
  program.run_again(words, session, job.force);
}

}  // namespace

void add_join(Program& program) {
  auto job = std::make_shared<JoinJob>();
  Command command = program.command("join", "Make the outputs of a run that was done in parts.");
  command.input("OUTPUT", job->output, "the output that the commands with --part name");
  command.flag("force", job->force, kForceHelp);
  command.flag("allow-mixed", job->allow_mixed,
               "take parts whose last bits may differ, of several kinds of processors");
  command.run_once();
  command.talk();
  command.notes(kJoinNotes);
  command.action([job](Session& session) { join(*job, session); });
}

}  // namespace tessera
