// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>

namespace tessera {

/// While it lives, an OpenBLAS that is loaded starts no threads: it reads the variable when it is
/// loaded.
class OneThreadAtLoading {
 public:
  OneThreadAtLoading() : unset_(!std::getenv(kVariable)) {
    if (unset_) ::setenv(kVariable, "1", 1);
  }
  ~OneThreadAtLoading() {
    if (unset_) ::unsetenv(kVariable);
  }
  OneThreadAtLoading(const OneThreadAtLoading&) = delete;
  OneThreadAtLoading& operator=(const OneThreadAtLoading&) = delete;

 private:
  static constexpr const char* kVariable = "OPENBLAS_NUM_THREADS";
  bool unset_;
};

}  // namespace tessera
