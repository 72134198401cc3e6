// SPDX-License-Identifier: Apache-2.0
/// For passes over an image that only look.
#pragma once

#include "core/strips.hpp"

namespace tessera {

class NoSink : public RowSink {
 public:
  void write(Rows, AnyView) override {}
  void finish() override {}
};

}  // namespace tessera
