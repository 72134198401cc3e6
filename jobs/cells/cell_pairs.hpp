// SPDX-License-Identifier: Apache-2.0
/// Which true and found spots and tracks belong together (definitions: cell_score.hpp).
#pragma once

#include <vector>

#include "jobs/cells/cell_assignment.hpp"
#include "tessera/cells.hpp"

namespace tessera {

/// The partner of a true spot in its frame.
struct SpotPartner {
  int track = -1;  ///< index of a found track; -1: none
  double distance = 0;
};

class CellPairs {
 public:
  using Tracks = std::vector<CellTrack>;

  CellPairs(const Tracks& truth, const Tracks& result, double gate);

  /// For every pair of tracks: frames that both have, those in which they are nearer than the gate,
  /// and over these the sum of (gate - distance) and of squared distances.
  struct Meeting {
    int common = 0, near = 0;
    double gain = 0, squares = 0;
  };
  const Meeting& meeting(int truth, int found) const {
    return meetings_[static_cast<std::size_t>(truth) * found_.size() +
                     static_cast<std::size_t>(found)];
  }
  /// The found track of every true one, -1 for none, with the smallest sum of distances.
  const std::vector<int>& track_pairs() const { return track_pairs_; }
  /// How much smaller the sum of distances is with those pairs than without any tracks.
  double saved() const { return saved_; }
  /// The same with the largest number of near frames; only pairs in which these are at least half
  /// of the frames of a true track with `least` frames or more.
  std::vector<int> pairs_by_frames(int least) const;

  /// Partners of a true track's spots, in their order; and how many of a found track's spots have
  /// one.
  const std::vector<SpotPartner>& partners(int truth) const {
    return partners_[static_cast<std::size_t>(truth)];
  }
  int partnered(int found) const { return partnered_[static_cast<std::size_t>(found)]; }

 private:
  void meet();
  void pair_tracks();

  const Tracks &truth_, &found_;
  double gate_;
  std::vector<Meeting> meetings_;
  std::vector<int> track_pairs_;
  double saved_ = 0;
  std::vector<std::vector<SpotPartner>> partners_;
  std::vector<int> partnered_;
};

}  // namespace tessera
