// SPDX-License-Identifier: Apache-2.0
/// Videos, through the programs ffmpeg and ffprobe over pipes. Each frame is a plane.
///
/// Read: AVI, MP4, MOV, Matroska, WebM and MPEG files that ffmpeg can decode. Grey has 1 channel
/// and keeps its values (10 and 12 bits become u16, not scaled); colour becomes RGB, as u8, or as
/// u16 if there are more than 8 bits; alpha is dropped. Written: .avi (uncompressed, u8), .mkv
/// (FFV1, lossless, u8 and u16), .mp4, .m4v and .mov (H.264, lossy, u8); 1 or 3 channels.
///
/// The programs are found on PATH, or named by TESSERA_FFMPEG and TESSERA_FFPROBE.
#pragma once

#include "io/formats.hpp"

namespace tessera {

Format video_format();

/// When frames are shown, as far as the file says. Only videos have this.
struct FrameTiming {
  double frames_a_second = 0;  ///< 0: not known
  bool variable = false;       ///< frames are not evenly spaced; the rate is then the mean
};

/// The second interface of a video's ImageSource: dynamic_cast finds it.
class TimedFrames {
 public:
  virtual ~TimedFrames() = default;
  virtual FrameTiming timing() const = 0;
};

}  // namespace tessera
