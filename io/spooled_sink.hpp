// SPDX-License-Identifier: Apache-2.0
/// Files whose rows must come in order, made by several ranks from a spool of rows.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "io/image_file.hpp"
#include "io/plain_file.hpp"
#include "io/spool.hpp"

namespace tessera {

class SpooledSink : public ImageSink {
 public:
  /// As Spool.
  SpooledSink(const std::string& path, const ImageInfo& info,
              const std::function<std::unique_ptr<ImageSink>()>& create);

  void write_plane(int plane, Rows rows, AnyView from) override {
    rows_.write_plane(plane, rows, from);
  }
  void finish() override;

 private:
  void write_output(ImageSink& output) const;

  ImageInfo info_;
  Spool<ImageSink> spool_;
  PlainRows rows_;
};

}  // namespace tessera
