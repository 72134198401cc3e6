// SPDX-License-Identifier: Apache-2.0
/// For passes over an image that write nothing.
#pragma once

#include "io/image_file.hpp"

namespace tessera {

class NoSink : public ImageSink {
 public:
  void write(Rows, AnyView) override {}
  void write_plane(int, Rows, AnyView) override {}
  void finish() override {}
};

}  // namespace tessera
