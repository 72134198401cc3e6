// SPDX-License-Identifier: Apache-2.0
#include "study/call_work.hpp"

namespace tessera {
namespace {

std::vector<CallEntry>& all_call_entries() {
  static std::vector<CallEntry> all;
  return all;
}

}  // namespace

const std::vector<CallEntry>& call_entries() { return all_call_entries(); }

bool add_call_work(const CallEntry& entry) {
  all_call_entries().push_back(entry);
  return true;
}

}  // namespace tessera
