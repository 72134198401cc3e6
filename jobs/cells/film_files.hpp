// SPDX-License-Identifier: Apache-2.0
/// What a film is among files: a video, a stack of TIFF pages or NPY planes, or pictures in a
/// folder, in the order of the numbers in their names.
#pragma once

#include <memory>
#include <string>

#include "io/image_file.hpp"
#include "io/video/video.hpp"

namespace tessera {

/// Whether a word stands for pictures that are the frames of one film: a folder or a pattern of
/// glob(3) whose first file holds a single frame. Throws Error(input) where nothing matches.
bool is_picture_sequence(const std::string& input, const ReadOptions& options);

/// Whether a word stands for several files: a folder, or a pattern.
bool names_many(const std::string& input);

/// "2.png" before "10.png": digits count as numbers.
bool comes_before(const std::string& first, const std::string& second);

struct FilmFile {
  std::unique_ptr<ImageSource> source;  ///< a frame a plane, from --first-frame on
  std::string damage;                   ///< what the file lacks; the reader fills it
  FrameTiming timing;                   ///< of a video
};

/// Throws Error(input) for what cannot be read, Error(usage) for frames that are not there.
FilmFile open_film(const std::string& input, const ReadOptions& options);

}  // namespace tessera
