// SPDX-License-Identifier: Apache-2.0
#include "jobs/batch.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <new>

#include "core/folder.hpp"
#include "io/file.hpp"
#include "jobs/batch_files.hpp"
#include "jobs/batch_manifest.hpp"
#include "jobs/timing.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr long long kProgressSteps = 1000;  // of every file, for one bar over all

const char* name_of_kind(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return "usage";
    case ErrorKind::input:
      return "input";
    case ErrorKind::partial:
      return "partial";
    case ErrorKind::resources:
      return "resources";
    default:
      return "failure";
  }
}

// With the folders it lies in.
void make_folder(const std::string& folder) {
  for (std::size_t slash = 1; slash != std::string::npos;) {
    slash = folder.find('/', slash);
    ::mkdir(folder.substr(0, slash).c_str(), 0777);
    if (slash != std::string::npos) ++slash;
  }
  const int error = errno;
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
    throw system_error(ErrorKind::usage, folder, "the folder cannot be made", error);
}

ManifestLine new_line(const BatchItem& item, const Batch& batch) {
  ManifestLine line;
  line.input = storable(absolute_name(item.input));
  line.stamp = stamp_of(item.input);
  line.output = storable(name_in_folder(item.output));
  line.parameters = storable(batch.parameters);
  line.state = "planned";
  return line;
}

bool is_had(const ManifestLine& line, const ManifestLine* before, const BatchItem& item) {
  return before && before->state == "ok" && before->input == line.input &&
         before->stamp == line.stamp && before->parameters == line.parameters &&
         stamp_of(item.output).bytes >= 0;
}

// One file of the batch before it is worked on.
struct Task {
  BatchItem item;
  ManifestLine line;
  bool had = false, replace = false;
};

std::vector<Task> plan_tasks(const std::vector<BatchItem>& items, const Batch& batch,
                             const Manifest& manifest) {
  std::vector<Task> tasks;
  for (const BatchItem& item : items) {
    Task task{item, new_line(item, batch)};
    const ManifestLine* before = manifest.find(task.line.output);
    task.had = is_had(task.line, before, item);
    task.replace = (before && before->state != "foreign") || batch.force;
    if (task.had) task.line.warnings = before->warnings;
    tasks.push_back(std::move(task));
  }
  return tasks;
}

// Known to the manifest before they exist: a process that is killed between an output and its line
// leaves an output that the next may replace.
void note_plans(const std::vector<Task>& tasks, Manifest& manifest) {
  std::vector<ManifestLine> lines;
  for (const Task& task : tasks)
    if (!task.had && !manifest.find(task.line.output) && !fs::exists(task.item.output))
      lines.push_back(task.line);
  manifest.append(lines);
}

void fail(BatchFile& file, ErrorKind kind, const std::string& sentence) {
  file.state = "failed";
  file.kind = kind;
  file.error = sentence;
}

BatchFile work_on(const Task& task, const BatchWork& work, const Progress& progress) {
  BatchFile file{task.item.input, task.item.output, "done"};
  try {
    const Stopwatch watch(file.seconds);
    file.warnings = work(task.item, task.replace, progress);
  } catch (const Error& error) {
    fail(file, error.kind(), error.what());
  } catch (const std::bad_alloc&) {
    fail(file, ErrorKind::resources, task.item.input + ": memory ran out");
  } catch (const std::exception& error) {
    fail(file, ErrorKind::failure, task.item.input + ": " + error.what());
  }
  return file;
}

void note_outcome(Task& task, const BatchFile& file, Manifest& manifest) {
  task.line.seconds = file.seconds;
  task.line.state = file.state == "done" ? "ok" : "failed";
  task.line.warnings = file.warnings;
  if (file.state == "failed") {
    // An output that is not ours, or the next run would replace it.
    if (!task.replace && fs::exists(task.item.output)) task.line.state = "foreign";
    task.line.kind = name_of_kind(file.kind);
    task.line.error = file.error;
  }
  manifest.append({task.line});
}

Progress progress_of(std::size_t index, std::size_t count, const Progress& progress) {
  if (!progress) return {};
  const auto before = static_cast<long long>(index) * kProgressSteps;
  const auto whole = static_cast<long long>(count) * kProgressSteps;
  return [=](long long done, long long all) {
    progress(before + (all > 0 ? kProgressSteps * done / all : 0), whole);
  };
}

}  // namespace

bool is_batch(const std::string& output, const BatchOptions& options) {
  std::error_code ignored;
  if (output.ends_with('/') || fs::is_directory(output, ignored)) return true;
  if (options.to.empty()) return false;
  throw Error(ErrorKind::usage,
              fmt::format("--to is for a folder of outputs; {} is none: end it with /", output));
}

std::string batch_parameters(const std::string& operation, const std::vector<std::string>& changed,
                             const std::vector<std::string>& files) {
  std::string text = operation + " " TESSERA_VERSION;
  for (const std::string& options : changed)
    if (!options.empty()) text += " " + options;
  for (const std::string& file : files) {
    text += " " + file;
    if (const FileStamp stamp = stamp_of(file); stamp.bytes >= 0)
      text += fmt::format("({} bytes, {} ns)", stamp.bytes, stamp.modified_ns);
  }
  return text;
}

BatchResult run_batch(const Batch& batch, const BatchWork& work, const Progress& progress) {
  const std::vector<BatchItem> items = batch_items(batch);
  make_folder(batch.folder);
  Manifest manifest(batch.folder);
  std::vector<Task> tasks = plan_tasks(items, batch, manifest);
  note_plans(tasks, manifest);
  BatchResult result{batch.folder, manifest.path()};
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const Stopwatch watch(result.seconds);
    const Progress inner = progress_of(i, tasks.size(), progress);
    if (tasks[i].had) {
      result.files.push_back({tasks[i].item.input, tasks[i].item.output, "had"});
      result.files.back().warnings = tasks[i].line.warnings;
    } else {
      result.files.push_back(work_on(tasks[i], work, inner));
      note_outcome(tasks[i], result.files.back(), manifest);
    }
    const std::string& state = result.files.back().state;
    ++(state == "had" ? result.had : state == "done" ? result.done : result.failed);
    if (inner) inner(1, 1);
  }
  return result;
}

std::string BatchResult::describe() const {
  return fmt::format("{}: {} done, {} had, {} failed in {:.3g} s", manifest, done, had, failed,
                     seconds);
}

std::vector<std::string> BatchResult::complaints() const {
  std::vector<std::string> sentences;
  for (const BatchFile& file : files) {
    if (file.state == "failed") sentences.push_back(file.error);
    for (const std::string& warning : file.warnings) sentences.push_back("warning: " + warning);
  }
  return sentences;
}

int BatchResult::exit_code() const {
  const auto warned = [](const BatchFile& file) { return !file.warnings.empty(); };
  if (failed == 0 && std::ranges::none_of(files, warned)) return 0;
  if (done + had > 0) return static_cast<int>(ErrorKind::partial);
  const ErrorKind first = files.front().kind;
  const auto alike = [first](const BatchFile& file) { return file.kind == first; };
  return static_cast<int>(std::ranges::all_of(files, alike) ? first : ErrorKind::failure);
}

}  // namespace tessera
