// SPDX-License-Identifier: Apache-2.0
/// Pictures, drawn by gnuplot if it is installed.
#pragma once

#include <string>
#include <vector>

#include "report/plots.hpp"

namespace tessera {

/// By the name's ending: .svg or .png; throws Error(usage) for others.
PictureFormat picture_format(const std::string& path);

/// Checks the names of all pictures of a job before its work: throws Error(usage) for endings other
/// than .svg and .png, for files that exist (also figures and scripts) unless `force` is given, and
/// for two pictures that would share a file. Empty names are ignored.
void check_pictures(const std::vector<std::string>& paths, bool force);

struct Picture {
  std::string path;     ///< "" without gnuplot
  std::string numbers;  ///< the file of the same name with the figures, .tsv
  std::string note;     ///< "", or in one sentence how to get the picture
};

/// Writes the figures next to `path` (.tsv) and draws the picture at `path`; each file is either
/// the old one or complete. Without gnuplot (on PATH, or named by TESSERA_GNUPLOT) its script is
/// written instead (.gp).
Picture draw_picture(const Plot& plot, const std::string& path, bool force);

}  // namespace tessera
