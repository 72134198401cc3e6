// SPDX-License-Identifier: Apache-2.0
/// The wish that work without its own end should end, with everything that it has so far.
#pragma once

#include <functional>

#include "io/file.hpp"

namespace tessera {

class EndRequest {
 public:
  /// `arm` is called as soon as there is something to keep: from then on a signal may `ask`
  /// instead of ending the process. Throws Error(resources).
  explicit EndRequest(std::function<void()> arm = {});

  void arm() const {
    if (arm_) arm_();
  }
  /// From any thread; wakes those that wait.
  void ask() const noexcept;
  bool asked() const { return wait_for(-1, 0); }
  /// Returns after this time, as soon as something can be read from the descriptor or its other end
  /// is closed, or as soon as the end is asked for: then true. With descriptor -1 it only waits.
  bool wait_for(int descriptor, double seconds) const;

 private:
  std::function<void()> arm_;
  File event_;
};

}  // namespace tessera
