// SPDX-License-Identifier: Apache-2.0
/// Runs under `mpirun` and `srun`: what the launcher says, and the ranks that it has started.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/ranks.hpp"
#include "jobs/device_list.hpp"
#include "tessera/error.hpp"

namespace tessera {

/// The launcher's variables, which tell before MPI is opened.
struct Launch {
  std::string mpi;  ///< "openmpi" or "mpich"; "" if nothing has started this process
  int rank = 0;
  int count = 1;  ///< 0: not known
};
const Launch& launch();

/// The tool's library for "openmpi" or "mpich"; "" if it is not installed with it.
std::string mpi_library(const std::string& mpi);

/// --mpi
struct MpiChoice {
  std::string word = "auto";
  static constexpr const char* kHint = "auto|on|off|openmpi|mpich";
};

/// All ranks of the run while it lives, if `choice` and the launcher ask for them. Each takes its
/// share of its machine's cores, memory and GPUs.
class RanksOfRun {
 public:
  /// Throws Error(usage) if MPI cannot be opened, or if its ranks are not those of the launcher.
  RanksOfRun(const MpiChoice& choice, const DeviceList& devices);
  RanksOfRun(const RanksOfRun&) = delete;
  RanksOfRun& operator=(const RanksOfRun&) = delete;
  ~RanksOfRun();

  /// The device of this rank, counted from 0 among those that it sees; none if this process is
  /// alone.
  std::optional<int> device() const { return device_; }

 private:
  std::optional<int> device_;
};

/// Called on each rank that cannot go on. If all fail, rank 0 reports its error and the call
/// returns; if only some do, the first of them names itself, and all ranks end at once.
void settle_failure(const std::string& label, const Error& error,
                    const std::function<void()>& report);

/// A result with what each rank did in these seconds: an entry "ranks" of the JSON, "devices" if
/// they are lanes of this process, or one more line.
std::string with_ranks(const std::string& text, double seconds, bool json);

}  // namespace tessera
