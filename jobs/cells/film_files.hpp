// SPDX-License-Identifier: Apache-2.0
/// The files that can be a film: a video, a stack of TIFF pages or NPY planes, or pictures in a
/// folder, in the order of the numbers in their names; or frames in memory.
#pragma once

#include <memory>
#include <string>

#include "io/image_file.hpp"
#include "io/video/video.hpp"
#include "jobs/cells/film_axes.hpp"

namespace tessera {

/// Whether a word stands for pictures that are the frames of one film: a folder or a glob(3)
/// pattern whose first file holds a single frame. Throws Error(input) if nothing matches.
bool is_picture_sequence(const std::string& input, const ReadOptions& options);

/// "2.png" before "10.png": digits count as numbers.
bool comes_before(const std::string& first, const std::string& second);

struct FilmFile {
  std::unique_ptr<ImageSource> source;  ///< one frame per plane, from --first-frame on
  std::string damage;                   ///< missing parts of the file; the reader fills them
  FrameTiming timing;                   ///< of a video or a stack
  double um_per_pixel = 0;              ///< of a stack; 0: not known
  std::vector<std::string> notes;       ///< about the axes of a stack
};

/// Throws Error(input) if the film cannot be read, Error(usage) for frames, channels and slices
/// that do not exist or have to be chosen.
FilmFile open_film(const std::string& input, const FilmReading& options);

}  // namespace tessera
