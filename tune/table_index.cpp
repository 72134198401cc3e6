// SPDX-License-Identifier: Apache-2.0
#include "tune/table_index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tune/log_plane.hpp"

namespace tessera {
namespace {

void put_group_name(std::string& name, const std::string& machine, const std::string& site,
                    const ProblemKey& problem) {
  name.clear();
  name.append(machine).append(" ").append(site);
  for (const auto& [key, word] : problem.words)
    name.append(" ").append(key).append("=").append(word);
  for (const auto& [key, number] : problem.numbers) name.append(" ").append(key);
}

double log_of(double number) { return std::log(std::max(number, 1e-9)); }

std::vector<double> logs_of(const ProblemKey& problem) {
  std::vector<double> logs;
  for (const auto& [key, number] : problem.numbers) logs.push_back(log_of(number));
  return logs;
}

double distance(const double* a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < b.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum;
}

}  // namespace

TableIndex::TableIndex(const std::vector<TuningLine>& lines) {
  for (const TuningLine& line : lines) add(line);
}

void TableIndex::add(const TuningLine& line) {
  put_group_name(name_, line.machine, line.site, line.problem);
  Group& group = groups_[name_];
  for (const auto& [key, number] : line.problem.numbers) group.logs.push_back(log_of(number));
  group.knobs.push_back(line.knobs);
}

const TableIndex::Group* TableIndex::find(const std::string& machine, const std::string& site,
                                          const ProblemKey& problem) const {
  std::string name;
  put_group_name(name, machine, site, problem);
  const auto found = groups_.find(name);
  return found == groups_.end() ? nullptr : &found->second;
}

Knobs TableIndex::nearest(const std::string& machine, const std::string& site,
                          const ProblemKey& problem) const {
  const Group* group = find(machine, site, problem);
  if (!group) return {};
  const std::vector<double> at = logs_of(problem);
  double least = std::numeric_limits<double>::infinity();
  std::size_t best = 0;
  for (std::size_t i = 0; i < group->knobs.size(); ++i)
    if (const double d = distance(&group->logs[i * at.size()], at); d <= least) {
      least = d;
      best = i;
    }
  Knobs knobs = group->knobs[best];
  knobs.exact = least == 0;
  return knobs;
}

std::optional<double> TableIndex::interpolated(const std::string& machine, const std::string& site,
                                               const ProblemKey& problem,
                                               const std::string& knob) const {
  const Group* group = find(machine, site, problem);
  if (!group) return {};
  const std::vector<double> at = logs_of(problem);
  std::vector<LogNode> nodes;
  for (std::size_t i = 0; i < group->knobs.size(); ++i) {
    const int value = group->knobs[i].get(knob, 0);
    if (value > 0)
      nodes.push_back({distance(&group->logs[i * at.size()], at), &group->logs[i * at.size()],
                       std::log(static_cast<double>(value))});
  }
  if (nodes.empty()) return {};
  return std::exp(value_on_plane(nodes, at));
}

}  // namespace tessera
