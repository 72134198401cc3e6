// SPDX-License-Identifier: Apache-2.0
/// Processes bound to some cores.
#pragma once

#include <gtest/gtest.h>
#include <sched.h>

#include <vector>

namespace tessera::testing {

/// The cores that this process, and those it starts, may run on.
inline std::vector<int> allowed_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cores;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return cores;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  return cores;
}

/// While it lives, only the first `count` of them.
class FewCores {
 public:
  explicit FewCores(std::size_t count) : all_(allowed_cores()) { set(count); }
  FewCores(const FewCores&) = delete;
  FewCores& operator=(const FewCores&) = delete;
  ~FewCores() { set(all_.size()); }

 private:
  void set(std::size_t count) const {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (std::size_t i = 0; i < count && i < all_.size(); ++i) CPU_SET(all_[i], &set);
    EXPECT_EQ(::sched_setaffinity(0, sizeof set, &set), 0);
  }
  std::vector<int> all_;
};

}  // namespace tessera::testing
