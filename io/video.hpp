// SPDX-License-Identifier: Apache-2.0
/// Videos, through the ffmpeg program.
#pragma once

#include "io/formats.hpp"

namespace tessera {

Format video_format();

}  // namespace tessera
