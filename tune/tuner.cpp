// SPDX-License-Identifier: Apache-2.0
#include "tune/tuner.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <ctime>

#include "core/choice.hpp"
#include "core/kernel.hpp"
#include "core/machine.hpp"
#include "tessera/error.hpp"
#include "tune/found_tables.hpp"
#include "tune/journal.hpp"
#include "tune/sites.hpp"
#include "tune/table_file.hpp"

namespace tessera {
namespace {

constexpr double kCpuBudget = 100, kDeviceBudget = 400;
constexpr std::size_t kMostNotes = 20;

struct Subject {
  std::string word;  ///< its name in tables
  std::string text;  ///< its description in headers
};

Subject subject_of(const TuneRequest& request) {
  if (request.backend == Backend::cpu) return {cpu_table_name(), cpu_text()};
  const auto device = static_cast<std::size_t>(request.device);
  return {table_name(this_machine().devices.at(device).name), device_text(request.device)};
}

std::string stamp() {
  const std::time_t now = std::time(nullptr);
  return fmt::format("date={:%Y-%m-%d} version={}", fmt::gmtime(now), TESSERA_VERSION);
}

double budget_of(const TuneSettings& settings, const TuneRequest& request) {
  if (settings.budget > 0 || settings.full) return settings.budget;
  return request.backend == Backend::cpu ? kCpuBudget : kDeviceBudget;
}

// Anything that makes measured times incomparable starts a new journal.
std::string journal_settings(const TuneSettings& settings, const Subject& subject) {
  std::string text =
      fmt::format("tune {} {} {} {} {}", TESSERA_VERSION, settings.tuned_operation(),
                  name_of(settings.type), settings.full ? "full" : "likely", subject.text);
  for (const TunedSite& site : known_sites()) text += " " + site.name;
  return text;
}

// The usable lines of the existing table: of this machine and of sites that this version knows. A
// damaged table is made again.
std::vector<TuningLine> old_lines(const std::string& path, const std::string& machine) {
  try {
    std::string ignored;
    return fitting_lines(read_table(path), path, {machine}, ignored);
  } catch (const Error&) {
    return {};
  }
}

std::string table_of(const TuneSettings& settings, const Subject& subject) {
  const std::string path = settings.output.empty() ? user_table(subject.word) : settings.output;
  if (path.empty())
    throw Error(ErrorKind::usage,
                "tune: there is no cache folder for the table; set TESSERA_CACHE "
                "or name the table with the option output");
  return path;
}

}  // namespace

std::string user_table(const std::string& machine) {
  const std::string cache = cache_folder();
  return cache.empty() ? "" : cache + "/tuning/" + machine + ".tsv";
}

Backend TuneSettings::resolved_backend() const {
  const Backend wanted = wanted_backend(backend);
  const std::string reason = why_no_device(device);
  if (wanted == Backend::automatic) return reason.empty() ? Backend::cuda : Backend::cpu;
  if (wanted == Backend::cuda && !reason.empty())
    throw Error(ErrorKind::usage,
                fmt::format("tune: cuda cannot be tuned: {}; give backend cpu", reason));
  return wanted;
}

TuneRequest TuneSettings::request() const {
  if (!(budget >= 0))
    throw Error(ErrorKind::usage,
                fmt::format("tune: the budget is {} seconds; it can be 0 or more", budget));
  return {resolved_backend(), device, type, full, sizes};
}

TuneReport tune(const TuneSettings& settings, const std::function<void(const SearchStep&)>& step) {
  const auto start = std::chrono::steady_clock::now();
  const TunableOperation& operation = find_tunable(settings.tuned_operation());
  const TuneRequest request = settings.request();
  const Subject subject = subject_of(request);
  TuneReport report;
  report.table = table_of(settings, subject);
  report.machine = subject.text;
  // Before the journal: sizes that the operation refuses leave a stopped search as it is.
  const std::vector<TuneTask> tasks = operation.tasks(request);

  const std::string kept = user_table(subject.word);
  const std::string journal_path = kept.empty() ? "" : kept + ".journal";
  if (settings.again && !kept.empty()) ::unlink(journal_path.c_str());
  Journal journal(journal_path, journal_settings(settings, subject));
  Search search({{}, budget_of(settings, request), stamp()});
  search.resume(journal.lines());
  search.on_step = [&](const SearchStep& at, const std::vector<TuningLine>& lines) {
    journal.add(lines);
    if (step) step(at);
  };
  const std::vector<TuningLine> lines = search.run(tasks);
  const std::vector<TuningLine> all = merged(old_lines(report.table, subject.word), lines);
  write_table(report.table, subject.text, all);
  const SearchCounts& counts = search.counts();
  if (!search.ran_out()) journal.remove();

  report.lines = static_cast<int>(all.size());
  std::tie(report.tasks, report.resumed, report.measured, report.interpolated) =
      std::tie(counts.tasks, counts.resumed, counts.measured, counts.interpolated);
  std::tie(report.candidates, report.failed, report.wrong) =
      std::tie(counts.candidates, counts.failed, counts.wrong);
  report.ran_out = search.ran_out();
  report.notes = search.notes();
  if (report.notes.size() > kMostNotes) report.notes.resize(kMostNotes);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

std::string TuneReport::describe() const {
  std::string text = fmt::format("{}: {} lines for {}\n", table, lines, machine);
  text += fmt::format("{} of {} methods at sizes measured", measured, tasks);
  if (resumed > 0) text += fmt::format(", {} by a run that was stopped", resumed);
  if (interpolated > 0)
    text += fmt::format(", {} interpolated{}", interpolated,
                        ran_out ? " (run again to go on measuring)" : "");
  text += fmt::format("; {} candidates in {:.0f} s", candidates, seconds);
  if (failed > 0) text += fmt::format(", {} could not be run", failed);
  if (wrong > 0) text += fmt::format(", {} gave wrong results", wrong);
  if (!installed.empty()) text += "\nadded to " + installed;
  for (const std::string& note : notes) text += "\n  " + note;
  return text;
}

std::string install_table(const std::string& table, const std::string& folder) {
  struct stat found {};
  if (::stat(folder.c_str(), &found) != 0 || !S_ISDIR(found.st_mode))
    throw Error(
        ErrorKind::usage,
        fmt::format("tune: there is no folder {}; run it at the top of the project, or give "
                    "its tuning folder",
                    folder));
  const std::vector<TuningLine> lines = read_table(table);
  if (lines.empty())
    throw Error(ErrorKind::input, fmt::format("{}: there is no line to install", table));
  const std::string machine = lines.front().machine, path = folder + "/" + machine + ".tsv";
  write_table(path, machine_text_of(table), merged(old_lines(path, machine), lines));
  return path;
}

}  // namespace tessera
