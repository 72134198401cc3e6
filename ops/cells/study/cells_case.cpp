// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/study/cells_case.hpp"

#include <fmt/format.h>

#include <limits>

#include "core/parallel.hpp"
#include "ops/cells/study/cells_agreement.hpp"
#include "ops/cells/study/cells_product.hpp"

namespace tessera {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN(), kStartRadius = 10;

std::vector<double> samples_of(const Image& film, int frame, int first_row, int rows,
                               double scale) {
  const auto pixels = film.as<unsigned char>();
  std::vector<double> samples;
  samples.reserve(static_cast<std::size_t>(rows) * film.info().size.width);
  for (int y = first_row; y < first_row + rows; ++y)
    for (int x = 0; x < film.info().size.width; ++x)
      samples.push_back(pixels.at(x, y, 0, frame) / scale);
  return samples;
}

CellsStage stage_of(const PreparedRung& rung) { return static_cast<CellsStage>(rung.truth / 2); }
bool is_ours(const PreparedRung& rung) { return rung.truth % 2 == 1; }

}  // namespace

StarCell started_cell(const StudyFilm::Cell& cell) {
  StarCell star{cell.x, cell.y, cell.y};
  star.radii.fill(kStartRadius);
  return star;
}

CellsCase::CellsCase(StudyFilm film) : film_(std::move(film)) {
  cropped_ = samples_of(film_.frames, 0, film_.crop_top, film_.crop_rows, 1);
  for (int k = 1; k < kFramesADetection; ++k)
    frames_.push_back(samples_of(film_.frames, k, 0, frame_height(), 255));
  for (const StudyFilm::Cell& cell : film_.cells) cells_.push_back(started_cell(cell));
}

TrackedFrame CellsCase::frame(int k, const std::vector<StarCell>& cells) const {
  return {frames_.at(static_cast<std::size_t>(k - 1)).data(), width(), frame_height(), cells};
}

std::string CellsCase::name() const {
  return fmt::format("{}x{}, {} cells", width(), crop_height(), cells_.size());
}

void CellsCase::poison(const PreparedRung&, Stream&) const {
  const std::size_t pixels = cropped_.size();
  detected_ = {std::vector<double>(pixels, kNothing), std::vector<double>(pixels, kNothing), {}};
  tracked_ = empty_tracked(cells_);
  found_.clear();
  tracks_.clear();
}

std::string CellsCase::disagreement(const PreparedRung& rung, Stream&) const {
  const CellsStage stage = stage_of(rung);
  if (is_ours(rung) && !film_.truth_known)
    return stage == CellsStage::detect ? other_detections(reference_found(), found_)
                                       : other_tracks(reference_tracks(stage), tracks_);
  if (is_ours(rung))
    return stage == CellsStage::detect ? missing_cells(film_, found_) : lost_cells(film_, tracks_);
  if (stage == CellsStage::track) return wrong_tracking(true_tracked(), tracked_, rung.bound);
  const std::string wrong = wrong_detection(true_detected(), detected_, rung.bound > 0);
  if (stage == CellsStage::detect || !wrong.empty()) return wrong;
  return wrong_positions(true_film(), tracked_, rung.bound > 0);
}

const Detected& CellsCase::true_detected() const {
  if (true_detected_.gicov.empty()) detect_by_rows(*this, available_threads(), true_detected_);
  return true_detected_;
}

const Tracked& CellsCase::true_tracked() const {
  if (true_tracked_.cells.empty()) track_by_cells(next_frame(), available_threads(), true_tracked_);
  return true_tracked_;
}

const Tracked& CellsCase::true_film() const {
  if (true_film_.cells.empty())
    track_film(
        *this,
        [](const TrackedFrame& frame, Tracked& made) {
          track_by_cells(frame, available_threads(), made);
        },
        true_film_);
  return true_film_;
}

const std::vector<CellDetection>& CellsCase::reference_found() const {
  if (!reference_found_) reference_found_ = product_detections(*this);
  return *reference_found_;
}

const std::vector<CellTrack>& CellsCase::reference_tracks(CellsStage stage) const {
  auto& tracks = reference_tracks_[static_cast<int>(stage)];
  if (!tracks) tracks = product_tracks(*this, stage);
  return *tracks;
}

void detect_by_rows(const CellsCase& c, int threads, Detected& made, const DetectLoops& loops) {
  PartSeconds unread;
  PartSeconds& parts = loops.parts ? *loops.parts : unread;
  const PartClock all(parts.all);
  const int width = c.width(), height = c.crop_height();
  const std::size_t pixels = c.cropped().size();
  std::vector<double> along_x(pixels), along_y(pixels);
  plain_gradient(c.cropped().data(), width, height, along_x.data(), along_y.data());
  made.gicov.resize(pixels);
  made.dilated.resize(pixels);
  {
    const PartClock scores(parts.scores);
    std::vector<double> other_x, other_y;
    if (loops.columns) {
      other_x = by_columns(along_x, width, height);
      other_y = by_columns(along_y, width, height);
    }
    const std::vector<double>& from_x = loops.columns ? other_x : along_x;
    const std::vector<double>& from_y = loops.columns ? other_y : along_y;
    parallel_for(height, threads, [&](int y) {
      loops.gicov_row(from_x.data(), from_y.data(), width, height, y,
                      made.gicov.data() + y * width);
    });
  }
  {
    const PartClock dilation(parts.dilation);
    parallel_for(height, threads, [&](int y) {
      plain_dilation_row(made.gicov.data(), width, height, y, made.dilated.data() + y * width);
    });
  }
  made.cells = plain_outlines(made.gicov.data(), made.dilated.data(), along_x.data(),
                              along_y.data(), width, height, c.crop());
}

}  // namespace tessera
