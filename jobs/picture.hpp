// SPDX-License-Identifier: Apache-2.0
/// Pictures, drawn by gnuplot where it is installed.
#pragma once

#include <string>
#include <vector>

#include "report/plots.hpp"

namespace tessera {

/// By the name's end: .svg or .png; throws Error(usage) for others.
PictureFormat picture_format(const std::string& path);

/// Of all pictures that a job is to draw, before its work: throws Error(usage) for names that are
/// no pictures', files that are there (figures and scripts too) when `force` is not given, and two
/// that would share a file. Names that are "" do not count.
void check_pictures(const std::vector<std::string>& paths, bool force);

struct Picture {
  std::string path;     ///< "" when there is no gnuplot
  std::string numbers;  ///< the file of the same name with the figures, .tsv
  std::string note;     ///< "", or in one sentence how to get the picture
};

/// Writes the figures beside `path` (.tsv) and draws the picture at `path`, each old or whole.
/// Without gnuplot (on PATH, or what TESSERA_GNUPLOT names) its script is written instead (.gp).
Picture draw_picture(const Plot& plot, const std::string& path, bool force);

}  // namespace tessera
