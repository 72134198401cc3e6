// SPDX-License-Identifier: Apache-2.0
#include "jobs/batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <new>
#include <optional>
#include <thread>

#include "core/folder.hpp"
#include "core/parallel.hpp"
#include "core/ranks.hpp"
#include "jobs/agreement.hpp"
#include "jobs/batch_files.hpp"
#include "jobs/batch_manifest.hpp"
#include "jobs/failure.hpp"
#include "jobs/history.hpp"
#include "jobs/timing.hpp"
#include "report/json.hpp"
#include "tessera/stop_check.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr long long kProgressSteps = 1000;  // of every file, for one bar over all of them

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

ManifestLine new_line(const BatchItem& item, const Batch& batch) {
  ManifestLine line;
  line.input = storable(absolute_name(item.input));
  line.stamp = stamp_of(item.input);
  line.output = storable(name_in_folder(item.output));
  line.parameters = storable(batch.parameters);
  line.state = "planned";
  return line;
}

// One of its files exists, or something else of that name.
bool is_taken(const BatchItem& item, const Batch& batch) {
  const auto exists = [](const std::string& path) { return is_link(path) || path_exists(path); };
  return batch.files ? std::ranges::any_of(batch.files(item), exists) : exists(item.output);
}

bool has_link(const BatchItem& item, const Batch& batch) {
  return batch.files ? std::ranges::any_of(batch.files(item), is_link) : is_link(item.output);
}

// The output was made of the same input in the same way.
bool is_same(const ManifestLine& line, const ManifestLine* before) {
  return before && before->state == "ok" && before->input == line.input &&
         before->stamp == line.stamp && before->parameters == line.parameters;
}

// One file of the batch before work on it begins.
struct Task {
  BatchItem item;
  ManifestLine line;
  bool had = false, replace = false;
  bool unproved = false;    // it would be had, but its line has no digests
  std::string changed;      // it would be had, but its files are not those of its line
  bool own_folder = false;  // the folder did not exist: what is in it after a failure is ours
};

std::vector<Task> plan_tasks(const std::vector<BatchItem>& items, const Batch& batch,
                             const Manifest& manifest) {
  std::vector<Task> tasks;
  for (const BatchItem& item : items) {
    Task task{item, new_line(item, batch)};
    const ManifestLine* before = manifest.find(task.line.output);
    task.had = is_same(task.line, before) && !before->files.empty();
    task.unproved = is_same(task.line, before) && before->files.empty();
    task.own_folder = !batch.proof.empty() && !path_exists(item.output);
    // The manifest names files that this batch made, and it makes no links.
    task.replace = batch.force || (before && before->state != "foreign" && !has_link(item, batch));
    if (task.had) {
      task.line.warnings = before->warnings;
      task.line.files = before->files;
      task.line.seconds = before->seconds;
    }
    tasks.push_back(std::move(task));
  }
  run_at_once(static_cast<int>(tasks.size()), batch.at_once, [&](int i) {
    Task& task = tasks[static_cast<std::size_t>(i)];
    if (task.had) task.changed = difference_from(task.line.files, task.item, batch);
    task.had = task.had && task.changed.empty();
  });
  return tasks;
}

std::vector<std::string> notes_of(const std::vector<Task>& tasks, const std::string& manifest) {
  std::vector<std::string> notes;
  for (const Task& task : tasks)
    if (!task.changed.empty()) notes.push_back("made again: " + task.changed);
  if (const auto count = std::ranges::count(tasks, true, &Task::unproved))
    notes.push_back(
        fmt::format("made again: {} outputs whose lines in {} are of an earlier version "
                    "and have no digests",
                    count, manifest));
  return notes;
}

// Outputs are in the manifest before they exist: if the process is killed between an output and its
// line, the next run may replace that output.
void note_plans(const std::vector<Task>& tasks, const Batch& batch, Manifest& manifest) {
  std::vector<ManifestLine> lines;
  for (const Task& task : tasks)
    if (!task.had && !manifest.find(task.line.output) && !is_taken(task.item, batch))
      lines.push_back(task.line);
  manifest.append(lines);
}

void fail(BatchFile& file, ErrorKind kind, const std::string& sentence) {
  file.state = "failed";
  file.kind = kind;
  file.error = sentence;
}

BatchFile work_on(Task& task, const Batch& batch, const BatchWork& work, const Progress& progress) {
  BatchFile file{task.item.input, task.item.output, "done"};
  try {
    const Stopwatch watch(file.seconds);
    const UnsharedRun by_this_process;
    task.line.files.clear();
    file.warnings = work(task.item, task.replace, progress);
    task.line.files = made_files(task.item, batch);
  } catch (const Error& error) {
    fail(file, error.kind(), error.what());
  } catch (const Stopped&) {
    throw;  // the whole batch is, not this file
  } catch (...) {
    const Error error = current_failure();
    fail(file, error.kind(), task.item.input + ": " + error.what());
  }
  return file;
}

