// SPDX-License-Identifier: Apache-2.0
// The runner of the classic model: cells are found in the first frame and followed to the end.
#include "ops/cells/classic/cells_classic.hpp"

#include <cmath>

#include "core/parallel.hpp"

namespace tessera {
namespace {

struct ClassicWork : CellsWork {
  struct Film {
    std::vector<ClassicCell> cells;
  };
  std::vector<Film> films;
  int frames = 0;
};

/// If the published program's position stops being a number, the track ends too. Nothing is scored
/// after detection: spots keep the score of the detected cell.
CellTrack track_of(const ClassicCell& cell, int id) {
  CellTrack track{id, {}};
  for (const ClassicSpot& spot : cell.path) {
    if (!std::isfinite(spot.x) || !std::isfinite(spot.y)) break;
    const int frame = static_cast<int>(track.spots.size());
    track.spots.push_back({frame, spot.x, spot.y, spot.radius, cell.found.score, true, spot.radii});
  }
  return track;
}

class Classic : public CellsRunner {
 public:
  explicit Classic(const CellsProblem& problem) : problem_(problem) {}
  std::string describe() const override { return "in double, as published"; }

  std::vector<CellDetection> detect(AnyView frame, Stream& stream) const override {
    return classic_detect(problem_, frame, 0, stream.threads()).cells;
  }

  std::unique_ptr<CellsWork> start(int films) const override {
    auto work = std::make_unique<ClassicWork>();
    work->films.resize(static_cast<std::size_t>(films));
    return work;
  }

  void add(CellsWork& given, AnyView frames, Stream& stream) const override {
    auto& work = static_cast<ClassicWork&>(given);
    if (work.frames++ == 0)
      find(work, frames, stream.threads());
    else
      follow(work, frames, stream.threads());
  }

  void finish(CellsWork&, Stream&) const override {}
  int frames_done(const CellsWork& work) const override {
    return static_cast<const ClassicWork&>(work).frames;
  }

  CellsLives lives(const CellsWork&, int) const override { return {}; }  // it has no trial
  std::vector<CellTrack> tracks(const CellsWork& work, int film) const override {
    std::vector<CellTrack> tracks;
    int id = 0;
    for (const ClassicCell& cell : film_of(work, film).cells)
      tracks.push_back(track_of(cell, ++id));
    return tracks;
  }

 private:
  static const ClassicWork::Film& film_of(const CellsWork& work, int film) {
    return static_cast<const ClassicWork&>(work).films[static_cast<std::size_t>(film)];
  }

  void find(ClassicWork& work, const AnyView& frames, int threads) const {
    int film = 0;
    for (ClassicWork::Film& each : work.films)
      for (const CellDetection& cell : classic_detect(problem_, frames, film++, threads).cells)
        each.cells.push_back(classic_cell(cell));
  }

  static void follow(ClassicWork& work, const AnyView& frames, int threads) {
    std::vector<std::pair<ClassicCell*, int>> all;
    int film = 0;
    for (ClassicWork::Film& each : work.films) {
      for (ClassicCell& cell : each.cells) all.emplace_back(&cell, film);
      ++film;
    }
    parallel_for(static_cast<int>(all.size()), threads, [&](int k) {
      const auto [cell, of] = all[static_cast<std::size_t>(k)];
      classic_follow(*cell, frames, of);
    });
  }

  CellsProblem problem_;
};

}  // namespace

CellsRunnerPointer make_cells_classic(const CellsProblem& problem) {
  return std::make_unique<Classic>(problem);
}

}  // namespace tessera
