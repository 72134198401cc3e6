// SPDX-License-Identifier: Apache-2.0
/// Files whose rows must come in order, made by several ranks: all write their rows to one hidden
/// file next to the output, and rank 0 makes the output of it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "io/image_file.hpp"
#include "io/output.hpp"
#include "io/plain_file.hpp"

namespace tessera {

class SpooledSink : public ImageSink {
 public:
  /// `create` begins the output; only rank 0 calls it. Throws what it throws, on all ranks.
  SpooledSink(const std::string& path, const ImageInfo& info,
              const std::function<std::unique_ptr<ImageSink>()>& create);

  void write_plane(int plane, Rows rows, AnyView from) override {
    rows_.write_plane(plane, rows, from);
  }
  void finish() override;

 private:
  void write_output();

  ImageInfo info_;
  std::unique_ptr<ImageSink> output_;  ///< of rank 0
  Output spool_;                       ///< never finished, so that it vanishes
  PlainRows rows_;
};

}  // namespace tessera
