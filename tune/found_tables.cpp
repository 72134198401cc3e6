// SPDX-License-Identifier: Apache-2.0
#include "tune/found_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>
#include <sstream>

#include "core/embedded.hpp"
#include "core/folder.hpp"
#include "core/kernel.hpp"
#include "core/machine.hpp"
#include "tessera/error.hpp"
#include "tune/sites.hpp"
#include "tune/table_index.hpp"

namespace tessera {
namespace {

struct Tables {
  TableIndex user, shipped;
  std::vector<FoundTable> found;
  std::size_t user_tables = 0;  ///< the first ones of `found`
};

bool contains(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

void add_lines(std::vector<TuningLine>& to, FoundTable& found, std::string_view text,
               const std::vector<std::string>& machines) {
  try {
    auto lines = fitting_lines(parse_table(text, found.name), found.name, machines, found.problem);
    found.lines = static_cast<int>(lines.size());
    to.insert(to.end(), std::make_move_iterator(lines.begin()),
              std::make_move_iterator(lines.end()));
  } catch (const Error& error) {
    found.problem = error.what();
  }
}

std::string file_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void add_user_tables(Tables& tables, const std::vector<std::string>& machines) {
  const std::string cache = cache_folder(), folder = cache + "/tuning";
  std::vector<std::string> names;
  if (!cache.empty()) names = names_in(folder);
  std::sort(names.begin(), names.end());
  std::vector<TuningLine> lines;
  for (const std::string& name : names) {
    if (!name.ends_with(".tsv")) continue;
    tables.found.push_back({joined(folder, name), 0, ""});
    add_lines(lines, tables.found.back(), file_text(joined(folder, name)), machines);
  }
  tables.user = TableIndex(std::move(lines));
  tables.user_tables = tables.found.size();
}

// A shipped table is named for its machine; the others are not even read.
void add_shipped_tables(Tables& tables, const std::vector<std::string>& machines) {
  std::vector<TuningLine> lines;
  for (const EmbeddedText& table : embedded_tuning_tables()) {
    if (!contains(machines, std::string(table.name))) continue;
    tables.found.push_back({std::string(table.name) + " (shipped)", 0, ""});
    add_lines(lines, tables.found.back(), table.text, machines);
  }
  tables.shipped = TableIndex(std::move(lines));
}

std::atomic<bool> loaded{false};

const Tables& tables() {
  static const Tables all = [] {
    Tables fresh;
    const std::vector<std::string> machines = table_names_of_this_machine();
    add_user_tables(fresh, machines);
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

void check_knobs(const TuningLine& line, const TunedSite& site, const std::string& name) {
  for (const auto& [knob, value] : line.knobs.values) {
    const auto range = std::find_if(site.knobs.begin(), site.knobs.end(),
                                    [&](const KnobRange& r) { return r.name == knob; });
    if (range == site.knobs.end())
      throw Error(ErrorKind::input, fmt::format("{}: {} has no knob {}", name, site.name, knob));
    if (value < range->least || value > range->most)
      throw Error(ErrorKind::input, fmt::format("{}: {} has {}={}; it can be {} to {}", name,
                                                site.name, knob, value, range->least, range->most));
  }
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
  std::vector<TuningLine> kept;
  std::string foreign, stale;
  const TunedSite* site = nullptr;
  for (TuningLine& line : lines) {
    if (!site || site->name != line.site) site = find_site(line.site);
    if (!contains(machines, line.machine)) {
      foreign = fmt::format("made for {}; this machine is {}", line.machine,
                            fmt::join(machines, " and "));
    } else if (!site) {
      stale = fmt::format("made for {}; {}", line.site, why_no_site(line.site));
    } else {
      check_knobs(line, *site, name);
      kept.push_back(std::move(line));
    }
  }
  if (kept.size() < lines.size())
    problem = fmt::format("{} of its {} lines are {}", lines.size() - kept.size(), lines.size(),
                          stale.empty() ? foreign : stale);
  return kept;
}

const std::vector<FoundTable>& found_tables() { return tables().found; }

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
  return fmt::format("tuning table ignored: {}{}; tessera tune makes it anew", first,
                     count == 1 ? "" : fmt::format(" (and {} more, see tessera info)", count - 1));
}

Knobs find_knobs(const std::string& site, const ProblemKey& problem, const std::string& machine) {
  for (auto forced = forced_knobs.rbegin(); forced != forced_knobs.rend(); ++forced)
    if (forced->site == site) return forced->knobs;
  Knobs knobs = tables().user.nearest(machine, site, problem);
  return knobs.empty() ? tables().shipped.nearest(machine, site, problem) : knobs;
}

std::optional<double> find_interpolated(const std::string& site, const ProblemKey& problem,
                                        const std::string& machine, const std::string& knob) {
  const auto own = tables().user.interpolated(machine, site, problem, knob);
  return own ? own : tables().shipped.interpolated(machine, site, problem, knob);
}

ScopedKnobs::ScopedKnobs(const std::string& site, const Knobs& knobs) {
  forced_knobs.push_back({site, knobs});
}
ScopedKnobs::~ScopedKnobs() { forced_knobs.pop_back(); }

}  // namespace tessera