void note_outcome(Task& task, const BatchFile& file, const Batch& batch, Manifest& manifest) {
  task.line.seconds = file.seconds;
  task.line.state = file.state == "done" ? "ok" : "failed";
  task.line.warnings = file.warnings;
  if (file.state == "failed") {
    // An output that is not ours is recorded, or the next run would replace it.
    if (!task.replace && !task.own_folder && is_taken(task.item, batch))
      task.line.state = "foreign";
    task.line.kind = name_of_kind(file.kind);
    task.line.error = file.error;
  }
  manifest.append({task.line});
}

// One bar over files that are processed at the same time.
class BatchProgress {
 public:
  BatchProgress(std::size_t files, const Progress& progress) : progress_(progress), at_(files) {}
  Progress of(std::size_t file) {
    if (!progress_) return {};
    return [this, file](long long done, long long all) {
      advance(at_[file], all > 0 ? kProgressSteps * done / all : 0);
    };
  }

 private:
  void advance(long long& at, long long steps) {
    const std::lock_guard lock(mutex_);
    const long long more = std::max(0LL, steps - at);  // a second pass over a file starts at 0
    at += more;
    done_ += more;
    progress_(done_, kProgressSteps * static_cast<long long>(at_.size()));
  }

  const Progress& progress_;
  std::mutex mutex_;
  std::vector<long long> at_;
  long long done_ = 0;
};

/// Which of the tasks are to be done, and how, for ranks that do not have the manifest.
std::string flags_of(const std::vector<Task>& tasks) {
  std::string flags;
  for (const Task& task : tasks)
    flags += static_cast<char>('0' + (task.had ? 1 : 0) + (task.replace ? 2 : 0) +
                               (task.own_folder ? 4 : 0));
  return flags;
}

std::vector<Task> flagged_tasks(const std::vector<BatchItem>& items, const Batch& batch,
                                const std::string& flags) {
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const int flag = flags.at(i) - '0';
    Task task{items[i], new_line(items[i], batch)};
    task.had = (flag & 1) != 0, task.replace = (flag & 2) != 0, task.own_folder = (flag & 4) != 0;
    tasks.push_back(std::move(task));
  }
  return tasks;
}

/// Rank 0 replaces files of the folder soon: all have listed the inputs before, and the same ones.
std::vector<BatchItem> items_of_ranks(const Batch& batch) {
  std::vector<BatchItem> items = batch_items(batch);
  if (ranks().count() == 1) return items;
  std::string list;
  for (const BatchItem& item : items)
    list += fmt::format("{} {};", item.input, stamp_of(item.input).bytes);
  check_same_list(batch.input, std::ssize(items), list);
  return items;
}

