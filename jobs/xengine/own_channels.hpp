// SPDX-License-Identifier: Apache-2.0
/// Some channels of a recording, as a recording.
#pragma once

#include "io/voltages/voltage_file.hpp"

namespace tessera {

class OwnChannels : public VoltageSource {
 public:
  /// `source` outlives it; its other channels need not be read.
  OwnChannels(VoltageSource& source, Rows channels);

  const VoltageInfo& info() const override { return info_; }
  VoltageBlock read(long long most) override;
  Scratch hold() override { return source_.hold(); }
  long long skip_missing(long long most) override { return source_.skip_missing(most); }
  bool truncated() const override { return source_.truncated(); }
  std::vector<std::string> warnings() const override { return source_.warnings(); }

 private:
  VoltageSource& source_;
  VoltageInfo info_;
  int first_;
};

}  // namespace tessera
