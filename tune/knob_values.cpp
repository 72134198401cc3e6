// SPDX-License-Identifier: Apache-2.0
#include "tune/knob_values.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"

namespace tessera {
namespace {

constexpr std::size_t kLikelyCandidates = 5;

}  // namespace

TunedSite site_of(const std::string& name, const std::vector<KnobValues>& knobs) {
  TunedSite site{name, {}};
  for (const KnobValues& knob : knobs) site.knobs.push_back({knob.name, knob.least, knob.most});
  return site;
}

std::vector<Knobs> knob_candidates(const std::vector<KnobValues>& knobs, bool full,
                                   const KnobMap& usual,
                                   const std::function<bool(const KnobMap&)>& fits,
                                   const std::function<double(const KnobMap&)>& cost) {
  std::vector<KnobMap> combinations{{}};
  for (const KnobValues& knob : knobs) {
    std::vector<KnobMap> longer;
    for (const KnobMap& begun : combinations)
      for (const int value : full ? knob.full : knob.likely) {
        longer.push_back(begun);
        longer.back()[knob.name] = value;
      }
    combinations = std::move(longer);
  }
  std::erase_if(combinations, [&](const KnobMap& k) { return !fits(k); });
  std::stable_sort(combinations.begin(), combinations.end(),
                   [&](const KnobMap& a, const KnobMap& b) { return cost(a) < cost(b); });
  std::erase(combinations, usual);
  combinations.insert(combinations.begin(), usual);
  if (!full && combinations.size() > kLikelyCandidates) combinations.resize(kLikelyCandidates);
  std::vector<Knobs> candidates;
  for (const KnobMap& values : combinations) candidates.push_back({values, false});
  return candidates;
}

KnobMap usual_values(const std::vector<KnobValues>& knobs) {
  KnobMap usual;
  for (const KnobValues& knob : knobs) usual[knob.name] = knob.usual;
  return usual;
}

int rows_for_threads(int tuned, int usual, long long rows_of_all) {
  const bool few = rows_of_all < 2LL * tuned * available_threads();
  return few ? std::min(tuned, usual) : tuned;
}

double steps_from(const KnobMap& usual, const KnobMap& knobs) {
  double steps = 0;
  for (const auto& [name, value] : knobs)
    steps += std::abs(std::log2((value + 0.5) / (usual.at(name) + 0.5)));
  return steps;
}

}  // namespace tessera
