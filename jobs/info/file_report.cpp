// SPDX-License-Identifier: Apache-2.0
#include "jobs/info/file_report.hpp"

#include <fmt/format.h>

#include "core/pools.hpp"
#include "jobs/job_files.hpp"
#include "tessera/image.hpp"

namespace tessera {

std::string FileReport::describe() const {
  const ImageInfo info{{width, height, channels, planes}, type, kHost};
  std::string text = fmt::format("{}: {}, {}, {} of samples", file, format, tessera::describe(info),
                                 bytes_text(bytes));
  for (const FileDetail& detail : details)
    text += fmt::format("\n  {}: {}", detail.name, detail.value);
  return text;
}

FileReport report_file(const std::string& path, const ReadOptions& options) {
  const auto source = open_input(path, options);
  const ImageInfo info = source->info();
  return {
      input_name(path),   source->format(),  info.size.width, info.size.height,
      info.size.channels, info.size.planes,  info.type,       static_cast<double>(bytes_of(info)),
      source->details(),  source->warnings()};
}

}  // namespace tessera
