// SPDX-License-Identifier: Apache-2.0
/// `tessera tune`: a search from settings to a table on disk.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tessera/options.hpp"
#include "tune/operations.hpp"

namespace tessera {

struct TuneSettings {
  std::string operation = "auto";
  Backend backend = Backend::automatic;
  int device = 0;
  Type type = Type::f32;
  std::string sizes = "all";
  bool full = false, again = false;
  double budget = 0;
  std::string output;

  static constexpr auto fields() {
    using S = TuneSettings;
    return std::tuple{
        field("op", &S::operation,
              "the operation; auto: convolve, or with check alone every operation"),
        field("backend", &S::backend, "what to tune; auto is cuda where there is a device"),
        field("device", &S::device, "which GPU, counted from 0"),
        field("type", &S::type, "type of the image"),
        field("sizes", &S::sizes, "the sizes to tune, as the operation writes them (see below)"),
        field("full", &S::full, "try every candidate at every size; takes hours"),
        field("budget", &S::budget,
              "seconds to measure for; the rest is interpolated. 0 is 100 on the CPU, 400 on a "
              "GPU, without limit with the option full, 300 for a check of every operation"),
        field("again", &S::again, "measure everything again, do not continue a stopped run"),
        field("output", &S::output, "write this table, not the one in the cache folder"),
    };
  }

  /// The operation to tune.
  std::string tuned_operation() const { return operation == "auto" ? "convolve" : operation; }
  /// `automatic` resolved; throws Error(usage) for a device that does not exist.
  Backend resolved_backend() const;
  TuneRequest request() const;
};

struct TuneReport {
  std::string table, machine, installed;
  int lines = 0, tasks = 0, resumed = 0, measured = 0, interpolated = 0;
  int candidates = 0, failed = 0, wrong = 0;
  bool ran_out = false;
  double seconds = 0;
  std::vector<std::string> notes;

  static constexpr auto fields() {
    using R = TuneReport;
    return std::tuple{
        field("table", &R::table, "the table that was written"),
        field("machine", &R::machine, "what it is for"),
        field("installed", &R::installed, "the table of the project it was added to"),
        field("lines", &R::lines, "its number of lines"),
        field("tasks", &R::tasks, "methods times sizes"),
        field("resumed", &R::resumed, "of them measured by a run that was stopped"),
        field("measured", &R::measured, "of them measured now"),
        field("interpolated", &R::interpolated, "of them filled in from neighbours"),
        field("candidates", &R::candidates, "candidates tried"),
        field("failed", &R::failed, "of them could not be made or run"),
        field("wrong", &R::wrong, "of them gave wrong results"),
        field("ran_out", &R::ran_out, "whether the budget was too small for some tasks"),
        field("seconds", &R::seconds, "seconds it took"),
        field("notes", &R::notes, "what failed or was wrong, the first twenty"),
    };
  }
  std::string describe() const;
};

/// Searches and merges the results into the table, which is made again if it is damaged.
TuneReport tune(const TuneSettings& settings, const std::function<void(const SearchStep&)>& step);

/// Copies the lines of a table into FOLDER/<machine>.tsv, the tables shipped with the project;
/// returns that path. Throws Error(usage) if there is no such folder.
std::string install_table(const std::string& table, const std::string& folder);

/// CACHE/tuning/<machine>.tsv; empty without a cache folder.
std::string user_table(const std::string& machine);

}  // namespace tessera
