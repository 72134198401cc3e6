// SPDX-License-Identifier: Apache-2.0
/// The corrected model on the CPU over the heavy loops of a method: frames wait until the scene
/// around them is known, then cells are found and followed.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ops/cells/cells_film_tracks.hpp"
#include "ops/cells/scene/cells_still_scene.hpp"
#include "tessera/image.hpp"

namespace tessera {

/// One film.
template <class Real>
class CellsPipeline {
 public:
  CellsPipeline(const CellsProblem& problem, const CellsParts<Real>& parts)
      : problem_(problem),
        parts_(parts),
        still_(takes_still_away(problem)),
        tables_(outline_tables<Real>()),
        scene_(problem, parts),
        tracks_(problem, parts) {}

  void add(AnyView frame, Stream& stream) {
    parts_.smooth(frame, smooth_, stream);
    if (!still_) {
      follow(smooth_, {}, {}, stream);
      return;
    }
    const CellDrift drift = scene_.add(smooth_, stream);
    waiting_.push_back({copy(frame), drift});
    while (!waiting_.empty() && scene_.complete(tracks_.frames())) next(stream);
  }
  void finish(Stream& stream) {
    tracks_.ends_after(tracks_.frames() + static_cast<int>(waiting_.size()));
    while (!waiting_.empty()) next(stream);
  }
  int frames_done() const { return tracks_.frames(); }
  std::vector<CellTrack> tracks() const {
    return tracks_of(tracks_.rows(), *problem_.options.min_frames);
  }
  CellsLives lives() const { return lives_of(tracks_.rows()); }
  const std::vector<CellDrift>& drifts() const { return drifts_; }

 private:
  /// Frames wait in their own type: mostly one byte per pixel; smoothed frames would take 4 or 8.
  struct Waiting {
    Image frame;
    CellDrift drift;
  };

  void next(Stream& stream) {
    const Waiting& first = waiting_.front();
    parts_.smooth(first.frame.view(), smooth_, stream);
    const CellDrift last = drifts_.empty() ? CellDrift{} : drifts_.back();
    const CellsJump<Real> jump = jump_between<Real>(last.x, last.y, first.drift.x, first.drift.y);
    drifts_.push_back(first.drift);
    if (scene_.make(tracks_.frames(), stream)) take_cells_out(stream);
    if (scene_.made().value.empty()) {
      follow(smooth_, {}, jump, stream);
    } else {
      const CellBackdrop<Real> ground = subtract_scene(stream);
      follow(moving_, ground, jump, stream);
    }
    waiting_.pop_front();
  }

  /// Cells that stand must not vanish with the scene. They are compared with the cells that move:
  /// those followed or, before there are any, those that the first frame shows.
  void take_cells_out(Stream& stream) {
    if (scene_.made().value.empty()) return;
    TypicalSlopes<Real> typical = tracks_.typical();
    if (!typical.known()) typical = typical_of_first(stream);
    gradients_.take(scene_.made().value, parts_, stream);
    gradients_.ground = {};
    scene_.take_cells_out(circles_of(gradients_, stream), typical, tables_.circle);
  }
  TypicalSlopes<Real> typical_of_first(Stream& stream) {
    if (tracks_.frames() == 0) {
      subtract_scene(stream);
      gradients_.take(moving_, parts_, stream);
      const auto finds = circles_of(gradients_, stream);
      first_ = typical_slopes(
          finds.data(), static_cast<int>(finds.size()),
          [&](const CellFind<Real>& find) { return !scene_.has_ghost(find, tables_.circle); });
    }
    return first_;
  }
  std::vector<CellFind<Real>> circles_of(const GradientPlanes<Real>& planes, Stream& stream) const {
    return find_cells(planes, problem_.crop, problem_, parts_, tables_, stream);
  }

