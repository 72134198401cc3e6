// SPDX-License-Identifier: Apache-2.0
/// What ffprobe says of a video.
#pragma once

#include "io/file.hpp"
#include "io/video/video_answer.hpp"

namespace tessera {

/// Throws Error(input) for what is no video, or one without frames.
VideoFacts probe_video(const File& file);

}  // namespace tessera
