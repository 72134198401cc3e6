// SPDX-License-Identifier: Apache-2.0
/// The rows of the score card (score_card.hpp): which rungs answer which conclusion.
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// Names of rungs, or beginnings that end with a dot.
struct ScoreRungs {
  std::vector<std::string> cpu, gpu, copies;
};

/// A figure that is asked for besides the ratio of times.
enum class ScoreFigure { none, frames_a_second, transfers_share };

struct ScoreQuestion {
  std::string question, study;
  std::string rung, quantity;  ///< the row of published.tsv with the conclusion
  std::string words;           ///< more words of the source
  std::string price, effort;
  std::string sizes = "all";  ///< the options of the run
  ScoreRungs paper, ours;
  std::string ending = {};  ///< of the names of rungs
  ScoreFigure figure = ScoreFigure::none;
  bool steps = false;  ///< a way is the sum of the fastest rungs of the four steps
};

const std::vector<ScoreQuestion>& score_questions();

}  // namespace tessera
