// SPDX-License-Identifier: Apache-2.0
/// The rungs of the study of correlation. Names are words separated by dots: "row.co.texture.250x2"
/// is the rung with the mask's row in shared memory, planes co-located, src through texture, tiles
/// of 250 by 2 shifts.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "ops/correlate/study/correlate_case.hpp"
#include "study/rung.hpp"

namespace tessera {

using CorrelateRung = Rung<CorrelateCase>;

/// The paper's CUDA programs, and ours.
const std::vector<CorrelateRung>& correlate_cuda_rungs();

/// The paper's CPU programs, and ours; the number of threads doubles from 1 up to all.
const std::vector<CorrelateRung>& correlate_cpu_rungs();

/// The product's methods.
CorrelateRung our_cuda_rung(const std::string& method);
CorrelateRung our_cpu_rung(const std::string& method);

inline constexpr std::array<const char*, 2> kLayouts{"co", "sep"};

/// The path of src: textures, or caches with L1 small or large and loads ca or cg.
inline constexpr std::array<const char*, 5> kPaths{"texture", "small-ca", "small-cg", "large-ca",
                                                   "large-cg"};

/// The paper's tiles of about 500 shifts; with fewer shifts than 250 they shrink, the name stays.
struct ShiftTile {
  const char* name;
  int halvings;  ///< of the longer side; the shorter one doubles
  bool upright;
};
inline constexpr std::array<ShiftTile, 8> kTiles{{{"250x2", 0, false},
                                                  {"125x4", 1, false},
                                                  {"62x8", 2, false},
                                                  {"31x16", 3, false},
                                                  {"16x31", 3, true},
                                                  {"8x62", 2, true},
                                                  {"4x125", 1, true},
                                                  {"2x250", 0, true}}};

struct TileSides {
  int x = 0, y = 0;
};
TileSides tile_sides(const ShiftTile& tile, int shifts);

/// The path of a file of the ladder.
std::string ladder_file(const std::string& beginning);

}  // namespace tessera
