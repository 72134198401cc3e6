// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/study/cells_product.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tessera/cells.hpp"

namespace tessera {
namespace {

CellsOptions product_options(const CellsCase& c, const ProductWay& way, int device,
                             const char* method) {
  CellsOptions options;
  options.crop = fmt::format("0,{},{}x{}", c.film().crop_top, c.width(), c.crop_height());
  options.flow = 0.0;
  // The study's cells roll in dense rows, so in a short film they are background to one another;
  // the published programs subtract no background either.
  options.background = CellsBackground::none;
  options.detect_every = way.stage == CellsStage::track ? 0 : 10;
  options.min_frames = std::min(c.frames(), 10);
  options.backend = way.backend;
  options.method = method;
  options.device = std::max(0, device);
  return options;
}

AnyView frame_of(const CellsCase& c, int frame) {
  return AnyView(c.film().frames.view()).only_plane(frame);
}

Cells reference_plan(const CellsCase& c, CellsStage stage) {
  return product_plan(c, {stage, Backend::cpu}, kHost, "reference");
}

}  // namespace

Cells product_plan(const CellsCase& c, const ProductWay& way, int device, const char* method) {
  return Cells(frame_of(c, 0).info(), product_options(c, way, device, method));
}

std::vector<CellDetection> detect_by(const CellsCase& c, const Cells& plan, Stream& on) {
  return plan.detect(frame_of(c, 0), on);
}

std::vector<CellTrack> follow_by(const CellsCase& c, const Cells& plan, Stream& on) {
  CellsState state = plan.start();
  for (int frame = 0; frame < c.frames(); ++frame) plan.add(state, frame_of(c, frame), on);
  plan.finish(state, on);
  return plan.tracks(state);
}

std::vector<CellDetection> product_detections(const CellsCase& c) {
  Stream stream;
  return detect_by(c, reference_plan(c, CellsStage::detect), stream);
}

std::vector<CellTrack> product_tracks(const CellsCase& c, CellsStage stage) {
  Stream stream;
  return follow_by(c, reference_plan(c, stage), stream);
}

}  // namespace tessera
