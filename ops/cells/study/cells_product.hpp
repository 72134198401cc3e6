// SPDX-License-Identifier: Apache-2.0
/// The product on the study's film, and its reference.
#pragma once

#include <vector>

#include "ops/cells/study/cells_case.hpp"

namespace tessera {

/// One of the product's ways to do a stage.
struct ProductWay {
  CellsStage stage;
  Backend backend;
  int threads = 0;  ///< of the CPU; 0: all
};

Cells product_plan(const CellsCase& c, const ProductWay& way, int device,
                   const char* method = "auto");
std::vector<CellDetection> detect_by(const CellsCase& c, const Cells& plan, Stream& on);
/// Follows the cells of the whole film.
std::vector<CellTrack> follow_by(const CellsCase& c, const Cells& plan, Stream& on);

/// The same by the reference.
std::vector<CellDetection> product_detections(const CellsCase& c);
std::vector<CellTrack> product_tracks(const CellsCase& c, CellsStage stage);

}  // namespace tessera
