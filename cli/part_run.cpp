// SPDX-License-Identifier: Apache-2.0
#include "cli/part_run.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <tuple>
#include <utility>

#include "core/counted.hpp"
#include "core/environment.hpp"
#include "core/isa.hpp"
#include "jobs/batch_manifest.hpp"
#include "jobs/launch.hpp"
#include "jobs/parts/part_ranks.hpp"
#include "jobs/shell_word.hpp"
#include "tessera/error.hpp"
#include "tune/found_tables.hpp"

namespace tessera {
namespace {

struct PartResult {
  int part = 0, parts = 0;
  long long units = 0;
  double seconds = 0;
  std::string folder, output;

  static constexpr auto fields() {
    using R = PartResult;
    return std::tuple{field("part", &R::part, "number of the part, from 1"),
                      field("parts", &R::parts, "number of all parts"),
                      field("units", &R::units, "units of work that the part did"),
                      field("seconds", &R::seconds, "whole duration"),
                      field("folder", &R::folder, "where the part is kept"),
                      field("output", &R::output, "what join makes of all parts")};
  }
  std::string describe() const {
    return fmt::format("{}: {} of part {} of {}, {:.3g} s; tessera join {} makes the outputs",
                       folder, counted(units, "unit"), part, parts, seconds, shell_word(output));
  }
};

/// Machines of one kind choose alike: the CPU unless CUDA is asked for by name, by what all of them
/// know.
void choose_as_all_parts() {
  if (environment("TESSERA_BACKEND").empty()) ::setenv("TESSERA_BACKEND", "cpu", 1);
  leave_out_user_tables();
}

void check_part(const CommandState& state) {
  const std::string& mpi = state.session.mpi.word;
  if (mpi != "off" && (launch().count > 1 || mpi != "auto"))
    throw Error(ErrorKind::usage,
                "--part: the processes of a launcher share a run by themselves; leave out --part, "
                "or give --mpi off");
  if (!state.shared || !state.shared() || !state.target || state.target->empty())
    throw Error(ErrorKind::usage,
                "--part: this cannot be split, because one process makes all of it "
                "(docs/scale.md); leave out --part");
}

PartRecord record_of(const CommandState& state, const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (storable(word) != word)
      throw Error(ErrorKind::usage, "--part: names that are not UTF-8 cannot be kept; rename them");
  PartRecord record;
  record.version = TESSERA_VERSION;
  record.part = parse_part(state.session.part);
  record.words.assign(words.begin() + 1, words.end());
  record.output = *state.target;
  record.folder = std::filesystem::current_path().string();
  record.isa = current_isa();
  record.host = host_name();
  return record;
}

bool is_forced(const CommandState& state) {
  for (const char* name : {"--force"})
    if (const CLI::Option* option = state.app->get_option_no_throw(name))
      return option->count() > 0;
  return false;
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
  Session& session = state.session;
  PartRecord record = record_of(state, words);
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
    session.code = 0;
    kept.finish();
    result.units = kept.units_done;
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  session.say(result);
}

}  // namespace tessera
