// SPDX-License-Identifier: Apache-2.0
/// How well tracks agree with the truth.
///
/// A gate (5 pixels) defines what is near: two spots at that distance or more are unrelated.
///
/// **Tracks as wholes** (Chenouard et al., Objective comparison of particle tracking methods,
/// Nature Methods 2014). The distance between a true track and a found one is the sum, over all
/// frames that at least one of them has, of min(distance, gate), or of the gate if only one is
/// present. Every true track is paired with a found track or with nothing, which costs its frames
/// times the gate; the pairing with the smallest sum d counts. With D = gate x all true spots:
///
/// * alpha = 1 - d / D: 1 is perfect, 0 is as good as no tracks;
/// * beta = (D - d) / (D + gate x all spots of unpaired tracks): false tracks count too;
/// * JSC = TP / (TP + FN + FP) of spots: TP are those of pairs, nearer than the gate; FN true spots
///   and FP found spots that are not among them;
/// * JSC theta: the same for tracks: TP are pairs, FN and FP are unpaired true and found tracks;
/// * RMSE: root of the mean squared distance over TP.
///
/// **Spots.** In every frame true and found spots are paired one to one, regardless of their
/// tracks: pairs are nearer than the gate and have the largest sum of (gate - distance). Recall is
/// the share of true spots with a partner, precision that of found spots.
///
/// **Cells.** A true cell counts if it has 10 spots or more. It is *found* if one track is nearer
/// than the gate in at least half of its frames; a track finds at most one cell (the pairs with the
/// largest number of frames are chosen). A track is *false* if fewer than half of its spots have a
/// partner in the pairing of spots, so a second track on the same cell is false. Tracks that are
/// neither false nor found a cell are *pieces*; their cells were found by another track or by none.
///
/// **At a frame** (60): the share of all true cells in that frame whose partner is within 2 px; and
/// the same share among those true cells whose finding track has a spot in that frame.
///
/// **Velocity.** For a found cell and its track, over the frames that both have: the vector from
/// the first to the last position, divided by the number of frames between them. The error is the
/// length of the difference of the two vectors; its mean is over found cells with at least 10
/// frames between them.
///
/// **Crossings** (sample/cell_crossings.hpp) are found in the truth, which needs radii. A track
/// follows a cell in 5 frames if it is its partner in at least 3 of them. A crossing is kept if
/// both cells are followed in the 5 frames before and in the 5 after it, each by the same track.
/// Crossings of cells that were never found are not kept.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tessera/cells.hpp"
#include "tessera/options.hpp"

namespace tessera {

struct CellScoreOptions {
  double gate = 5;
  double near = 2;
  int frame = 60;
  std::optional<double> um_per_pixel = {};

  static constexpr auto fields() {
    using O = CellScoreOptions;
    return std::tuple{field("gate", &O::gate, "distance in pixels at which spots are unrelated",
                            more_than(0, 1e6)),
                      field("near", &O::near, "distance in pixels that counts as near at one frame",
                            Range{0, 1e6}),
                      field("frame", &O::frame, "that frame, counted from 0"),
                      field("um-per-pixel", &O::um_per_pixel,
                            "micrometres per pixel, for tables that TrackMate exported in "
                            "micrometres; XML has its own",
                            more_than(0))};
  }
};

/// Shares and means without any data are left empty.
struct CellScore {
  std::optional<double> alpha, beta, jsc, jsc_theta, rmse;
  std::optional<double> precision, recall;
  int cells = 0, found = 0;
  std::optional<double> found_share;
  int tracks = 0, false_tracks = 0, pieces = 0;
  std::optional<double> false_share;
  int there = 0, near = 0, followed = 0, near_followed = 0;
  std::optional<double> near_share, near_followed_share;
  int velocities = 0;
  std::optional<double> velocity_error, worst_velocity_error;
  int crossings = 0, crossings_kept = 0;
  std::optional<double> kept_share;

  static constexpr auto fields() {
    using S = CellScore;
    return std::tuple{
        field("alpha", &S::alpha, "of the ISBI 2012 challenge"),
        field("beta", &S::beta, "the same, lowered by false tracks"),
        field("jsc", &S::jsc, "Jaccard similarity of spots"),
        field("jsc_theta", &S::jsc_theta, "Jaccard similarity of tracks"),
        field("rmse", &S::rmse, "root mean square distance of paired spots, pixels"),
        field("precision", &S::precision, "share of found spots that are true"),
        field("recall", &S::recall, "share of true spots that are found"),
        field("cells", &S::cells, "true cells with 10 spots or more"),
        field("found", &S::found, "those that a track follows for half of their frames"),
        field("found_share", &S::found_share, "of cells"),
        field("tracks", &S::tracks, "tracks of the result"),
        field("false_tracks", &S::false_tracks, "those with less than half of their spots true"),
        field("pieces", &S::pieces, "those that are true but found no cell"),
        field("false_share", &S::false_share, "of tracks"),
        field("there", &S::there, "true cells at the frame"),
        field("near", &S::near, "those with a spot nearby"),
        field("near_share", &S::near_share, "of true cells there"),
        field("followed", &S::followed, "found cells there whose track is there too"),
        field("near_followed", &S::near_followed, "those of them whose spot is near"),
        field("near_followed_share", &S::near_followed_share, "of those followed"),
        field("velocities", &S::velocities, "found cells with a velocity"),
        field("velocity_error", &S::velocity_error,
              "mean error of their velocity, pixels per frame"),
        field("worst_velocity_error", &S::worst_velocity_error, "the largest"),
        field("crossings", &S::crossings, "times a true cell overtakes another"),
        field("crossings_kept", &S::crossings_kept, "with the same tracks before and after"),
        field("kept_share", &S::kept_share, "of crossings")};
  }
  std::string describe() const;
};

/// Throws Error(usage) for invalid options. Spots of a track are in the order of frames, at most
/// one per frame; gaps are allowed.
CellScore score_tracks(const std::vector<CellTrack>& truth, const std::vector<CellTrack>& result,
                       const CellScoreOptions& options = {});

/// Two files: tables such as tracks.csv, files of TrackMate, or XML of the ISBI challenge.
struct CellScoreJob {
  std::string truth, result;
  CellScoreOptions options;

  CellScore run() const;
};

}  // namespace tessera
