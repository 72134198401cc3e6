// SPDX-License-Identifier: Apache-2.0
/// The tracks of a film as they were followed, before edits. They are kept in the output folder, so
/// that edits can be applied without following the film again.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "jobs/cells/cells_job.hpp"
#include "jobs/cells/cells_result.hpp"
#include "jobs/cells/cells_text.hpp"
#include "tessera/cells.hpp"

namespace tessera {

inline constexpr const char* kFollowedName = "followed.tracks";

/// Everything that tracks depend on, by name: version, film, method and options as text.
using TrackGrounds = std::vector<std::pair<std::string, std::string>>;

/// Nothing if the film is not a file that can be read twice (standard input, a pipe, an array).
std::optional<TrackGrounds> track_grounds(const CellsJob& job, const Cells& plan);

/// Keeps what `follow_film` has put into a result: tracks with all bits of their numbers, options
/// as used, sizes, doubts, notes and warnings. The file is written, but not yet in its place:
/// `finish` it together with the tables.
std::unique_ptr<TextFile> begin_followed(const std::string& path, const TrackGrounds& grounds,
                                         const CellsFilmResult& result);

/// Either `taken`, or the reason; the reason is empty if there is no such file.
struct FollowedReading {
  bool taken = false;
  std::string why_not;
};

/// Puts them back, if the file is whole and depends on the same; otherwise leaves the result as it
/// is.
FollowedReading read_followed(const std::string& path, const TrackGrounds& grounds,
                              CellsFilmResult& result);

}  // namespace tessera
