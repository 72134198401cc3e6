// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/cells_binned.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ops/cells/cells_model.cuh"
#include "ops/cells/frames/cells_bins.hpp"

namespace tessera {
namespace {

class BinnedCells final : public CellsRunner {
 public:
  BinnedCells(CellsRunnerPointer runner, CellsBins bins, Size frame)
      : runner_(std::move(runner)), bins_(bins), frame_(frame) {}

  std::vector<CellDetection> detect(AnyView frame, Stream& stream) const override {
    const Image bins = smaller(frame, stream);
    std::vector<CellDetection> found = runner_->detect(bins.view(), stream);
    for (CellDetection& cell : found) enlarge(cell);
    return found;
  }
  std::unique_ptr<CellsWork> start(int films) const override { return runner_->start(films); }
  void add(CellsWork& work, AnyView frames, Stream& stream) const override {
    const Image bins = smaller(frames, stream);
    runner_->add(work, bins.view(), stream);
  }
  void finish(CellsWork& work, Stream& stream) const override { runner_->finish(work, stream); }
  int frames_done(const CellsWork& work) const override { return runner_->frames_done(work); }
  std::vector<CellTrack> tracks(const CellsWork& work, int film) const override {
    std::vector<CellTrack> found = runner_->tracks(work, film);
    for (CellTrack& track : found) {
      for (CellSpot& spot : track.spots) {
        enlarge(spot);
        for (float& radius : spot.outline) radius *= static_cast<float>(bins_.factor);
      }
      // In the margin only the trace of a cell is left.
      while (track.spots.size() > 1 && is_outside(track.spots.back())) track.spots.pop_back();
    }
    return found;
  }
  CellsLives lives(const CellsWork& work, int film) const override {
    return runner_->lives(work, film);
  }
  std::vector<CellDrift> drifts(const CellsWork& work, int film) const override {
    std::vector<CellDrift> found = runner_->drifts(work, film);
    for (CellDrift& drift : found) drift = {drift.x * bins_.factor, drift.y * bins_.factor};
    return found;
  }
  std::string describe() const override {
    if (bins_.factor == 1) return runner_->describe();
    return fmt::format("{}, {}x{} pixels as one", runner_->describe(), bins_.factor, bins_.factor);
  }

 private:
  /// Frames on a device are copied: binning leaves little of them.
  Image smaller(AnyView frames, Stream& stream) const {
    if (frames.device == kHost) return binned(frames, bins_, stream.threads());
    const Image copy = host_copy(frames, stream);
    return binned(copy.view(), bins_, stream.threads());
  }
  template <class Cell>
  void enlarge(Cell& cell) const {
    cell.x = bins_.original(cell.x);
    cell.y = bins_.original(cell.y);
    cell.radius *= bins_.factor;
  }
  bool is_outside(const CellSpot& spot) const {
    return spot.x < 0 || spot.y < 0 || spot.x > frame_.width - 1 || spot.y > frame_.height - 1;
  }

  CellsRunnerPointer runner_;
  CellsBins bins_;
  Size frame_;
};

}  // namespace

CellsBins bins_of(const CellsProblem& problem) {
  if (problem.options.model == CellsModel::classic) return {};
  const int factor = static_cast<int>(std::ceil(problem.radii.back() / (kCells.window - 2)));
  // A cell may be near the edge in all frames of a short film; of a longer one the search is not
  // worth slower frames.
  if (factor == 1 && !problem.is_short) return {};
  // No such circle fits into a smaller frame, whatever its pixels.
  if (std::min(problem.frame.size.width, problem.frame.size.height) < factor) return {};
  return {factor,
          static_cast<int>(std::ceil((problem.radii.back() - problem.radii.front()) / factor))};
}

CellsRunnerPointer make_binned(CellsRunnerPointer runner, CellsBins bins, Size frame) {
  return std::make_unique<BinnedCells>(std::move(runner), bins, frame);
}

}  // namespace tessera
