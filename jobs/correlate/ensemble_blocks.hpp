// SPDX-License-Identifier: Apache-2.0
/// Blocks of an ensemble that ranks make (core/ranks.hpp), and rank 0 puts together in their order.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "jobs/correlate/ensemble_state.hpp"

namespace tessera {

/// The outcome of the images of a block.
struct EnsembleBlock {
  long long first = 0;  ///< place of its first image
  long long last = 0;   ///< place of the last image with values
  Moments moments;
  int normalised = 0;
  std::vector<SceneOutcome> outcomes;
};

/// A block as a message, and back.
std::string to_message(const EnsembleBlock& block);
EnsembleBlock block_of_message(const std::string& message);

/// Keeps blocks until those before them are there.
class BlockQueue {
 public:
  void add(EnsembleBlock block) { waiting_.emplace(block.first, std::move(block)); }
  /// Adds to the state all blocks that follow it without a gap. `signatures` are those of all
  /// images.
  void move_to(EnsembleState& state, const std::vector<std::string>& signatures);

 private:
  std::map<long long, EnsembleBlock> waiting_;
};

}  // namespace tessera
