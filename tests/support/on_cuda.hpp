// SPDX-License-Identifier: Apache-2.0
/// Tests that need a device; without one they are skipped, with the reason.
#pragma once

#include <gtest/gtest.h>

#include "core/machine.hpp"

namespace tessera::testing {

class OnCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (this_machine().devices.empty())
      GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  }
};

}  // namespace tessera::testing
