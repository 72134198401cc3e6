// SPDX-License-Identifier: Apache-2.0
#include "study/report_work.hpp"

namespace tessera {
namespace {

std::vector<ReportEntry>& all_entries() {
  static std::vector<ReportEntry> all;
  return all;
}

}  // namespace

const std::vector<ReportEntry>& report_entries() { return all_entries(); }

bool add_report_work(const ReportEntry& entry) {
  all_entries().push_back(entry);
  return true;
}

}  // namespace tessera
