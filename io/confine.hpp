// SPDX-License-Identifier: Apache-2.0
/// Rights that a process which decodes strangers' data gives up for good.
#pragma once

#include <linux/filter.h>
#include <sys/resource.h>

#include <vector>

namespace tessera {

/// Rights of another program that reads or writes a stranger's data.
struct ProgramLimits {
  long long memory_bytes = 0;  ///< of address space; 0: no limit
  bool writes_file = false;    ///< otherwise it can only write to pipes
};

/// Prepared before a fork, because hardly anything is allowed between it and the exec.
class ProgramConfinement {
 public:
  explicit ProgramConfinement(const ProgramLimits& limits);
  /// Between fork and exec: the program that follows cannot use the network, look into other
  /// processes, change names, owners or permissions of files, mount, or gain rights. A kernel
  /// without seccomp enforces only the limits of memory and size.
  void apply() const noexcept;

 private:
  std::vector<sock_filter> filter_;
  rlim_t memory_, file_;
};

/// For this process, which has everything open that it needs: from now on it can compute, read and
/// write open files, and end. It cannot open files or start programs or threads. False if the
/// kernel has no seccomp.
bool confine_self(long long memory_bytes);

/// Whether this process called confine_self.
bool is_confined() noexcept;

}  // namespace tessera
