// SPDX-License-Identifier: Apache-2.0
/// What ffprobe says of a video.
#pragma once

#include <string>
#include <vector>

#include "io/file.hpp"
#include "io/image_file.hpp"

namespace tessera {

struct VideoFacts {
  long long width = 0, height = 0;
  int frames = 0;
  std::string codec, pixel_format;
  double frame_rate = 0, seconds = 0;  ///< 0 where the file does not say
  bool grey = false;
  int bits = 8;  ///< of a sample

  Type type() const { return bits > 8 ? Type::u16 : Type::u8; }
  /// The pixel format to ask ffmpeg for.
  std::string wanted_format() const;
  std::vector<FileDetail> details() const;
};

/// Throws Error(input) for what is no video, or one without frames.
VideoFacts probe_video(const File& file);

}  // namespace tessera
