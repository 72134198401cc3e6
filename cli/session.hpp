// SPDX-License-Identifier: Apache-2.0
/// Where a command reports what ran: text or JSON on standard output, progress on standard error.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/progress_bar.hpp"
#include "jobs/launch.hpp"
#include "jobs/progress.hpp"
#include "jobs/result.hpp"

namespace tessera {

/// The result of a command that another command called (Program::call).
struct Reply {
  std::string text;
  std::vector<std::string> complaints;
  Progress progress;  ///< receives the progress
};

struct Session {
  std::string label;  ///< the command's name, before the progress bar
  bool json = false, quiet = false;
  bool stdout_is_data = false;  ///< the output file is "-"
  MpiChoice mpi;                ///< --mpi
  bool allow_mixed = false;     ///< --allow-mixed
  bool on_all_ranks = false;    ///< all of them run the command's action
  std::vector<int> lanes;       ///< devices that share the action; empty: it has at most one
  Reply* reply = nullptr;       ///< receives everything that would be printed

  Progress progress();
  /// The same for work that is counted: "track 120 of 300 frames, 61.2 frames/s".
  Progress progress_in(const std::string& unit);
  /// The same with its own words after the label.
  using ProgressWords = std::function<std::string(long long done, long long all, double seconds)>;
  Progress progress_as(ProgressWords words);
  /// A line while the work goes on; nothing if the result is JSON.
  void tell(const std::string& line);
  /// The result in one or two lines, or as JSON.
  template <class Result>
  void say(const Result& result) {
    print(json ? json_text(result) : result.describe());
    if constexpr (requires { result.warnings; }) warn(result.warnings);
    if constexpr (requires { result.exit_code(); }) {
      complain(result.complaints());
      code = result.exit_code();
    }
  }

  /// The exit code: 4 after a warning that the result is partial, or the exit code of a batch.
  int code = 0;

 private:
  void print(std::string text);
  void complain(const std::vector<std::string>& sentences);
  void warn(const std::vector<std::string>& sentences);

  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::shared_ptr<ProgressBar> bar_;
};

}  // namespace tessera
