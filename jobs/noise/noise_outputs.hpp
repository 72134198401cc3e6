// SPDX-License-Identifier: Apache-2.0
/// The files of maps: all of them, or none.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/image_file.hpp"
#include "jobs/noise/noise_input.hpp"

namespace tessera {

/// One map, its index among the planes that are made, and its file; "": it is not written.
struct NoiseProduct {
  std::string name;  ///< "bkg", "rms", "snr", "q25"
  int plane = 0;
  std::string file;
};

/// "25" for 0.25, "2.5" for 0.025: a quantile in percent, as in file names.
std::string percent_text(double order);

/// The ending of a file's maps: the same if such files hold floats, else .npy.
std::string noise_ending(const ImageSource& file);

/// Takes rows of all maps of the selected plane and gives each file its own. `finish` of the row
/// sink does nothing: `place` finishes the files, for an OutputSet, when all are written.
class NoiseOutputs : public RowSink {
 public:
  /// Files are begun now: a file that cannot be made is reported before the work. They have the
  /// planes and axes of the input, or those of one plane, and its header; BUNIT is left out for the
  /// signal-to-noise ratio.
  NoiseOutputs(const std::vector<NoiseProduct>& products, const NoiseInput& input,
               const WriteOptions& how);

  /// The plane of the files that is written from now on, counted from 0.
  void select(int plane) { plane_ = plane; }
  void write(Rows rows, AnyView from) override;
  void finish() override {}
  int block_rows() const override;
  void place();
  /// The files made, in order.
  std::vector<std::string> files() const;

 private:
  struct File {
    NoiseProduct product;
    std::unique_ptr<ImageSink> sink;
  };
  std::vector<File> files_;
  int plane_ = 0;
};

}  // namespace tessera
