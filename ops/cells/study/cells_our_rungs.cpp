// SPDX-License-Identifier: Apache-2.0
// The product as rungs, through the public door: detection in a frame, a film with detection in its
// first frame only, and a film with detection every ten frames.
#include <fmt/format.h>

#include <algorithm>

#include "ops/cells/study/cells_rungs.hpp"
#include "study/code_lines.hpp"
#include "tessera/cells.hpp"

namespace tessera {
namespace {

/// One of the product's rungs.
struct Way {
  CellsStage stage;
  Backend backend;
  int threads = 0;  ///< of the CPU; 0: all
};

CellsOptions options_of(const CellsCase& c, const Way& way, int device) {
  CellsOptions options;
  options.crop = fmt::format("0,{},{}x{}", c.film().crop_top, c.width(), c.crop_height());
  options.flow = 0.0;
  // The study's cells roll in dense rows, so in a short film they are background to one another;
  // the published programs subtract no background either.
  options.background = CellsBackground::none;
  options.detect_every = way.stage == CellsStage::track ? 0 : 10;
  options.min_frames = std::min(c.frames(), 10);
  options.backend = way.backend;
  options.device = std::max(0, device);
  return options;
}

AnyView frame_of(const CellsCase& c, int frame) {
  return AnyView(c.film().frames.view()).only_plane(frame);
}

void follow(const CellsCase& c, const Cells& plan, Stream& on) {
  CellsState state = plan.start();
  for (int frame = 0; frame < c.frames(); ++frame) plan.add(state, frame_of(c, frame), on);
  plan.finish(state, on);
  c.tracks() = plan.tracks(state);
}

PreparedRung prepare_ours(const CellsCase& c, const Way& way, Stream& stream) {
  const Cells plan(frame_of(c, 0).info(), options_of(c, way, stream.device()));
  // The number of threads belongs to the stream: the study's on a device, otherwise the rung's own.
  auto own = way.backend == Backend::cuda ? nullptr : std::make_shared<Stream>(kHost, way.threads);
  PreparedRung rung;
  rung.truth = truth_of(way.stage, true);
  rung.run = [&c, plan, own, stage = way.stage](Stream& given) {
    Stream& on = own ? *own : given;
    if (stage == CellsStage::detect)
      c.found() = plan.detect(frame_of(c, 0), on);
    else
      follow(c, plan, on);
  };
  return rung;
}

bool is_of_cuda(const std::string& file) {
  return file.ends_with(".cu") || file.find("_cuda") != std::string::npos;
}

/// All files of the operation on that side except the classic model and the reference.
std::vector<std::string> files_of(Backend backend) {
  return study_files([&](const std::string& name) {
    const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
    const bool shared = name.ends_with(".cuh") && !has("_cuda");
    return name.starts_with("ops/cells/") && !has("/study/") && !has("_classic") && !has("_ref") &&
           (shared || is_of_cuda(name) == (backend == Backend::cuda));
  });
}

CellsRung our_rung(const std::string& id, const std::string& title, const Way& way) {
  return {id, title, files_of(way.backend),
          [way](const CellsCase& c, Stream& stream) { return prepare_ours(c, way, stream); }};
}

}  // namespace

std::vector<CellsRung> our_cells_rungs(Backend backend) {
  const bool cuda = backend == Backend::cuda;
  const std::pair<CellsStage, const char*> stages[] = {
      {CellsStage::detect, "the product's, one frame alone"},
      {CellsStage::track, "the product's, per frame of a film"},
      {CellsStage::film, "the same with detection every 10"}};
  std::vector<CellsRung> rungs;
  for (const auto& [stage, title] : stages) {
    const std::string name = kCellsStages[static_cast<int>(stage)] + std::string(".ours.");
    if (cuda) rungs.push_back(our_rung(name + "cuda", title, {stage, backend}));
    if (!cuda) rungs.push_back(our_rung(name + "one", title, {stage, backend, 1}));
    if (!cuda) rungs.push_back(our_rung(name + "all", title, {stage, backend}));
  }
  return rungs;
}

}  // namespace tessera
