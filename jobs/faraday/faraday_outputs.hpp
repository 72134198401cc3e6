// SPDX-License-Identifier: Apache-2.0
/// The files a Faraday job makes: all of them, or none.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "io/header_cards.hpp"
#include "io/image_file.hpp"
#include "jobs/faraday/faraday_cube_file.hpp"

namespace tessera {

/// Seconds since its construction.
class FaradayClock {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// One image of a file, and its planes in an image that the work makes.
struct FaradayProduct {
  std::string file;
  FaradayCubeAxes axes;
  HeaderCards header;
  int first_plane = 0;
  int planes = 0;  ///< 0: as many as its axes have
};

/// Takes images of many planes and gives each product its own. `finish` of the row sink does
/// nothing: `place` renames the files, for an OutputSet, when all are written.
class FaradayOutputs : public RowSink {
 public:
  /// Products with the same file name become HDUs of it. Files are begun now: a file that cannot be
  /// made is reported before the work. `seconds` is read when they are placed, for the history.
  FaradayOutputs(std::vector<FaradayProduct> products, const WriteOptions& how,
                 const std::shared_ptr<const double>& seconds);

  void write(Rows rows, AnyView from) override;
  void finish() override {}
  void place();

  /// Each once, in order.
  const std::vector<std::string>& files() const { return files_; }

 private:
  std::vector<FaradayProduct> products_;
  std::vector<std::unique_ptr<FaradayCubeSink>> sinks_;
  std::vector<std::string> files_;
};

/// Throws the error that beginning the file would give.
void check_output_name(const std::string& path, bool force);

}  // namespace tessera
