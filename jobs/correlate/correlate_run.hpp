// SPDX-License-Identifier: Apache-2.0
/// The stages of an ensemble's images: several are read and several correlated at once; they are
/// added in order. Ranks share blocks of them, and rank 0 has the state.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "core/ranks.hpp"
#include "jobs/correlate/correlate_job.hpp"
#include "jobs/correlate/ensemble_blocks.hpp"
#include "jobs/correlate/ensemble_state.hpp"
#include "jobs/correlate/profiles.hpp"
#include "jobs/correlate/scene_files.hpp"
#include "jobs/correlate/scene_loader.hpp"
#include "jobs/correlate/scene_sweep.hpp"
#include "tessera/correlate.hpp"

namespace tessera {

class CorrelateRun {
 public:
  CorrelateRun(const CorrelateJob& job, std::vector<SceneFiles> scenes, std::string state_path,
               Progress progress);

  /// Continues from a saved state if there is one that matches; returns with all images done and
  /// the state saved.
  void run();

  int resumed() const { return resumed_; }
  const std::string& note() const { return note_; }  ///< about a saved state; "" if there is none
  const EnsembleState& state() const { return state_; }
  const StageSeconds& seconds() const { return seconds_; }
  CorrelateFigures figures() const;

 private:
  /// One image.
  struct Work {
    std::size_t index = 0;
    LoadedScene scene;  ///< empty: it cannot be used
    std::vector<double> values;
    SceneOutcome outcome;
    bool normalised = false;
  };
  using Group = std::vector<Work>;

  void resume();
  void begin_together();
  std::string told_of_beginning();
  void process();
  void make_plan_of_first_good_image();
  bool take_block();
  void add_to_block(Work& work);
  void take_blocks();
  void save_if_due();
  bool read(Group& group);
  void load(Work& work, int threads) const;
  void settle(Work& work);
  void check_shifts(const std::string& image, Size size) const;
  void make_plan(Size planes);
  void compute(Group& group);
  bool planes_on_device() const;
  std::vector<double> values_of(const LoadedScene& scene, int threads) const;
  void correlate_photograph(const Image& photograph, std::vector<double>& values) const;
  void measure(std::size_t setting, const Image& map, std::vector<double>& values) const;
  void leave_out_if_not_finite(Work& work) const;
  void write(Group& group);
  int group_images() const;
  void keep_what_is_done() const noexcept;

  const CorrelateJob& job_;
  std::vector<SceneFiles> scenes_;
  std::string state_path_;
  Progress progress_;
  SceneSweep sweep_;
  SceneLoader loader_;
  int threads_;
  EnsembleState state_;
  std::vector<Image> others_;  ///< of every setting, what all images are correlated with; empty:
                               ///< each with itself
  std::optional<Correlate> plan_;
  std::optional<Correlate> plan_there_;  ///< the same for planes on its device, if it has one
  std::optional<MapProfiles> profiles_;
  Size planes_;           ///< of every image, once one is known
  std::size_t next_ = 0;  ///< to be read
  std::size_t end_;       ///< of the images that are read now: all, or those of a block
  std::vector<std::string> signatures_;
  Ranks& ranks_;           ///< that share the blocks
  bool together_ = false;  ///< blocks are handed out
  std::size_t first_ = 0;  ///< image of the first of them
  EnsembleBlock block_;    ///< that this rank is adding to
  BlockQueue blocks_;      ///< of rank 0
  CorrelateOptions options_;
  int resumed_ = 0;
  std::string note_;
  std::chrono::steady_clock::time_point saved_ = std::chrono::steady_clock::now();
  StageSeconds seconds_;
};

}  // namespace tessera
