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
#include "jobs/batch_tasks.hpp"
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

void fail(BatchFile& file, ErrorKind kind, const std::string& sentence) {
  file.state = "failed";
  file.kind = kind;
  file.error = sentence;
}

BatchFile work_on(BatchTask& task, const Batch& batch, const BatchWork& work,
                  const Progress& progress) {
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

void note_outcome(BatchTask& task, const BatchFile& file, const Batch& batch, Manifest& manifest) {
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
    const auto to_do = std::ranges::count(tasks_, false, &BatchTask::had);
    at_once_ = static_cast<int>(std::min<long long>(batch.at_once, to_do));
    for (BatchTask& task : tasks_) task.item.sharers = std::max(1, at_once_);
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
    if (is_part()) keep_own_files();
    for (const BatchFile& file : result_.files)
      ++(file.state == "had" ? result_.had : file.state == "done" ? result_.done : result_.failed);
    return std::move(result_);
  }

 private:
  void keep_own_files() {
    std::vector<BatchFile> own;
    for (std::size_t i = 0; i < result_.files.size(); ++i)
      if (is_own(i)) own.push_back(std::move(result_.files[i]));
    result_.files = std::move(own);
  }

  // Rank 0 has the manifest, and tells the others what is in it.
  std::vector<BatchTask> planned_tasks() {
    std::vector<BatchTask> tasks;
    const std::string flags = told_by_first([&] {
      manifest_.emplace(made_folder(batch_.folder), manifest_name());
      tasks = plan_tasks(items_, batch_, *manifest_);
      for (std::size_t i = 0; i < tasks.size(); ++i) tasks[i].had = tasks[i].had || !is_own(i);
      note_plans(tasks, batch_, *manifest_);
      result_.manifest = manifest_->path();
      result_.notes = notes_of(tasks, manifest_->path());
      return flags_of(tasks);
    });
    return manifest_ ? std::move(tasks) : flagged_tasks(items_, batch_, flags);
  }

  // A part has its own, so that parts run at the same time; join writes the one of the batch.
  std::string manifest_name() {
    if (!is_part()) return kManifestName;
    return fmt::format("tessera-batch.part-{}-of-{}.jsonl", ranks_.rank(), ranks_.count() - 1);
  }
  bool is_own(std::size_t index) {
    const auto parts = static_cast<std::size_t>(ranks_.count() - 1);
    return !is_part() || index % parts + 1 == static_cast<std::size_t>(ranks_.rank());
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
      BatchFile file = parse_outcome(json, tasks_[index]);
      if (ranks_.apart() && file.state != "failed") check_file(tasks_[index], file);
      finish_file(index, std::move(file));
    }
  }

  // Parts are joined later: their files may have been damaged or removed since.
  void check_file(const BatchTask& task, BatchFile& file) const {
    const std::string what = difference_from(task.line.files, task.item, batch_);
    if (!what.empty()) fail(file, ErrorKind::input, what + "; make its part again");
  }

  void finish_file(std::size_t index, BatchFile file) {
    if (!tasks_[index].had) note_outcome(tasks_[index], file, batch_, *manifest_);
    result_.files[index] = std::move(file);
    ++outcomes_;
    if (const Progress progress = progress_.of(index)) progress(1, 1);
  }

  void work_on_file(std::size_t index) {
    BatchTask& task = tasks_[index];
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
    if (!ranks_.first()) ranks_.post(outcome_text(index, file, task));
    if (!manifest_) return;
    finish_file(index, std::move(file));
    take_outcomes();
  }

  const Batch& batch_;
  const std::vector<BatchItem> items_;
  const BatchWork& work_;
  Ranks& ranks_;
  std::optional<Manifest> manifest_;  ///< of rank 0, and of a part
  BatchResult result_;
  std::vector<BatchTask> tasks_;
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
