// SPDX-License-Identifier: Apache-2.0
/// Runs one part of the demo in its folder.
#pragma once

#include <functional>
#include <string>

#include "jobs/demo/demo_result.hpp"

namespace tessera {

/// Runs a line such as "tessera noise sky.fits -o out" and returns its JSON; throws if it fails.
using RunLine = std::function<Json(const std::string& line)>;

/// Makes a folder the current one during its lifetime. Throws Error(usage) if that fails.
class InFolder {
 public:
  explicit InFolder(const std::string& folder);
  InFolder(const InFolder&) = delete;
  InFolder& operator=(const InFolder&) = delete;
  ~InFolder();

 private:
  int before_;  ///< a descriptor: the folder is found again even if it was renamed
};

/// An exception makes it a failed part with that sentence.
DemoPartResult run_demo_part(const DemoPart& part, const std::string& folder, const RunLine& run);

/// "image/png" or "image/jpeg" by the file's first bytes; throws Error(failure) for others.
std::string picture_type(const std::string& path);

}  // namespace tessera
