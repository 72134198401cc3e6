// SPDX-License-Identifier: Apache-2.0
/// Versions of the libraries of this build and of those found at run time.
#pragma once

#include <vector>

#include "jobs/info/machine_report.hpp"

namespace tessera {

std::vector<LibraryReport> library_versions();

}  // namespace tessera
