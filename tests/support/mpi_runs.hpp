// SPDX-License-Identifier: Apache-2.0
/// Runs the built tool under the launchers of MPI that are installed.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/process.hpp"

namespace tessera::testing {

/// A launcher, and whether the tool was built for it.
struct Launcher {
  std::string mpi;  ///< "openmpi" or "mpich"

  /// "mpirun.openmpi" as Debian calls it, or plain mpirun; "" if there is none.
  std::string program() const {
    std::istringstream folders(::getenv("PATH") ? ::getenv("PATH") : "");
    for (std::string folder; std::getline(folders, folder, ':');)
      if (const std::string path = folder + "/mpirun." + mpi; ::access(path.c_str(), X_OK) == 0)
        return path;
    return "";
  }
  bool usable() const {
    const auto folder = std::filesystem::path(TESSERA_CLI).parent_path();
    return !program().empty() &&
           std::filesystem::exists(folder / ("libtessera_mpi_" + mpi + ".so"));
  }
  /// More ranks than cores are welcome.
  std::vector<std::string> words(int ranks) const {
    std::vector<std::string> line{program()};
    if (mpi == "openmpi") {
      ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
      ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
      line.emplace_back("--oversubscribe");
    }
    line.insert(line.end(), {"-n", std::to_string(ranks)});
    return line;
  }
};

inline std::vector<Launcher> usable_launchers() {
  std::vector<Launcher> usable;
  for (const char* mpi : {"openmpi", "mpich"})
    if (const Launcher launcher{mpi}; launcher.usable()) usable.push_back(launcher);
  return usable;
}

/// The command under the launcher.
inline Outcome run_ranks(const Launcher& launcher, int ranks,
                         const std::vector<std::string>& command) {
  std::vector<std::string> line = launcher.words(ranks);
  line.insert(line.end(), command.begin(), command.end());
  return Process(line).wait();
}

/// The sentences of the tool; the launchers add lines of their own.
inline std::vector<std::string> sentences_of_tool(const std::string& text) {
  std::vector<std::string> sentences;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("tessera ")) sentences.push_back(line);
  return sentences;
}

}  // namespace tessera::testing
