// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "io/jpeg/jpeg_decoder.hpp"
#include "io/jpeg/jpeg_file.hpp"
#include "io/jpeg/jpeg_segments.hpp"

namespace tessera {
namespace {

bool is_jpeg(std::string_view first_bytes) { return first_bytes.starts_with("\xff\xd8\xff"); }

std::unique_ptr<RowDecoder> start_jpeg(const File& file, const ReadOptions& options) {
  return std::make_unique<JpegDecoder>(file, options);
}

std::unique_ptr<ImageSource> open_jpeg(const std::string& path, const ReadOptions& options) {
  return std::make_unique<SequentialSource>(path, options, start_jpeg);
}

}  // namespace

Format jpeg_format() {
  Format format{"JPEG", {".jpg", ".jpeg"}, "libjpeg", is_jpeg, open_jpeg, create_jpeg};
  format.holds = {.orientation = true,
                  .resolution = true,
                  .profile = true,
                  .exif = true,
                  .description = true,
                  .whole_resolution = true,
                  .most_bytes = kMostExifBytes};
  return format;
}

}  // namespace tessera
