// SPDX-License-Identifier: Apache-2.0
/// The report of `tessera info FILE` on an image file.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "io/image_file.hpp"
#include "tessera/options.hpp"
#include "tessera/view.hpp"

namespace tessera {

struct FileReport {
  std::string file, format;
  int width = 0, height = 0, channels = 0, planes = 0;
  Type type = Type::u8;
  double bytes = 0;  ///< of all samples, in memory
  std::vector<FileDetail> details;
  std::vector<std::string> warnings;

  static constexpr auto fields() {
    using R = FileReport;
    return std::tuple{field("file", &R::file, "the file"),
                      field("format", &R::format, "its format"),
                      field("width", &R::width, "pixels per row"),
                      field("height", &R::height, "rows"),
                      field("channels", &R::channels, "samples per pixel"),
                      field("planes", &R::planes, "images in the file"),
                      field("type", &R::type, "type of the samples"),
                      field("bytes", &R::bytes, "bytes of all samples"),
                      field("details", &R::details, "further details of the format"),
                      field("warnings", &R::warnings, "missing parts")};
  }
  std::string describe() const;
};

/// Reads no more than the header; throws Error(input).
FileReport report_file(const std::string& path, const ReadOptions& options);

}  // namespace tessera
