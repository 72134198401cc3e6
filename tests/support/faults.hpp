// SPDX-License-Identifier: Apache-2.0
/// Runs the tool while calls of libc fail (tests/faults).
#pragma once

#include <string>

#include "tests/support/file_scene.hpp"

namespace tessera::testing {

/// Runs a command with a library of tests/faults and its settings; one that hangs ends with 137.
inline Outcome run_with_faults(const std::string& library, const Words& settings,
                               const Words& command) {
  Words words{
      "timeout", "-s",
      "KILL",    "60",
      "env",     std::string("LD_PRELOAD=") + TESSERA_FAULTS + "/libtessera_" + library + ".so"};
  words.insert(words.end(), settings.begin(), settings.end());
  words.insert(words.end(), command.begin(), command.end());
  return Process(words).wait();
}

}  // namespace tessera::testing
