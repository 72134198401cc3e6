// SPDX-License-Identifier: Apache-2.0
/// Plans of the library that a Python plan makes when it first needs them.
#pragma once

#include <nanobind/nanobind.h>

#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace tessera::python {

/// One plan for every device met, or whatever a plan is made for; threads may share it.
template <class Plan, class Key = int>
class KeptPlans {
 public:
  template <class Make>
  Plan get(const Key& key, Make make) {
    const nanobind::gil_scoped_release release;
    {
      const std::lock_guard lock(mutex_);
      const auto found = plans_.find(key);
      if (found != plans_.end()) return found->second;
    }
    // Without the lock: a kernel may be compiled, which takes seconds. If two are made at the same
    // time, the first is kept.
    Plan made = make();
    const std::lock_guard lock(mutex_);
    return plans_.emplace(key, std::move(made)).first->second;
  }
  /// One line for each.
  std::string describe() const {
    const std::lock_guard lock(mutex_);
    std::string text;
    for (const auto& [key, plan] : plans_) text += (text.empty() ? "" : "\n") + plan.describe();
    return text;
  }

 private:
  mutable std::mutex mutex_;
  std::map<Key, Plan> plans_;
};

}  // namespace tessera::python
