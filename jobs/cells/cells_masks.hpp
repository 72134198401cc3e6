// SPDX-License-Identifier: Apache-2.0
/// Label masks of a film's cells as files: a stack, and the folder of the Cell Tracking Challenge.
/// Frames are painted and written one at a time.
#pragma once

#include <string>
#include <vector>

#include "jobs/cells/cells_result.hpp"
#include "jobs/progress.hpp"

namespace tessera {

/// A sentence if an id is too large for a label of 16 bits; else empty.
std::string why_no_masks(const CellsFilmResult& result);

/// TIFF of u16 with one page per frame that was read; a label is the id of a track.
void write_masks(const CellsFilmResult& result, const std::string& path, bool force,
                 const Progress& progress = {});

/// A folder with mask000.tif, mask001.tif …, one per frame that was read, and res_track.txt, which
/// comes last: label, first and last frame, and parent (0) of every track. Frames are counted from
/// 0 from the first one read on. The folder is made if it is missing.
void write_ctc(const CellsFilmResult& result, const std::string& folder, bool force,
               const Progress& progress = {});

inline constexpr const char* kCtcTracks = "res_track.txt";

/// The masks in such a folder: their names, without it. Empty if it does not exist.
std::vector<std::string> ctc_masks_in(const std::string& folder);

}  // namespace tessera
