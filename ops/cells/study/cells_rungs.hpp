// SPDX-License-Identifier: Apache-2.0
/// The rungs of the study of cells. Names begin with the stage: "detect.texture" reads gradients
/// through textures; "track.plain" is the published C program; "film.ours.cuda" the product on a
/// whole film.
#pragma once

#include <string>
#include <vector>

#include "ops/cells/study/cells_case.hpp"
#include "study/rung.hpp"

namespace tessera {

using CellsRung = Rung<CellsCase>;

/// The published CUDA programs, and ours.
const std::vector<CellsRung>& cells_cuda_rungs();

/// The published CPU programs, and ours.
const std::vector<CellsRung>& cells_cpu_rungs();

std::vector<CellsRung> detect_cuda_rungs();
std::vector<CellsRung> track_cuda_rungs();
CellsRung film_cuda_rung();  ///< the last rungs of both, ten frames
std::vector<CellsRung> our_cells_rungs(Backend backend);

/// Paths of files of the ladder.
std::vector<std::string> cells_ladder_files(const std::vector<std::string>& beginnings);

/// Bound of the samples of the field for programs in float that took the same steps; 1.1e-7 was
/// measured.
inline constexpr double kFloatFieldBound = 5e-6;

}  // namespace tessera
