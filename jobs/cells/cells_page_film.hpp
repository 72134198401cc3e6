// SPDX-License-Identifier: Apache-2.0
/// The film inside the report's page: H.264 that fits the space left.
#pragma once

#include <string>

#include "io/file.hpp"
#include "jobs/cells/film_axes.hpp"
#include "jobs/progress.hpp"

namespace tessera {

/// Frames per second of the page's film, whatever the true rate is: frame i is at (i + 0.5) / rate.
inline constexpr int kPageFilmRate = 30;

/// How a film is made to fit into a number of bytes.
struct PageFilmPlan {
  int width = 0, height = 0;      ///< of the frame as it is shown; smaller if bytes are few
  long long bits_per_second = 0;  ///< the encoder's limit
};
PageFilmPlan plan_page_film(int width, int height, int frames, long long bytes);

struct PageFilm {
  File file;          ///< MP4, without a name
  int width, height;  ///< the part of the picture that the frame fills
  long long bytes;
};

/// Encodes the first `frames` frames of a film into at most `bytes` bytes; messages call the page
/// `name`. Throws Error(failure) if ffmpeg is missing or fails, Error(resources) if even the
/// smallest picture does not fit.
PageFilm encode_page_film(const std::string& input, const FilmReading& reading, int frames,
                          long long bytes, const std::string& name, const Progress& progress = {});

}  // namespace tessera
