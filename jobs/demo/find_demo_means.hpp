// SPDX-License-Identifier: Apache-2.0
/// Means that this build and this machine have for the demo: file formats, gnuplot.
#pragma once

#include <initializer_list>
#include <string>

#include "io/child_process.hpp"
#include "io/formats.hpp"

namespace tessera {

/// The first of these endings that this build writes, the last if it writes none: ".fits".
inline std::string first_written(std::initializer_list<const char*> endings) {
  std::string ending;
  for (const char* candidate : endings) {
    ending = candidate;
    const Format* format = format_of_name("file" + ending);
    if (format && format->can_write()) break;
  }
  return ending;
}

/// For photographs and films: ".jpg" if this build writes it.
inline std::string photo_ending() { return first_written({".jpg", ".png"}); }
/// For maps and cubes.
inline std::string map_ending() { return first_written({".fits", ".npy"}); }

/// Whether there will be pictures drawn by gnuplot.
inline bool gnuplot_is_here() { return !find_program("gnuplot", "TESSERA_GNUPLOT").empty(); }

}  // namespace tessera
