// SPDX-License-Identifier: Apache-2.0
/// The files of `tessera bench --report`: a self-contained page, and the JSON it is made from.
#pragma once

#include <string>

#include "io/output.hpp"

namespace tessera {

/// "out/report.json" for "out/report.html". Throws Error(usage) for other endings.
std::string json_beside(const std::string& page);

/// Both appear, or neither.
class BenchFiles {
 public:
  /// Begins both: an impossible name is reported before the work.
  BenchFiles(const std::string& page, bool force);

  /// `json` is the report, `against` another machine's or "null".
  void write(const std::string& json, const std::string& against);

 private:
  Output page_, json_;
};

}  // namespace tessera
