// SPDX-License-Identifier: Apache-2.0
/// How jobs report their progress.
#pragma once

#include <functional>

namespace tessera {

/// Called now and then with the amount done and the total (0: unknown), in units of the job (mostly
/// rows). An exception it throws stops the job, which then leaves no output. May be empty.
using Progress = std::function<void(long long done, long long all)>;

}  // namespace tessera
