// SPDX-License-Identifier: Apache-2.0
/// Films that are followed on a GPU: what they keep there, and what is enqueued when.
///
/// Frames are worked on in groups, so that a launch has many of them: those that arrived are
/// registered and added to their epoch; those whose scene is complete are made gradients, searched
/// for cells and followed, a launch a frame. Nothing depends on how frames are grouped, and the
/// host decides nothing that a device has found.
#pragma once

#include <deque>
#include <mutex>
#include <vector>

#include "ops/cells/cells_kernels_cuda.hpp"

namespace tessera {

class CellsFilmsCuda : public CellsWork {
 public:
  CellsFilmsCuda(const CellsProblem& problem, const CellsKernels& kernels, int films);
  ~CellsFilmsCuda() override;

  void add(AnyView frames, Stream& stream);
  void finish(Stream& stream);
  int frames_done() const;
  std::vector<CellTrack> tracks(int film) const;

 private:
  using Row = CellRow<float>;
  /// Rows on their way to the host.
  struct Fetch {
    Scratch rows;
    int frames;
  };

  void upload(AnyView frames, Stream& stream);
  void work(bool all);
  int group_from(int first, bool all) const;
  bool scene_is_complete(int frame) const;
  void arrive(int count);
  void place_template(int frame);
  void follow(int count);
  CellsStill scene_around(int frame);
  std::vector<int> detect(int count);
  void detect_some(int first, int frames, int step, CellsCrop where, int time);
  void fetch(Scratch rows, int frames);
  void collect() const;
  CellsPlanes smoothed(int first, int count, const Scratch& to, Stream& stream);
  void hand_over();
  CellsRing ring(int first) const;
  int counted_frames(int first_epoch, int end_epoch) const;

  const CellsProblem& problem_;
  const CellsKernels& kernels_;
  int films_, group_, slots_;
  bool still_;
  Stream arriving_;           ///< uploads and registers; frames may come on any stream
  mutable Stream following_;  ///< all memory is its own
  int given_ = 0, arrived_ = 0, followed_ = 0;
  int scene_epoch_ = -1;
  bool scene_empty_ = true;

  Scratch frames_, arrived_smooth_, smooth_, across_, down_, floors_;
  Scratch drifts_, canvases_, sums_, counts_;
  Scratch template_value_, template_known_, samples_, scene_value_, scene_known_;
  CellsPlaces places_{};
  Scratch slots_memory_[2], lives_;
  CellsDetectMemory detected_;

  mutable std::mutex mutex_;  ///< of what follows: asking for tracks collects rows
  mutable std::deque<Fetch> fetches_;
  mutable std::vector<std::vector<Row>> rows_;  ///< a film
  mutable int done_ = 0;
};

}  // namespace tessera
