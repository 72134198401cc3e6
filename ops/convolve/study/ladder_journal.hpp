// SPDX-License-Identifier: Apache-2.0
/// The journal of the search: one line for every candidate that was tried, so that a search that
/// was stopped measures nothing twice. A journal of one machine can be read on any other.
///
///     # convolve search@1	NVIDIA H200	4096x4096
///     8	17x43	16x64	6	0.6512	0.004	verified
///     8	43x43	64x16	10	-	-	infeasible: its tile takes …
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "ops/convolve/study/ladder_space.hpp"

namespace tessera {

struct LadderRecord {
  std::string rung;
  StudySize filter;  ///< the part that the rung applies: 17x1 for s1
  LadderCandidate candidate;
  std::optional<double> ms, spread;
  std::string outcome;  ///< "verified", or "infeasible", "failed" or "wrong" and the reason

  bool verified() const { return outcome == "verified"; }
  bool infeasible() const { return outcome.starts_with("infeasible"); }
  bool operator==(const LadderRecord&) const = default;
};

std::string record_text(const LadderRecord& record);
/// Throws Error(input) naming `what`.
LadderRecord parse_record(const std::string& what, const std::string& line);

class LadderJournal {
 public:
  /// Reads what the file holds. On a `device` (its name; "" means that nothing will be measured) it
  /// is continued, or begun if there is none. An empty path keeps nothing. Throws Error(input) if
  /// the file is something else, or was made on another device or for another `side` of the image.
  LadderJournal(std::string path, const std::string& device, int side);

  const std::string& path() const { return path_; }
  const std::string& device() const { return device_; }  ///< where it was measured
  const LadderRecord* find(const std::string& rung, StudySize filter,
                           const LadderCandidate& candidate) const;
  /// The filters that it has lines of a rung for, in the order of their sizes.
  std::vector<StudySize> filters(const std::string& rung) const;
  /// Kept on disk before it returns.
  void add(const LadderRecord& record);

 private:
  void read(std::string text, const std::string& device, int side);

  using Key = std::tuple<std::string, int, int, LadderCandidate>;
  std::string path_, device_;
  std::map<Key, LadderRecord> records_;
};

}  // namespace tessera
