// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/cells_binned.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/device.hpp"
#include "ops/cells/cells_model.cuh"
#include "ops/cells/frames/cells_bins.hpp"

namespace tessera {
namespace {

class BinnedCells final : public CellsRunner {
 public:
  BinnedCells(CellsRunnerPointer runner, int factor)
      : runner_(std::move(runner)), factor_(factor) {}

  std::vector<CellDetection> detect(AnyView frame, Stream& stream) const override {
    std::vector<CellDetection> found = runner_->detect(smaller(frame, stream).view(), stream);
    for (CellDetection& cell : found) enlarge(cell);
    return found;
  }
  std::unique_ptr<CellsWork> start(int films) const override { return runner_->start(films); }
  void add(CellsWork& work, AnyView frames, Stream& stream) const override {
    runner_->add(work, smaller(frames, stream).view(), stream);
  }
  void finish(CellsWork& work, Stream& stream) const override { runner_->finish(work, stream); }
  int frames_done(const CellsWork& work) const override { return runner_->frames_done(work); }
  std::vector<CellTrack> tracks(const CellsWork& work, int film) const override {
    std::vector<CellTrack> found = runner_->tracks(work, film);
    for (CellTrack& track : found)
      for (CellSpot& spot : track.spots) enlarge(spot);
    return found;
  }
  int most_at_once(const CellsWork& work, int film) const override {
    return runner_->most_at_once(work, film);
  }
  std::string describe() const override {
    return fmt::format("{}, {}x{} pixels as one", runner_->describe(), factor_, factor_);
  }

 private:
  /// Frames on a device are copied: binning leaves little of them.
  Image smaller(AnyView frames, Stream& stream) const {
    if (frames.device == kHost) return binned(frames, factor_, stream.threads());
    ImageInfo info = frames.info();
    info.device = kHost;
    Image copy(info);
    device_stream(stream).copy(frames, copy.view());
    stream.wait();
    return binned(std::as_const(copy).view(), factor_, stream.threads());
  }
  template <class Cell>
  void enlarge(Cell& cell) const {
    cell.x = place_before_binning(cell.x, factor_);
    cell.y = place_before_binning(cell.y, factor_);
    cell.radius *= factor_;
  }

  CellsRunnerPointer runner_;
  int factor_;
};

}  // namespace

int binning_of(const CellsProblem& problem) {
  if (problem.options.model == CellsModel::classic) return 1;
  const int factor = static_cast<int>(std::ceil(problem.radii.back() / (kCells.window - 2)));
  // No such circle fits into a smaller frame, whatever its pixels.
  return std::min(problem.frame.size.width, problem.frame.size.height) < factor ? 1 : factor;
}

CellsRunnerPointer make_binned(CellsRunnerPointer runner, int factor) {
  return std::make_unique<BinnedCells>(std::move(runner), factor);
}

}  // namespace tessera
