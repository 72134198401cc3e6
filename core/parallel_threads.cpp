// SPDX-License-Identifier: Apache-2.0
#include "core/team.hpp"

namespace tessera {

void run_team(int threads, const std::function<void()>& work) { run_plain_threads(threads, work); }

}  // namespace tessera
