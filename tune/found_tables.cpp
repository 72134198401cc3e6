// SPDX-License-Identifier: Apache-2.0
#include "tune/found_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <functional>

#include "core/embedded.hpp"
#include "core/folder.hpp"
#include "core/forget_plans.hpp"
#include "core/kernel.hpp"
#include "core/machine.hpp"
#include "core/regular_file.hpp"
#include "core/sealed_file.hpp"
#include "tessera/error.hpp"
#include "tune/sites.hpp"
#include "tune/table_index.hpp"

namespace tessera {
namespace {

struct Tables {
  std::vector<TableIndex> user, shipped;
  std::vector<FoundTable> found;
  std::size_t user_tables = 0;  ///< the first ones of `found`
};

bool contains(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

void check_knobs(const TuningLine& line, const TunedSite& site, const std::string& name) {
  for (const auto& named : line.knobs.values) {
    const std::string& knob = named.first;  // clang 14 cannot capture a structured binding
    const int value = named.second;
    const auto range = std::find_if(site.knobs.begin(), site.knobs.end(),
                                    [&](const KnobRange& r) { return r.name == knob; });
    if (range == site.knobs.end())
      throw Error(ErrorKind::input, fmt::format("{}: {} has no knob {}", name, site.name, knob));
    if (value < range->least || value > range->most)
      throw Error(ErrorKind::input, fmt::format("{}: {} has {}={}; it can be {} to {}", name,
                                                site.name, knob, value, range->least, range->most));
  }
}

/// Decides line by line whether a line fits.
class Fit {
 public:
  Fit(const std::string& name, const std::vector<std::string>& machines)
      : name_(name), machines_(machines) {}

  /// Throws Error(input) for a knob that its site does not allow.
  bool takes(const TuningLine& line) {
    ++all_;
    if (!site_ || site_->name != line.site) site_ = find_site(line.site);
    const bool here = contains(machines_, line.machine);
    if (!here)
      foreign_ = fmt::format("made for {}; this machine is {}", line.machine,
                             fmt::join(machines_, " and "));
    else if (!site_)
      stale_ = fmt::format("made for {}; {}", line.site, why_no_site(line.site));
    else
      check_knobs(line, *site_, name_);
    const bool fits = here && site_;
    taken_ += fits;
    return fits;
  }
  int taken() const { return taken_; }
  std::string problem() const {
    if (taken_ == all_) return "";
    return fmt::format("{} of its {} lines are {}", all_ - taken_, all_,
                       stale_.empty() ? foreign_ : stale_);
  }

 private:
  const std::string& name_;
  const std::vector<std::string>& machines_;
  const TunedSite* site_ = nullptr;
  int all_ = 0, taken_ = 0;
  std::string foreign_, stale_;
};

/// A table's lines that fit; a damaged one has none. `text` may throw, too.
void add_table(Tables& tables, std::vector<TableIndex>& to, const std::string& name,
               const std::function<std::string()>& text, const std::vector<std::string>& machines) {
  FoundTable& found = tables.found.emplace_back(FoundTable{name, 0, ""});
  try {
    Fit fit(found.name, machines);
    TableIndex index;
    each_line(text(), name, [&](TuningLine&& line) {
      if (fit.takes(line)) index.add(line);
    });
    found.lines = fit.taken();
    found.problem = fit.problem();
    to.push_back(std::move(index));
  } catch (const Error& error) {
    found.problem = error.what();
  }
}

void add_user_tables(Tables& tables, const std::vector<std::string>& machines) {
  const std::string cache = cache_folder(), folder = cache + "/tuning";
  std::vector<std::string> names;
  if (!cache.empty()) names = names_in(folder);
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    const std::string path = joined(folder, name);
    if (name.ends_with(".tsv"))
      add_table(
          tables, tables.user, path, [&] { return read_own(path).value_or(""); }, machines);
  }
  tables.user_tables = tables.found.size();
}

// A shipped table is named after its machine; the others are not even read.
void add_shipped_tables(Tables& tables, const std::vector<std::string>& machines) {
  for (const EmbeddedText& table : embedded_tuning_tables())
    if (const std::string name(table.name); contains(machines, name))
      add_table(
          tables, tables.shipped, name + " (shipped)", [&] { return std::string(table.text); },
          machines);
}

std::atomic<bool> loaded{false}, only_shipped{false};

const Tables& tables() {
  static const Tables all = [] {
    Tables fresh;
    const std::vector<std::string> machines = table_names_of_this_machine();
    if (!only_shipped) add_user_tables(fresh, machines);
    add_shipped_tables(fresh, machines);
    loaded = true;
    return fresh;
  }();
  return all;
}

struct ForcedKnobs {
  std::string site;
  Knobs knobs;
};
thread_local std::vector<ForcedKnobs> forced_knobs;

// Empty if all are used, or if nothing has asked for tables yet.
std::string ignored_tables_warning() {
  if (!loaded) return "";
  int count = 0;
  std::string first;
  for (std::size_t i = 0; i < tables().user_tables; ++i) {
    const FoundTable& table = tables().found[i];
    if (table.problem.empty()) continue;
    const bool named = table.problem.starts_with(table.name);
    if (++count == 1) first = named ? table.problem : table.name + ": " + table.problem;
  }
  if (count == 0) return "";
  return fmt::format("tuning table ignored: {}{}; tessera tune makes it again", first,
                     count == 1 ? "" : fmt::format(" (and {} more, see tessera info)", count - 1));
}

}  // namespace

std::vector<std::string> table_names_of_this_machine() {
  std::vector<std::string> names{cpu_table_name()};
  for (const DeviceInfo& device : this_machine().devices) names.push_back(table_name(device.name));
  return names;
}

std::vector<TuningLine> fitting_lines(std::vector<TuningLine> lines, const std::string& name,
                                      const std::vector<std::string>& machines,
                                      std::string& problem) {
  Fit fit(name, machines);
  std::vector<TuningLine> kept;
  for (TuningLine& line : lines)
    if (fit.takes(line)) kept.push_back(std::move(line));
  problem = fit.problem();
  return kept;
}

const std::vector<FoundTable>& found_tables() { return tables().found; }

void leave_out_user_tables() { only_shipped = true; }

std::vector<std::string> ignored_cache_warnings() {
  std::vector<std::string> warnings{ignored_tables_warning(), ignored_sealed_note()};
  std::erase(warnings, "");
  return warnings;
}

Knobs find_knobs(const std::string& site, const ProblemKey& problem, const std::string& machine) {
  for (auto forced = forced_knobs.rbegin(); forced != forced_knobs.rend(); ++forced)
    if (forced->site == site) return forced->knobs;
  for (const auto* own : {&tables().user, &tables().shipped})
    for (const TableIndex& table : *own)
      if (Knobs knobs = table.nearest(machine, site, problem); !knobs.empty()) return knobs;
  return {};
}

std::optional<double> find_interpolated(const std::string& site, const ProblemKey& problem,
                                        const std::string& machine, const std::string& knob) {
  for (const auto* own : {&tables().user, &tables().shipped})
    for (const TableIndex& table : *own)
      if (const auto value = table.interpolated(machine, site, problem, knob)) return value;
  return {};
}

ScopedKnobs::ScopedKnobs(const std::string& site, const Knobs& knobs) {
  forced_knobs.push_back({site, knobs});
  forced_knobs.back().knobs.exact = true;
  forget_kept_plans();
}
ScopedKnobs::~ScopedKnobs() {
  forced_knobs.pop_back();
  forget_kept_plans();
}

}  // namespace tessera
