// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/commands.hpp"
#include "cli/tune_plots.hpp"
#include "study/choice_work.hpp"
#include "tessera/error.hpp"
#include "tune/choice_check.hpp"
#include "tune/compile_ahead.hpp"
#include "tune/table_pictures.hpp"
#include "tune/tuner.hpp"

namespace tessera {
namespace {

constexpr const char* kTuneExamples = R"(Examples:
  tessera tune
  tessera tune --backend cuda --sizes square
  tessera tune --sizes 7x7,9x5,31 --budget 20 --output mine.tsv
  tessera tune --backend cuda --install tuning
  tessera tune --op morphology --sizes box:7x7,disk:5
  tessera tune --op enhance --type u8 --compile sm_90
  tessera tune --compile sm_90
  tessera tune --check
  tessera tune --check --op convolve --backend cpu --sizes square
  tessera tune --plot tuning/h200.tsv --output pictures

Filter sizes of convolve: square, all (3 to 43 each way) or a list such as
7x7,9x5,31. Sizes of morphology are elements (box:7x7,disk:5), of enhance sides
of images (1024,4096), of correlate side and shifts (500/250,1024/32). A run
that was interrupted continues where it stopped when it is started again.
)";

struct TuneChoice {
  TuneSettings settings;
  bool check = false, install = false, csv = false, plot = false, png = false, force = false;
  std::string folder = "tuning", table, compile;
};

// "tune cpu direct 7x7": the bar names what is measured.
std::function<void(const SearchStep&)> bar_of(Session& session, double budget) {
  if (session.quiet) return {};
  auto bar = std::make_shared<ProgressBar>("tune");
  return [bar, budget](const SearchStep& step) {
    bar->relabel("tune " + step.task.label);
    const double spent = budget > 0 ? step.seconds / budget : 0;
    const double done = std::max(spent, double(step.done) / std::max(step.all, 1));
    bar->update(static_cast<long long>(1e6 * done), 1000000);
  };
}

void run_tune(const TuneChoice& choice, Session& session) {
  TuneReport report = tune(choice.settings, bar_of(session, choice.settings.budget));
  if (choice.install) report.installed = install_table(report.table, choice.folder);
  session.say(report);
}

/// All operations, and those without a table, on usual work of three sizes; each of `auto`'s
/// choices is between all methods and backends.
std::vector<ChoiceCase> grid_cases(const std::string& operation) {
  std::vector<ChoiceCase> cases;
  for (const ChoiceWork& work : choice_grid(operation))
    cases.push_back(
        {work.label, [make = work.make] {
           ChoiceWays made = make();
           Choice choice{made.chosen, {}};
           for (auto& [name, run] : made.ways)
             choice.methods.emplace_back(name, [run = run] { return Trial{run, [] {}, {}}; });
           return choice;
         }});
  return cases;
}

/// Sizes and a backend belong to convolve's table.
bool checks_table(const TuneSettings& settings) {
  const bool asked = settings.sizes != "all" || settings.backend != Backend::automatic;
  return settings.operation == "convolve" || (settings.operation == "auto" && asked);
}

std::vector<ChoiceCase> checked_cases(const TuneSettings& settings) {
  if (checks_table(settings)) return find_tunable("convolve").choices(settings.request());
  return grid_cases(settings.operation == "auto" ? "all" : settings.operation);
}

void run_check(const TuneChoice& choice, Session& session) {
  const bool table = checks_table(choice.settings);
  const auto cases = checked_cases(choice.settings);
  constexpr double kGridSeconds = 300;  // large images of slow operations are left out
  const double budget = choice.settings.budget > 0 || table ? choice.settings.budget : kGridSeconds;
  const Progress progress = session.progress();
  const ChoiceReport report = check_choices(cases, budget, [&](int done, int all) {
    if (progress) progress(done, all);
  });
  session.say(report);
  if (!report.holds(table ? kWorstExcess : kWorstOfBackends))
    session.code = static_cast<int>(ErrorKind::failure);
}

void run_compile(const TuneChoice& choice, Session& session) {
  const Progress progress = session.progress();
  session.say(compile_ahead(choice.settings, choice.compile, [&](int done, int all) {
    if (progress) progress(done, all);
  }));
}

TablePictures pictures_of(const TuneChoice& choice) {
  const TuneSettings& s = choice.settings;
  return find_tunable(s.tuned_operation())
      .pictures(lines_to_plot(choice.table, s.backend, s.device), s.backend, s.type);
}

void print_csv(const TuneChoice& choice) { std::puts(csv_text(pictures_of(choice)).c_str()); }

void draw(const TuneChoice& choice, Session& session) {
  const std::string& folder = choice.settings.output;
  session.say(
      draw_table(pictures_of(choice), folder.empty() ? "." : folder, choice.png, choice.force));
}

}  // namespace

void add_tune(Program& program) {
  auto choice = std::make_shared<TuneChoice>();
  Command command =
      program.command("tune", "Measure which knobs and methods are fastest on this machine.");
  command.options(choice->settings);
  command.optional_value("install", "FOLDER", choice->install, choice->folder,
                         "also add the table to those shipped with the project");
  command.flag(
      "check", choice->check,
      "make no table: time all methods, and report how much longer the choice of auto takes "
      "than the fastest; exit code 1 if that is more than 5% on average or 15% at worst (20% "
      "where all backends compete)");
  command.optional_value("csv", "TABLE", choice->csv, choice->table,
                         "measure nothing: print the choices of TABLE, or of this machine's own "
                         "table, at every size as CSV");
  command.optional_value("plot", "TABLE", choice->plot, choice->table,
                         "measure nothing: draw the pictures of TABLE, or of this machine's own "
                         "table, into the folder --output, or into the current one");
  command.option("compile", choice->compile,
                 "measure nothing: compile the candidates for a device of another machine, such as "
                 "sm_90, into the cache folder, which can then be copied there");
  command.flag("png", choice->png, "draw PNG pictures, not SVG");
  command.flag("force", choice->force, kForceHelp);
  command.talk();
  command.notes(kTuneExamples);
  command.action([choice](Session& session) {
    if (choice->check + choice->csv + choice->plot + choice->install > 1)
      throw Error(ErrorKind::usage, "give only one of --check, --csv, --plot and --install");
    if (!choice->compile.empty()) return run_compile(*choice, session);
    if (choice->csv) return print_csv(*choice);
    if (choice->plot) return draw(*choice, session);
    choice->check ? run_check(*choice, session) : run_tune(*choice, session);
  });
}

}  // namespace tessera
