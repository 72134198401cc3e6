// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "io/png/png_decoder.hpp"
#include "io/png/png_file.hpp"
#include "io/sequential_source.hpp"

namespace tessera {
namespace {

bool is_png(std::string_view first_bytes) { return first_bytes.starts_with("\x89PNG\r\n\x1a\n"); }

std::unique_ptr<RowDecoder> start_png(const File& file, const ReadOptions& options) {
  return std::make_unique<PngDecoder>(file, options);
}

std::unique_ptr<ImageSource> open_png(const std::string& path, const ReadOptions& options) {
  return std::make_unique<SequentialSource>(path, options, start_png);
}

}  // namespace

Format png_format() {
  Format format{"PNG", {".png"}, "libpng", is_png, open_png, create_png};
  format.holds = {
      .orientation = true, .resolution = true, .profile = true, .exif = true, .description = true};
  return format;
}

}  // namespace tessera
