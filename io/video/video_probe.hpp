// SPDX-License-Identifier: Apache-2.0
/// Asks ffprobe about a video.
#pragma once

#include "io/file.hpp"
#include "io/video/video_answer.hpp"

namespace tessera {

/// Throws Error(input) if the file is not a video or has no frames.
VideoFacts probe_video(const File& file);

}  // namespace tessera
