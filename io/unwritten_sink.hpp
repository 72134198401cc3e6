// SPDX-License-Identifier: Apache-2.0
/// The output of a part of a run (core/part_rows.hpp): its rows are kept elsewhere, and the output
/// is made when the parts are joined.
#pragma once

#include <memory>
#include <utility>

#include "io/image_file.hpp"

namespace tessera {

class UnwrittenSink : public ImageSink {
 public:
  /// `output` knows how its rows are stored; it was begun, and will not be finished.
  explicit UnwrittenSink(std::unique_ptr<ImageSink> output) : output_(std::move(output)) {}

  void write_plane(int, Rows, AnyView) override {}
  void finish() override {}
  int block_rows() const override { return output_->block_rows(); }
  bool planes_in_turn() const override { return output_->planes_in_turn(); }

 private:
  std::unique_ptr<ImageSink> output_;
};

}  // namespace tessera
