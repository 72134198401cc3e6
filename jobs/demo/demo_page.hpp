// SPDX-License-Identifier: Apache-2.0
/// The files of `tessera demo`: a self-contained page with its pictures inside, and the JSON it is
/// made from.
#pragma once

#include <string>

#include "io/output.hpp"
#include "jobs/demo/demo_result.hpp"

namespace tessera {

/// Both appear, or neither.
class DemoFiles {
 public:
  /// Begins both in an absolute folder, so that unfinished files can be removed from any current
  /// folder.
  DemoFiles(const std::string& folder, bool force);

  void write(const DemoResult& result);

 private:
  std::string folder_;
  Output page_, json_;
};

}  // namespace tessera
