// SPDX-License-Identifier: Apache-2.0
/// Many files through one job, with a manifest of what is done: a batch that was interrupted in any
/// way continues where it stopped (docs/robustness.md).
///
///     ConvertJob job{.input = "scans", .output = "out/"};
///     BatchResult result = run_each("convert", job, {.to = ".npy"});
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "jobs/progress.hpp"
#include "jobs/settings.hpp"
#include "tessera/error.hpp"
#include "tessera/options.hpp"

namespace tessera {

struct BatchOptions {
  std::string to;
  std::optional<int> files_at_once;

  static constexpr auto fields() {
    using O = BatchOptions;
    return std::tuple{
        field("to", &O::to,
              "ending of the files in an output folder, such as .npy; default: the input's"),
        field("files-at-once", &O::files_at_once,
              "files of a batch processed at the same time, sharing threads and memory; auto: one "
              "per thread",
              Range{1})};
  }
};

/// The outcome of one input.
struct BatchFile {
  std::string input, output;
  std::string state;  ///< "done", "had" (from an earlier run) or "failed"
  double seconds = 0;
  std::string error;  ///< one sentence
  ErrorKind kind = ErrorKind::failure;
  std::vector<std::string> warnings;

  static constexpr auto fields() {
    using F = BatchFile;
    return std::tuple{
        field("input", &F::input, "the file read"),
        field("output", &F::output,
              "the file or folder written, or the prefix of the files written"),
        field("state", &F::state, "done, had (from an earlier run) or failed"),
        field("seconds", &F::seconds, "how long it took, in this run or the earlier one"),
        field("error", &F::error, "the reason of a failure"),
        field("warnings", &F::warnings, "parts that were missing and filled")};
  }
};

struct BatchResult {
  std::string folder, manifest;
  int done = 0, had = 0, failed = 0;
  double seconds = 0;
  std::vector<BatchFile> files;
  std::vector<std::string> tables;  ///< over all inputs, one row for each
  std::vector<std::string> notes;

  static constexpr auto fields() {
    using R = BatchResult;
    return std::tuple{
        field("folder", &R::folder, "where the outputs are"),
        field("manifest", &R::manifest, "the manifest of finished files, one line per file"),
        field("done", &R::done, "files made by this run"),
        field("had", &R::had, "files an earlier run made"),
        field("failed", &R::failed, "files that could not be made"),
        field("seconds", &R::seconds, "whole duration"),
        field("files", &R::files, "every input"),
        field("tables", &R::tables, "tables over all inputs, one row for each"),
        field("notes", &R::notes,
              "outputs of an earlier run that were made again, and why; the first note of a file")};
  }
  std::string describe() const;
  /// One sentence per failed file and per warning.
  std::vector<std::string> complaints() const;
  /// 0; 4 if some failed or were filled; if all failed, their common exit code, else 1.
  int exit_code() const;
};

/// One input and what it becomes.
struct BatchItem {
  std::string input, output;
  int sharers = 1;  ///< files at the same time; each gets an equal share of threads and memory
};

/// The batch to run.
struct Batch {
  std::string input;   ///< a file, a folder, or a pattern of glob(3)
  std::string folder;  ///< of the outputs; made when it is missing and ends in '/'
  std::string to;      ///< ending of the outputs; empty: the input's
  std::string
      parameters;      ///< everything that decides a result: if it differs, files are made again
  bool force = false;  ///< replace outputs that this folder's manifest does not know
  int at_once = 1;     ///< files processed at the same time
  /// If outputs are folders, named without the input's ending: the file in each that is made last.
  std::string proof = {};
  /// For inputs that make several files: the name that represents them in the folder, and all their
  /// paths, or no paths if the input cannot be read.
  std::function<std::string(const std::string& input)> name = {};
  std::function<std::vector<std::string>(const BatchItem& item)> files = {};
};

/// Makes one output; `replace` if it may exist already. Returns its warnings. Several threads call
/// it, each for a different item.
using BatchWork = std::function<std::vector<std::string>(const BatchItem& item, bool replace,
                                                         const Progress& progress)>;

/// Whether an output is a folder: one that exists, or a name that ends in '/'. Throws Error(usage)
/// if options of a batch are given without one.
bool is_batch(const std::string& output, const BatchOptions& options);

/// Files at the same time in this lane: its share of those asked for, by default one per thread.
/// Throws Error(usage) for less than one.
int files_at_once(const BatchOptions& options, const RunSettings& settings);

/// A file for which its share of the memory was too small is tried again when the others are done,
/// alone and with all of it. `progress` is called by one thread at a time. Throws Error before
/// anything is made: usage for outputs that clash or an ending of no format, input if nothing
/// matches, resources while another batch works in the folder.
BatchResult run_batch(const Batch& batch, const BatchWork& work, const Progress& progress = {});

/// "convert 1.2.0 type=u8 …", the same text for the same results. `files` that exist count with
/// their size and time.
std::string batch_parameters(const std::string& operation, const std::vector<std::string>& changed,
                             const std::vector<std::string>& files);

/// Adds the first of the notes of all files, and the number of the others.
void add_first_note(std::vector<std::string> notes, BatchResult& result);

/// A batch of any job with input, output, options, reading, writing and settings. `files` are read
/// besides the input, such as a filter.
template <class Job>
BatchResult run_each(const std::string& operation, const Job& job, const BatchOptions& options,
                     const std::vector<std::string>& files = {}, const Progress& progress = {}) {
  auto writing = job.writing;
  writing.force = false;  // changes no result
  const std::vector<std::string> changed{changed_options(job.options), changed_options(job.reading),
                                         changed_options(writing)};
  std::vector<std::string> notes;
  std::mutex notes_mutex;
  const auto work = [&](const BatchItem& item, bool replace, const Progress& inner) {
    Job one = job;
    one.input = item.input;
    one.output = item.output;
    one.writing.force = replace;
    one.settings.sharers = item.sharers;
    const auto made = one.run(inner);
    if constexpr (requires { made.notes; }) {
      const std::lock_guard lock(notes_mutex);
      notes.insert(notes.end(), made.notes.begin(), made.notes.end());
    }
    return made.warnings;
  };
  BatchResult result =
      run_batch({job.input, job.output, options.to, batch_parameters(operation, changed, files),
                 job.writing.force, files_at_once(options, job.settings)},
                work, progress);
  add_first_note(std::move(notes), result);
  return result;
}

}  // namespace tessera