  /// The first waiting frame, which is in smooth_, minus the scene.
  CellBackdrop<Real> subtract_scene(Stream& stream) {
    const StillScene<Real>& scene = scene_.made();
    const CellDrift drift = waiting_.front().drift, at = scene_.made_at();
    const CellBackdrop<Real> ground{scene.value.data(), scene.known.data(),
                                    static_cast<Real>(drift.x - at.x),
                                    static_cast<Real>(drift.y - at.y)};
    parts_.subtract(smooth_, scene, ground.shift_x, ground.shift_y, moving_, stream);
    return ground;
  }

  void follow(const CellPlane<Real>& plane, CellBackdrop<Real> ground, CellsJump<Real> jump,
              Stream& stream) {
    gradients_.take(plane, parts_, stream);
    gradients_.ground = ground;
    tracks_.add(gradients_, jump, stream);
  }

  const CellsProblem& problem_;
  const CellsParts<Real>& parts_;
  bool still_;
  OutlineTables<Real> tables_;
  CellsScene<Real> scene_;
  FilmTracks<Real> tracks_;
  std::deque<Waiting> waiting_;
  std::vector<CellDrift> drifts_;  ///< of the frames followed
  TypicalSlopes<Real> first_;      ///< of the cells in the first frame
  CellPlane<Real> smooth_, moving_;
  GradientPlanes<Real> gradients_;
};

/// The state of a runner's films.
template <class Real>
struct CellsFilms : CellsWork {
  std::vector<std::unique_ptr<CellsPipeline<Real>>> films;
};

/// A method: the pipeline over its heavy loops.
template <class Real>
class CellsPipelineRunner : public CellsRunner {
 public:
  CellsPipelineRunner(const CellsProblem& problem, std::unique_ptr<const CellsParts<Real>> parts,
                      std::string described)
      : problem_(problem),
        parts_(std::move(parts)),
        tables_(outline_tables<Real>()),
        described_(std::move(described)) {}

  std::vector<CellDetection> detect(AnyView frame, Stream& stream) const override {
    CellPlane<Real> smooth;
    GradientPlanes<Real> gradients;
    parts_->smooth(frame, smooth, stream);
    gradients.take(smooth, *parts_, stream);
    std::vector<CellDetection> list;
    for (const CellFind<Real>& f :
         find_cells(gradients, problem_.crop, problem_, *parts_, tables_, stream))
      list.push_back({static_cast<double>(f.x), static_cast<double>(f.y),
                      static_cast<double>(f.radius), static_cast<double>(f.score)});
    return list;
  }
  std::unique_ptr<CellsWork> start(int films) const override {
    auto work = std::make_unique<CellsFilms<Real>>();
    for (int i = 0; i < films; ++i)
      work->films.push_back(std::make_unique<CellsPipeline<Real>>(problem_, *parts_));
    return work;
  }
  void add(CellsWork& work, AnyView frames, Stream& stream) const override {
    auto& films = static_cast<CellsFilms<Real>&>(work).films;
    for (size_t i = 0; i < films.size(); ++i)
      films[i]->add(frames.only_plane(static_cast<int>(i)), stream);
  }
  void finish(CellsWork& work, Stream& stream) const override {
    for (auto& film : static_cast<CellsFilms<Real>&>(work).films) film->finish(stream);
  }
  int frames_done(const CellsWork& work) const override {
    return static_cast<const CellsFilms<Real>&>(work).films.front()->frames_done();
  }
  std::vector<CellTrack> tracks(const CellsWork& work, int film) const override {
    return static_cast<const CellsFilms<Real>&>(work).films[static_cast<size_t>(film)]->tracks();
  }
  CellsLives lives(const CellsWork& work, int film) const override {
    return static_cast<const CellsFilms<Real>&>(work).films[static_cast<size_t>(film)]->lives();
  }
  std::vector<CellDrift> drifts(const CellsWork& work, int film) const override {
    return static_cast<const CellsFilms<Real>&>(work).films[static_cast<size_t>(film)]->drifts();
  }
  std::string describe() const override { return described_; }

 private:
  CellsProblem problem_;
  std::unique_ptr<const CellsParts<Real>> parts_;
  OutlineTables<Real> tables_;
  std::string described_;
};

}  // namespace tessera