/// The outcome of a file, for rank 0, which has the manifest.
std::string outcome_text(std::size_t index, const BatchFile& file, const Task& task) {
  Json files = Json::array();
  for (const MadeFile& made : task.line.files)
    files.push_back({made.name, made.bytes, made.digest});
  const Json json{{"index", index},
                  {"state", file.state},
                  {"seconds", file.seconds},
                  {"error", file.error},
                  {"kind", static_cast<int>(file.kind)},
                  {"warnings", file.warnings},
                  {"files", files}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

BatchFile parse_outcome(const Json& json, Task& task) {
  BatchFile file{task.item.input, task.item.output, json.at("state").get<std::string>()};
  file.seconds = json.at("seconds").get<double>();
  file.error = json.at("error").get<std::string>();
  file.kind = ErrorKind{json.at("kind").get<int>()};
  file.warnings = json.at("warnings").get<std::vector<std::string>>();
  task.line.files.clear();
  for (const Json& made : json.at("files"))
    task.line.files.push_back({made.at(0).get<std::string>(), made.at(1).get<long long>(),
                               made.at(2).get<std::string>()});
  return file;
}

class BatchRun {
 public:
  BatchRun(const Batch& batch, const BatchWork& work, const Progress& progress)
      : batch_(batch),
        items_(items_of_ranks(batch)),
        work_(work),
        ranks_(ranks()),
        tasks_(planned_tasks()),
        progress_(tasks_.size(), progress) {
    result_.folder = batch.folder;
    result_.files.resize(tasks_.size());
    const auto to_do = std::ranges::count(tasks_, false, &Task::had);
    at_once_ = static_cast<int>(std::min<long long>(batch.at_once, to_do));
    for (Task& task : tasks_) task.item.sharers = std::max(1, at_once_);
  }

  BatchResult run() {
    {
      const Stopwatch watch(result_.seconds);
      const int at_once = std::max(1, at_once_);
      ranks_.begin_units();
      run_at_once(at_once, at_once, [this](int) {
        for (std::size_t i; (i = next_file()) < tasks_.size();) work_on_file(i);
      });
      for (const std::size_t file : again_) {
        tasks_[file].item.sharers = 1;
        tasks_[file].replace |= tasks_[file].own_folder;  // what the first try left is ours
        work_on_file(file);
      }
      while (ranks_.first() && outcomes_ < tasks_.size()) {
        take_outcomes();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      ranks_.end_units();
    }
    for (const BatchFile& file : result_.files)
      ++(file.state == "had" ? result_.had : file.state == "done" ? result_.done : result_.failed);
    return std::move(result_);
  }

 private:
  // Rank 0 has the manifest, and tells the others what is in it.
  std::vector<Task> planned_tasks() {
    std::vector<Task> tasks;
    const std::string flags = told_by_first([&] {
      manifest_.emplace(made_folder(batch_.folder));
      tasks = plan_tasks(items_, batch_, *manifest_);
      note_plans(tasks, batch_, *manifest_);
      result_.manifest = manifest_->path();
      result_.notes = notes_of(tasks, manifest_->path());
      return flags_of(tasks);
    });
    return manifest_ ? std::move(tasks) : flagged_tasks(items_, batch_, flags);
  }

  std::size_t next_file() {
    const std::lock_guard lock(mutex_);
    return static_cast<std::size_t>(ranks_.next_unit());
  }

  // Called with the lock, or by the only thread.
  void take_outcomes() {
    while (const auto text = ranks_.received()) {
      const Json json = Json::parse(*text);
      const auto index = json.at("index").get<std::size_t>();
      finish_file(index, parse_outcome(json, tasks_[index]));
    }
  }

  void finish_file(std::size_t index, BatchFile file) {
    if (!tasks_[index].had) note_outcome(tasks_[index], file, batch_, *manifest_);
    result_.files[index] = std::move(file);
    ++outcomes_;
    if (const Progress progress = progress_.of(index)) progress(1, 1);
  }

  void work_on_file(std::size_t index) {
    Task& task = tasks_[index];
    BatchFile file{task.item.input, task.item.output, "had"};
    if (task.had) {
      file.warnings = task.line.warnings;
      file.seconds = task.line.seconds;
    } else {
      file = work_on(task, batch_, work_, progress_.of(index));
      ++ranks_.units_done;
    }
    const std::lock_guard lock(mutex_);
    const bool short_of_memory = file.state == "failed" && file.kind == ErrorKind::resources;
    if (short_of_memory && task.item.sharers > 1) return again_.push_back(index);
    if (!ranks_.first()) return ranks_.post(outcome_text(index, file, task));
    finish_file(index, std::move(file));
    take_outcomes();
  }

  const Batch& batch_;
  const std::vector<BatchItem> items_;
  const BatchWork& work_;
  Ranks& ranks_;
  std::optional<Manifest> manifest_;  ///< of rank 0
  BatchResult result_;
  std::vector<Task> tasks_;
  BatchProgress progress_;
  int at_once_ = 1;
  std::size_t outcomes_ = 0;        // known to rank 0
  std::mutex mutex_;                // for ranks_, the manifest, outcomes_ and again_
  std::vector<std::size_t> again_;  // alone, when the others are done
};

}  // namespace

bool is_batch(const std::string& output, const BatchOptions& options) {
  std::error_code ignored;
  if (output.ends_with('/') || fs::is_directory(output, ignored)) return true;
  const char* only = !options.to.empty() ? "--to" : options.files_at_once ? "--files-at-once" : "";
  if (*only == '\0') return false;
  throw Error(
      ErrorKind::usage,
      fmt::format("{} needs an output folder; '{}' is not one: end it with /", only, output));
}

std::string batch_parameters(const std::string& operation, const std::vector<std::string>& changed,
                             const std::vector<std::string>& files) {
  std::string text = operation + " " TESSERA_VERSION;
  for (const std::string& options : changed)
    if (const std::string given = without_device(options); !given.empty()) text += " " + given;
  for (const std::string& file : files) {
    text += " " + file;
    if (const FileStamp stamp = stamp_of(file); stamp.bytes >= 0)
      text += fmt::format("({} bytes, {} ns)", stamp.bytes, stamp.modified_ns);
  }
  return text;
}

int files_at_once(const BatchOptions& options, const RunSettings& settings) {
  check_ranges("", options);
  if (!options.files_at_once) return settings.stream(kHost).threads();
  return std::max(1, *options.files_at_once / settings.lanes.all);
}

BatchResult run_batch(const Batch& batch, const BatchWork& work, const Progress& progress) {
  return BatchRun(batch, work, progress).run();
}

}  // namespace tessera
