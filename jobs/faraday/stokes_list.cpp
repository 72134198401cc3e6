// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/stokes_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <numeric>
#include <string_view>

#include "core/counted.hpp"
#include "jobs/faraday/faraday_text.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Frequencies that differ only by how they were written.
constexpr double kSame = 1e-9;

template <class Value>
std::vector<Value> in_order(const std::vector<Value>& values,
                            const std::vector<std::size_t>& order) {
  std::vector<Value> sorted;
  for (const std::size_t k : order) sorted.push_back(values[k]);
  return sorted;
}

}  // namespace

bool is_number_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  int first = file.get();
  while (first != EOF && std::isspace(first)) first = file.get();
  return first != EOF && std::string_view("+-.#0123456789").find(static_cast<char>(first)) !=
                             std::string_view::npos;
}

StokesList read_stokes_list(const std::string& path) {
  constexpr std::size_t kColumns[] = {1, 2};
  const TextColumns read = read_columns(path, kColumns, "1 (I) or 2 (frequency I)");
  if (read.columns.size() == 1) return {path, {}, read.columns[0]};
  std::vector<std::size_t> order(read.line.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::vector<double>& frequency = read.columns[0];
  std::ranges::sort(order, {}, [&](std::size_t k) { return frequency[k]; });
  for (std::size_t n = 1; n < order.size(); ++n)
    if (frequency[order[n]] == frequency[order[n - 1]])
      throw Error(
          ErrorKind::input,
          fmt::format(
              "faraday: {}: line {} has the same frequency as line {}, {} Hz; give each once", path,
              read.line[order[n]], read.line[order[n - 1]], frequency[order[n]]));
  return {path, in_order(frequency, order), in_order(read.columns[1], order)};
}

double StokesList::value_at(double channel) const {
  const double low = frequency.front(), high = frequency.back();
  if (channel < low * (1 - kSame) || channel > high * (1 + kSame))
    throw Error(ErrorKind::usage, fmt::format("faraday: {} has Stokes I from {} to {} Hz, but a "
                                              "channel is at {} Hz; give a list that covers it",
                                              path, low, high, channel));
  const auto above = std::ranges::lower_bound(frequency, channel * (1 - kSame));
  if (above == frequency.end()) return value.back();
  const auto n = static_cast<std::size_t>(above - frequency.begin());
  if (*above <= channel * (1 + kSame)) return value[n];
  const double share = (channel - frequency[n - 1]) / (frequency[n] - frequency[n - 1]);
  return value[n - 1] + share * (value[n] - value[n - 1]);
}

std::vector<float> StokesList::at(const std::vector<double>& channels) const {
  std::vector<float> found;
  if (!frequency.empty()) {
    for (const double channel : channels) found.push_back(static_cast<float>(value_at(channel)));
    return found;
  }
  if (value.size() != channels.size())
    throw Error(ErrorKind::usage, fmt::format("faraday: {} has {} of Stokes I, but there {} {}; "
                                              "give one per channel, or frequency and value",
                                              path, counted(value.size(), "value"),
                                              channels.size() == 1 ? "is" : "are",
                                              counted(channels.size(), "channel")));
  for (const double one : value) found.push_back(static_cast<float>(one));
  return found;
}

}  // namespace tessera
