// SPDX-License-Identifier: Apache-2.0
/// The parts that all calls of ffmpeg and ffprobe share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/confine.hpp"
#include "io/formats.hpp"

namespace tessera {

/// The program and the options it always gets; throws Error(failure) if it is not installed. `name`
/// is "ffmpeg" or "ffprobe".
std::vector<std::string> video_program(const std::string& path, const std::string& name);

/// Rights of ffmpeg and ffprobe: no network, no other processes, no changes of other files. They
/// keep a few dozen frames in memory.
inline constexpr long long kVideoMemory = 16LL << 30;
inline constexpr ProgramLimits kVideoReader{.memory_bytes = kVideoMemory};
inline constexpr ProgramLimits kVideoWriter{.memory_bytes = kVideoMemory, .writes_file = true};
/// For encoders, whose bytes depend on the number of threads: without it, on the cores they see.
std::vector<std::string> video_encoder_threads();

/// The options and the name for an input that is descriptor 3. Only the containers that Tessera
/// knows are allowed: playlists and similar files would make ffmpeg open other files.
std::vector<std::string> video_input();

/// A message of ffmpeg without the names and addresses that mean nothing to the user.
std::string plain_line(std::string line);

std::unique_ptr<ImageSource> open_video(const std::string& path, const ReadOptions& options);
std::unique_ptr<ImageSink> create_video(const std::string& path, const ImageInfo& info,
                                        const WriteOptions& options);
bool is_video(std::string_view first_bytes);

}  // namespace tessera
