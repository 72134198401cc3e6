// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string_view>
#include <vector>

#include "cli/commands.hpp"
#include "cli/study_pictures.hpp"
#include "jobs/image_job.hpp"
#include "study/published.hpp"
#include "study/score_card.hpp"
#include "study/studies.hpp"
#include "study/study_csv.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr const char* kStudyExamples = R"(Examples:
  tessera study
  tessera study convolve --sizes 3-15
  tessera study correlate --rungs shared,simd,ours
  tessera study correlate --threads 1,2,4,8 --pin --picture threads.svg
  tessera study --score-card
  tessera study enhance --from study-enhance.csv --picture enhance.svg
)";

struct StudyChoice {
  StudyOptions options;
  std::string from, picture, image;
  bool csv = false, force = false;
};

/// Options that would change a run have no meaning for rows that were recorded.
void refuse_run_options(const StudyChoice& choice) {
  const auto refuse = [](const std::string& name) {
    throw Error(ErrorKind::usage,
                fmt::format("--{}: nothing runs with --from; leave one of them out", name));
  };
  const StudyOptions usual;
  std::map<std::string, std::string> usual_texts;
  for_each_option(usual, [&](const char* name, const auto& value, const Help&) {
    usual_texts[name] = to_text(value);
  });
  for_each_option(choice.options, [&](const char* name, const auto& value, const Help&) {
    if (std::string_view(name) != "rungs" && to_text(value) != usual_texts[name]) refuse(name);
  });
  for (const auto& [name, value] : choice.options.own) refuse(name);
  if (!choice.image.empty()) refuse("image");
}

/// Whether a paper of that study has a figure for one of the rungs.
bool has_published(const std::string& study, const StudyResult& result) {
  const std::vector<PublishedFigure>& figures = published_figures(study);
  return std::ranges::any_of(result.rows, [&](const StudyRow& row) {
    return std::ranges::find(figures, row.rung, &PublishedFigure::rung) != figures.end();
  });
}

/// Rows do not say of which study they are, but their rungs do.
void check_own_rows(const Study& study, const StudyResult& result, const std::string& path) {
  if (has_published(study.name, result)) return;
  for (const Study& other : studies())
    if (has_published(other.name, result))
      throw Error(ErrorKind::input,
                  fmt::format("{}: its rungs are those of study {}, and this is study {}", path,
                              other.name, study.name));
}

/// Rows that were recorded, those that --rungs names.
StudyResult recorded(const Study& study, const StudyChoice& choice) {
  refuse_run_options(choice);
  StudyResult result = read_study_csv(study.name, choice.from);
  check_own_rows(study, result, choice.from);
  std::vector<std::string> names;
  for (const StudyRow& row : result.rows) names.push_back(row.rung);
  const std::vector<std::string> wanted = rungs_beginning(choice.options.rungs, names);
  std::erase_if(result.rows, [&](const StudyRow& row) {
    return std::find(wanted.begin(), wanted.end(), row.rung) == wanted.end();
  });
  result.verdict = fmt::format("{} rows of {}; nothing ran.", result.rows.size(), choice.from);
  return result;
}

StudyResult measured(const Study& study, const StudyChoice& choice, Session& session) {
  StudyOptions options = choice.options;
  Image image;
  if (!choice.image.empty()) {
    image = read_image(choice.image);
    options.image = &image;
    options.image_name = choice.image;
  }
  return run_study(study, options, session.progress());
}

void run_one(const Study& study, const StudyChoice& choice, Session& session) {
  if (choice.csv && session.json)
    throw Error(ErrorKind::usage, "--csv and --json cannot both go to standard output");
  check_study_pictures(choice.options, choice.picture, choice.force);
  const StudyResult result =
      choice.from.empty() ? measured(study, choice, session) : recorded(study, choice);
  std::vector<std::string> drawn;
  if (!choice.picture.empty())
    drawn = draw_study(result, choice.options, choice.picture, choice.force);
  if (choice.csv)
    std::fputs(result.csv().c_str(), stdout);
  else
    session.say(result);
  if (!choice.csv)
    for (const std::string& sentence : drawn) session.tell(sentence);
}

