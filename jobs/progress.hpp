// SPDX-License-Identifier: Apache-2.0
/// How jobs tell how far they are.
#pragma once

#include <functional>

namespace tessera {

/// Called now and then with what is done and all there is (0: nobody knows), in units of the job
/// (mostly rows). What it throws stops the job, which then leaves no output. Empty: nobody listens.
using Progress = std::function<void(long long done, long long all)>;

}  // namespace tessera
