// SPDX-License-Identifier: Apache-2.0
/// Usual work of the operations, on images in host memory, by which `tessera tune --check` judges
/// the choices of `auto` between all methods and backends. Copies to a device and back count. Each
/// operation registers its own before main begins:
///
///     const bool entered = add_choice_work({"noise", noise_choices});
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tessera/error.hpp"
#include "tessera/options.hpp"

namespace tessera {

/// The choice of `auto`, and everything it could have chosen.
struct ChoiceWays {
  std::string chosen;                                               ///< "cpu direct"
  std::vector<std::pair<std::string, std::function<void()>>> ways;  ///< each runs once, and waits
};

/// Made when it is its turn, because it holds its data.
struct ChoiceWork {
  std::string label;  ///< "noise 2048x2048 f32, box 64"
  std::function<ChoiceWays()> make;
};

struct ChoiceEntry {
  std::string operation;
  std::vector<ChoiceWork> (*make)(int side);  ///< for images of about side x side pixels
};

const std::vector<ChoiceEntry>& choice_entries();
bool add_choice_work(const ChoiceEntry& entry);

/// The works of an operation, or of all if it is "all", at every size of the grid {512, 2048,
/// 8192}. Throws Error(usage) listing the known ones.
std::vector<ChoiceWork> choice_grid(const std::string& operation);

/// All methods of a table that can do the work; the reference runs on request only.
/// `plan(backend, method)` makes a plan or throws why not, `call(plan)` runs it.
template <class Methods, class MakePlan, class Call>
ChoiceWays choice_ways(const Methods& methods, MakePlan plan, Call call) {
  const auto name = [](Backend backend, const std::string& method) {
    return std::string(name_of(backend)) + " " + method;
  };
  const auto open = plan(Backend::automatic, "auto");
  ChoiceWays made{name(open.backend(), open.method()), {}};
  for (const auto& method : methods) {
    if (method.name == std::string("reference")) continue;
    try {
      made.ways.emplace_back(
          name(method.backend, method.name),
          [ready = plan(method.backend, method.name), call]() mutable { call(ready); });
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::usage && error.kind() != ErrorKind::resources) throw;
    }
  }
  return made;
}

}  // namespace tessera
