// SPDX-License-Identifier: Apache-2.0
/// The map of the number of each pixel's pattern. Ranks number patterns as they meet them, so their
/// rows wait in a file without a name until the numbers are those of the whole image.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "io/file.hpp"
#include "jobs/faraday/faraday_outputs.hpp"

namespace tessera {

class FaradayPatternMap : public RowSink {
 public:
  /// `product` is one plane of the image that is streamed.
  FaradayPatternMap(const FaradayProduct& product, const WriteOptions& how,
                    const std::shared_ptr<const double>& seconds);

  void write(Rows rows, AnyView from) override;
  void finish() override {}
  /// Writes the rows that wait; `joined` gives the number of all ranks for one in a row.
  void renumber(const std::function<int(int row, int number)>& joined);

  FaradayOutputs& outputs() { return outputs_; }

 private:
  int plane_, width_;
  FaradayOutputs outputs_;
  std::optional<File> waiting_;  ///< rows at their places
  std::vector<Rows> rows_;       ///< in it
};

}  // namespace tessera
