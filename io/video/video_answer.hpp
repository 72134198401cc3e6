// SPDX-License-Identifier: Apache-2.0
/// Reads ffprobe's JSON about a video.
#pragma once

#include <string>
#include <vector>

#include "io/image_file.hpp"

namespace tessera {

struct VideoFacts {
  long long width = 0, height = 0;
  int frames = 0;  ///< 0 if they have to be counted
  std::string codec, pixel_format;
  double frame_rate = 0, seconds = 0;  ///< 0 if the file does not say
  bool variable_rate = false;          ///< frames are not evenly spaced in time
  bool grey = false;
  int bits = 8;  ///< of a sample

  Type type() const { return bits > 8 ? Type::u16 : Type::u8; }
  /// The pixel format to ask ffmpeg for.
  std::string wanted_format() const;
  std::vector<FileDetail> details() const;
};

/// Throws Error(input) for an answer without a video stream or in an unexpected form.
VideoFacts facts_of_answer(const std::string& path, const std::string& text);

/// The number of frames that ffprobe counted, less than 1 if it found none.
int frames_of_answer(const std::string& path, const std::string& text);

}  // namespace tessera
