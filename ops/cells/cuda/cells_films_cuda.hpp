// SPDX-License-Identifier: Apache-2.0
/// Following films on a GPU: what stays in device memory, and what is enqueued when.
///
/// Frames are processed in groups, so that a launch has many of them. Frames that have arrived are
/// registered and added to their epoch. Frames whose scene is complete get gradients, are searched
/// for cells and followed, one launch per frame. Results do not depend on the grouping, and the
/// host makes no decision that depends on results on the device.
#pragma once

#include <vector>

#include "ops/cells/cuda/cells_kernels_cuda.hpp"
#include "ops/cells/cuda/cells_rows_cuda.hpp"
#include "ops/cells/scene/cells_epochs.hpp"

namespace tessera {

class CellsFilmsCuda : public CellsWork {
 public:
  CellsFilmsCuda(const CellsProblem& problem, const CellsKernels& kernels, int films);
  ~CellsFilmsCuda() override;

  void add(AnyView frames, Stream& stream);
  void finish(Stream& stream);
  int frames_done() const { return rows_.frames_done(); }
  std::vector<CellTrack> tracks(int film) const {
    return rows_.tracks(film, *problem_.options.min_frames);
  }
  CellsLives lives(int film) const { return rows_.lives(film); }
  std::vector<CellDrift> drifts(int film) const { return rows_.drifts(film); }

 private:
  struct StillMemory {
    Scratch value, known;
    CellsStill still() const { return {value.as<float>(), known.as<unsigned char>()}; }
  };

  void upload(AnyView frames, Stream& stream);
  void work(bool all);
  int group_from(int first, bool all) const;
  void arrive(int count);
  CellsSceneArgs scene_of(EpochSpan epochs, int at, CellsStill out) const;
  void place_template(int frame);
  void follow(int count);
  Scratch fetch_drifts(int count);
  CellsStill scene_around(int frame);
  void take_cells_out(EpochSpan epochs, int frame);
  void find_circles(CellsPlanes planes, CellsStill scene, int epoch);
  std::vector<int> detect(int count);
  void detect_some(int first, int frames, int step, CellsCrop where, int time);
  CellsPlanes smoothed(int first, int count, const Scratch& to, Stream& stream);
  void hand_over();
  CellsRing ring(int first) const;

  const CellsProblem& problem_;
  const CellsKernels& kernels_;
  int films_, group_, kept_, slots_;  ///< group, kept: frames
  bool still_;
  Stream arriving_;   ///< uploads and registers; frames may arrive on any stream
  Stream following_;  ///< all memory is its own
  int given_ = 0, arrived_ = 0, followed_ = 0;
  int scene_epoch_ = -1;
  int last_detection_ = -1;  ///< frame; known when the film has ended
  bool scene_empty_ = true;

  Scratch frames_, arrived_smooth_, smooth_, across_, down_, floors_;
  Scratch drifts_, canvases_, sums_, counts_, samples_, talk_;
  StillMemory template_, median_;
  StillMemory scenes_[2];  ///< of even and of odd epochs: the scene of an epoch and the one before
  Scratch standing_, first_slopes_;
  CellsPlaces places_{};
  Scratch slots_memory_[2], lives_;
  CellsDetectMemory detected_;
  CellsRowsCuda rows_;
};

}  // namespace tessera
