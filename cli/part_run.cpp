// SPDX-License-Identifier: Apache-2.0
#include "cli/part_run.hpp"

#include <stdlib.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "cli/devices.hpp"
#include "jobs/launch.hpp"
#include "jobs/parts/part_ranks.hpp"
#include "jobs/parts/part_result.hpp"
#include "jobs/shell_word.hpp"
#include "tessera/error.hpp"
#include "tune/found_tables.hpp"

namespace tessera {
namespace {

/// Machines of one kind choose alike: the CPU unless CUDA is asked for by name, by what all of them
/// know.
void choose_as_all_parts() {
  const char* const forced = ::getenv("TESSERA_BACKEND");
  if (!forced || !*forced) ::setenv("TESSERA_BACKEND", "cpu", 1);
  leave_out_user_tables();
}

void check_part(const CommandState& state) {
  const std::string& mpi = state.session.mpi.word;
  if (mpi != "off" && (launch().count > 1 || mpi != "auto"))
    throw Error(ErrorKind::usage,
                "--part: the processes of a launcher share a run by themselves; leave out --part, "
                "or give --mpi off");
  if (state.devices.list.several())
    throw Error(ErrorKind::usage, "--part: one device makes a part; give one --device");
  if (!state.shared || !state.shared() || !state.target || state.target->empty())
    throw Error(ErrorKind::usage,
                "--part: this cannot be split, because one process makes all of it "
                "(docs/scale.md); leave out --part");
}

bool is_forced(const CommandState& state) {
  const CLI::Option* const force = state.app->get_option_no_throw("--force");
  return force && force->count() > 0;
}

}  // namespace

std::vector<std::string> without_part(const std::vector<std::string>& words) {
  std::vector<std::string> rest;
  const auto end = std::ranges::find(words, "--");
  for (auto word = words.begin(); word != words.end(); ++word) {
    const bool option = word < end;
    if (option && *word == "--part" && word + 1 != words.end())
      ++word;
    else if (!option || !word->starts_with("--part="))
      rest.push_back(*word);
  }
  return rest;
}

std::string command_line(const std::vector<std::string>& words) {
  std::string line = "tessera";
  for (std::size_t i = 1; i < words.size(); ++i) line += " " + shell_word(words[i]);
  return line;
}

void run_part(CommandState& state, const std::vector<std::string>& words) {
  const auto begun = std::chrono::steady_clock::now();
  check_part(state);
  choose_as_all_parts();
  choose_devices(state, std::nullopt);
  Session& session = state.session;
  PartRecord record =
      new_record(parse_part(session.part), *state.target, {words.begin() + 1, words.end()});
  PartResult result{.part = record.part.part, .parts = record.part.parts};
  result.folder = part_folder(record.output, record.part);
  result.output = record.output;
  auto part = std::make_unique<PartRanks>(std::move(record), is_forced(state));
  PartRanks& kept = *part;
  Reply unseen;
  {
    const RunInParts run(std::move(part));
    unseen.progress = session.progress();
    session.on_all_ranks = true;
    Reply* const outer = std::exchange(session.reply, &unseen);
    state.action(session);
    session.reply = outer;
    session.on_all_ranks = false;
    // A part without images of an ensemble is not a failure; files of a batch that failed are.
    session.pass_on(unseen);
    if (unseen.complaints.empty()) session.code = 0;
    kept.finish();
    result.units = kept.units_done;
    result.ran = kept.ran;
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  session.say(result);
}

}  // namespace tessera
