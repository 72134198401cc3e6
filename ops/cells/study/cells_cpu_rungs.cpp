// SPDX-License-Identifier: Apache-2.0
// The published programs for CPUs: plain C, and OpenMP over pixels, cells or matrix elements.
#include <algorithm>

#include "core/parallel.hpp"
#include "ops/cells/study/cells_rungs.hpp"
#include "ops/cells/study/track_args.cuh"
#include "study/study_threads.hpp"

namespace tessera {
namespace {

/// Threads share the rows of a field and wait for each other after every step.
int solve_by_rows(const double* edges, const StudyWindow& w, double* field, int threads) {
  std::vector<double> from(edges, edges + w.width * w.height), changes(w.height);
  for (int step = 1;; ++step) {
    parallel_for(w.height, threads, [&](int y) {
      changes[y] = plain_mgvf_row(edges, from.data(), w.width, w.height, y, field);
    });
    double change = 0;
    for (const double part : changes) change += part;
    if (change / (w.width * w.height) <= kMgvfTolerance || step == kMostMgvfSteps) return step;
    std::copy_n(field, w.width * w.height, from.data());
  }
}

using Work = std::function<void(const CellsCase&, int threads)>;

void detect(const CellsCase& c, int threads) { detect_by_rows(c, threads, c.detected()); }
void detect_one_pass(const CellsCase& c, int threads) {
  detect_by_rows(c, threads, c.detected(), {.gicov_row = one_pass_gicov_row});
}
void detect_columns(const CellsCase& c, int threads) {
  detect_by_rows(c, threads, c.detected(), {.gicov_row = column_gicov_row, .columns = true});
}
void track(const CellsCase& c, int threads) {
  track_by_cells(c.next_frame(), threads, c.tracked());
}
void track_elements(const CellsCase& c, int threads) {
  track_in_turn(
      c.next_frame(),
      [threads](const double* edges, const StudyWindow& w, double* field) {
        return solve_by_rows(edges, w, field, threads);
      },
      c.tracked());
}
void track_heaviside(const CellsCase& c, int threads) {
  track_in_turn(
      c.next_frame(),
      [threads](const double* edges, const StudyWindow& w, double* field) {
        return mgvf_by_heaviside(edges, w.width, w.height, field, threads);
      },
      c.tracked());
}
void detect_and_track(const CellsCase& c, int threads) {
  detect(c, threads);
  track_film(
      c,
      [threads](const TrackedFrame& frame, Tracked& made) { track_by_cells(frame, threads, made); },
      c.tracked());
}

CellsRung cpu_rung(const std::string& id, const std::string& title, CellsStage stage,
                   const std::vector<std::string>& files, const Work& work, bool one_thread) {
  return {id, title, cells_ladder_files(files),
          [stage, work, one_thread](const CellsCase& c, Stream& stream) {
            PreparedRung rung;
            rung.truth = truth_of(stage, false);
            rung.run = [&c, work, threads = one_thread ? 1 : stream.threads()](Stream&) {
              const ScopedOpenMp as_published;
              work(c, threads);
            };
            return rung;
          },
          !one_thread};
}

std::vector<CellsRung> make_rungs() {
  const std::vector<std::string> detecting{"plain_gradient.", "plain_gicov.", "plain_dilation.",
                                           "plain_outline."};
  const std::vector<std::string> tracking{"plain_gradient.", "plain_mgvf.", "plain_star."};
  const std::vector<std::string> both{"plain_"};
  const auto with = [](std::vector<std::string> files, const char* more) {
    files.emplace_back(more);
    return files;
  };
  const char *const one = "C, one thread", *const cells = "over cells, all threads";
  std::vector<CellsRung> rungs{
      cpu_rung("detect.plain", one, CellsStage::detect, detecting, detect, true),
      cpu_rung("detect.openmp", "over pixels, all threads", CellsStage::detect, detecting, detect,
               false),
      cpu_rung("detect.openmp.one-pass", "the same, variance in one pass", CellsStage::detect,
               with(detecting, "c1_"), detect_one_pass, false),
      cpu_rung("detect.openmp.columns", "the same, gradients by columns", CellsStage::detect,
               with(detecting, "c2_"), detect_columns, false),
      cpu_rung("track.plain", one, CellsStage::track, tracking, track, true),
      cpu_rung("track.openmp", cells, CellsStage::track, tracking, track, false),
      cpu_rung("track.elements", "over matrix elements, all threads", CellsStage::track, tracking,
               track_elements, false),
      cpu_rung("track.openmp.heaviside", "over each Heaviside call", CellsStage::track,
               with(tracking, "c3_"), track_heaviside, false),
      cpu_rung("film.plain", one, CellsStage::film, both, detect_and_track, true),
      cpu_rung("film.openmp", cells, CellsStage::film, both, detect_and_track, false)};
  for (CellsRung& ours : our_cells_rungs(Backend::cpu)) rungs.push_back(std::move(ours));
  return rungs;
}

}  // namespace

std::vector<std::string> cells_ladder_files(const std::vector<std::string>& beginnings) {
  std::vector<std::string> files;
  for (const std::string& beginning : beginnings) files.push_back("ops/cells/study/" + beginning);
  return files;
}

const std::vector<CellsRung>& cells_cpu_rungs() { return rungs_by_threads(make_rungs); }

}  // namespace tessera
