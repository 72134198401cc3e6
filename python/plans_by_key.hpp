// SPDX-License-Identifier: Apache-2.0
/// Plans of the library that a Python plan makes when it first needs them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "python/long_call.hpp"

namespace tessera::python {

/// One plan for every device met, or whatever a plan is made for. Threads may share it: the
/// interpreter's lock, which callers hold, guards it, and fork leaves that lock in order.
template <class Plan, class Key = int>
class KeptPlans {
 public:
  template <class Make>
  Plan get(const Key& key, Make make) {
    if (const auto found = plans_.find(key); found != plans_.end()) return found->second;
    // Without the lock: a kernel may be compiled, which takes seconds. If two are made at the same
    // time, the first is kept.
    std::optional<Plan> made;
    {
      const LongCall unlocked;
      made.emplace(make());
    }
    return plans_.emplace(key, std::move(*made)).first->second;
  }
  /// The first of the keys' order; there is one.
  Plan first() const { return plans_.begin()->second; }
  /// One line for each.
  std::string describe() const {
    std::string text;
    for (const auto& [key, plan] : plans_) text += (text.empty() ? "" : "\n") + plan.describe();
    return text;
  }

 private:
  std::map<Key, Plan> plans_;
};

}  // namespace tessera::python
