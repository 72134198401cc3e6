// SPDX-License-Identifier: Apache-2.0
#include "jobs/info/file_report.hpp"

#include <fmt/format.h>

#include "core/pools.hpp"
#include "jobs/job_files.hpp"
#include "tessera/image.hpp"

namespace tessera {

std::string FileReport::describe() const {
  const ImageInfo info{{width, height, channels, planes}, type, kHost};
  return fmt::format("{}: {}, {} of samples", file, tessera::describe(info), bytes_text(bytes));
}

FileReport report_file(const std::string& path) {
  const ImageInfo info = open_input(path)->info();
  return {input_name(path),
          info.size.width,
          info.size.height,
          info.size.channels,
          info.size.planes,
          info.type,
          static_cast<double>(bytes_of(info))};
}

}  // namespace tessera
