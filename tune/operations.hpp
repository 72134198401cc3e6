// SPDX-License-Identifier: Apache-2.0
/// What operations tell the tuner: their tasks, and the choices `auto` makes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/kernel.hpp"
#include "tessera/options.hpp"
#include "tune/search.hpp"

namespace tessera {

/// Width and height of a filter.
struct TuneSize {
  int width = 0, height = 0;
  bool operator==(const TuneSize&) const = default;
};

struct TuneRequest {
  Backend backend = Backend::cpu;
  int device = 0;
  Type type = Type::f32;
  bool full = false;            ///< every candidate at every size, not the likely ones
  std::vector<TuneSize> sizes;  ///< empty: all the operation's own, most informative first
};

/// The choice of `auto`, and all alternatives.
struct Choice {
  std::string chosen;
  std::vector<std::pair<std::string, std::function<Trial()>>> methods;
};

/// A choice to be checked, made when it is its turn.
struct ChoiceCase {
  std::string label;  ///< "9x9 any filter"
  std::function<Choice()> choose;
};

struct TunableOperation {
  std::string name;  ///< "convolve"
  std::vector<TuneTask> (*tasks)(const TuneRequest&);
  std::vector<ChoiceCase> (*choices)(const TuneRequest&);
  /// What the tasks of a GPU will compile, without a GPU.
  std::vector<KernelName> (*kernels)(const TuneRequest&);
};

/// An operation makes itself known while the program starts; returns true.
bool add_tunable(const TunableOperation& operation);
/// Throws Error(usage) listing the known ones.
const TunableOperation& find_tunable(const std::string& name);

/// "square", "all", or a list "7x7,9x5,31": a single number is a square. "all" is every width and
/// height of the paper, 3, 5 … 43, and the same as empty. Throws Error(usage).
std::vector<TuneSize> sizes_from_text(const std::string& text);

/// The 441 sizes, most informative first: the squares, 43 others spread over the plane, then the
/// rest.
std::vector<TuneSize> all_sizes();
constexpr int kNodeSizes = 64;  ///< number of sizes that come first, where knobs are searched

}  // namespace tessera
