// SPDX-License-Identifier: Apache-2.0
/// What this build and this machine have for parts of the demo: formats of files, gnuplot.
#pragma once

#include <initializer_list>
#include <string>

#include "io/child_process.hpp"
#include "io/formats.hpp"

namespace tessera {

/// The first of these endings that this build writes, the last where it writes none: ".fits".
inline std::string first_written(std::initializer_list<const char*> endings) {
  std::string ending;
  for (const char* candidate : endings) {
    ending = candidate;
    const Format* format = format_of_name("file" + ending);
    if (format && format->can_write()) break;
  }
  return ending;
}

/// Of photographs and films: ".jpg" where this build writes it.
inline std::string photo_ending() { return first_written({".jpg", ".png"}); }
/// Of maps and cubes.
inline std::string map_ending() { return first_written({".fits", ".npy"}); }

/// Whether pictures that gnuplot draws will be there.
inline bool gnuplot_is_here() { return !find_program("gnuplot", "TESSERA_GNUPLOT").empty(); }

}  // namespace tessera