struct ScoreChoice {
  bool wanted = false;
  std::string from;
  Backend backend = Backend::automatic;
};

std::string recorded_path(const ScoreChoice& choice, const std::string& study) {
  return fmt::format("{}/study-{}.csv", choice.from, study);
}

void check_recorded_folder(const ScoreChoice& choice) {
  if (choice.backend != Backend::automatic)
    throw Error(ErrorKind::usage, "--backend: nothing runs with --from; leave one of them out");
  if (std::ranges::none_of(studies(), [&](const Study& study) {
        return names_file(recorded_path(choice, study.name));
      }))
    throw Error(ErrorKind::input,
                fmt::format("{}: it has no study-NAME.csv; give a folder of files that `tessera "
                            "study NAME --csv` printed",
                            choice.from));
}

ScoreCard score_card_of(const ScoreChoice& choice, Session& session) {
  if (!choice.from.empty()) {
    check_recorded_folder(choice);
    return score_card(
        [&](const std::string& study, const StudyOptions&) -> std::optional<StudyResult> {
          const std::string path = recorded_path(choice, study);
          if (!names_file(path)) return std::nullopt;
          return read_study_csv(study, path);
        },
        true);
  }
  return score_card(
      [&](const std::string& study, StudyOptions options) -> std::optional<StudyResult> {
        options.backend = choice.backend;
        const auto found = std::ranges::find(studies(), study, &Study::name);
        session.tell("study " + study);
        return run_study(*found, options, session.progress());
      },
      false);
}

void add_one(Program& program, CLI::App& group, const Study& study) {
  auto choice = std::make_shared<StudyChoice>();
  Command command = program.command(group, study.name.c_str(), study.title.c_str());
  command.options(choice->options);
  for (const StudyOption& own : study.own)
    command.option(
        own.name.c_str(), own.hint, own.usual, own.help,
        [choice, name = own.name](const std::string& text) { choice->options.own[name] = text; });
  command.option(
      "picture", choice->picture,
      "draw the paper's figures from this run, a file.svg or .png, with the figures next "
      "to it as .tsv");
  if (!study.image.empty()) command.option("image", choice->image, study.image);
  command.option(
      "from", choice->from,
      "run nothing: take the rows that --csv printed before, perhaps on another machine");
  command.flag("csv", choice->csv, "print the rows as comma-separated values");
  command.flag("force", choice->force, "replace pictures that exist");
  command.talk();
  command.notes(study.notes);
  command.action([&study, choice](Session& session) { run_one(study, *choice, session); });
}

}  // namespace

void add_study_commands(Program& program) {
  CLI::App* group = nullptr;
  Command listing = program.listing_group(
      "study", "Run the steps by which a method became fast, next to published figures.", group);
  listing.notes(kStudyExamples);
  auto card = std::make_shared<ScoreChoice>();
  listing.flag("score-card", card->wanted,
               "one table of what the papers concluded about CPUs and GPUs, with this machine's "
               "answer; runs the rungs of all studies that it needs");
  listing.option("from", card->from,
                 "with --score-card: a folder of study-NAME.csv that --csv printed; nothing runs");
  listing.option("backend", card->backend,
                 "with --score-card: the side that runs, or auto for both");
  listing.talk();
  listing.action([card](Session& session) {
    if (card->wanted) return session.say(score_card_of(*card, session));
    if (!card->from.empty())
      throw Error(ErrorKind::usage, "--from: a folder is for --score-card; give that too");
    if (card->backend != Backend::automatic)
      throw Error(ErrorKind::usage, "--backend: it is for --score-card; give that too");
    for (const Study& study : studies())
      std::fputs(fmt::format("{:<10} {}\n", study.name, study.title).c_str(), stdout);
  });
  for (const Study& study : studies()) add_one(program, *group, study);
}

}  // namespace tessera
