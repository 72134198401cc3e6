// SPDX-License-Identifier: Apache-2.0
// The product as rungs, through the public door: detection in a frame, a film with detection in its
// first frame only, and a film with detection every ten frames.
#include "ops/cells/study/cells_product.hpp"
#include "ops/cells/study/cells_rungs.hpp"
#include "study/code_lines.hpp"

namespace tessera {
namespace {

PreparedRung prepare_ours(const CellsCase& c, const ProductWay& way, Stream& stream) {
  const Cells plan = product_plan(c, way, stream.device());
  // The number of threads belongs to the stream: the study's, or the rung's own.
  auto own = way.threads == 0 ? nullptr : std::make_shared<Stream>(kHost, way.threads);
  PreparedRung rung;
  rung.truth = truth_of(way.stage, true);
  rung.run = [&c, plan, own, stage = way.stage](Stream& given) {
    Stream& on = own ? *own : given;
    if (stage == CellsStage::detect)
      c.found() = detect_by(c, plan, on);
    else
      c.tracks() = follow_by(c, plan, on);
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

CellsRung our_rung(const std::string& id, const std::string& title, const ProductWay& way) {
  return {id, title, files_of(way.backend),
          [way](const CellsCase& c, Stream& stream) { return prepare_ours(c, way, stream); },
          way.backend == Backend::cpu && way.threads == 0};
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
