// SPDX-License-Identifier: Apache-2.0
#include "jobs/correlate/ensemble_blocks.hpp"

#include <utility>

#include "jobs/batch_manifest.hpp"
#include "report/json.hpp"

namespace tessera {
namespace {

void append(std::string& text, const std::vector<double>& values) {
  text.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
}

std::vector<double> doubles_at(const std::string& text, std::size_t from, std::size_t count) {
  std::vector<double> values(count);
  text.copy(reinterpret_cast<char*>(values.data()), count * sizeof(double), from);
  return values;
}

}  // namespace

std::string to_message(const EnsembleBlock& block) {
  Json outcomes = Json::array();
  for (const SceneOutcome& one : block.outcomes)
    outcomes.push_back({storable(one.input), storable(one.error), one.warnings});
  const Json head{{"first", block.first},           {"last", block.last},
                  {"images", block.moments.images}, {"values", block.moments.means.size()},
                  {"normalised", block.normalised}, {"outcomes", outcomes}};
  std::string message = head.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  append(message, block.moments.means);
  append(message, block.moments.squares);
  return message;
}

EnsembleBlock block_of_message(const std::string& message) {
  const std::size_t line = message.find('\n');
  const Json head = Json::parse(message.substr(0, line));
  const auto values = head.at("values").get<std::size_t>();
  EnsembleBlock block;
  block.first = head.at("first").get<long long>();
  block.last = head.at("last").get<long long>();
  block.normalised = head.at("normalised").get<int>();
  block.moments = {head.at("images").get<int>(), doubles_at(message, line + 1, values),
                   doubles_at(message, line + 1 + values * sizeof(double), values)};
  for (const Json& one : head.at("outcomes"))
    block.outcomes.push_back({one.at(0).get<std::string>(), one.at(1).get<std::string>(),
                              one.at(2).get<std::vector<std::string>>()});
  return block;
}

void BlockQueue::move_to(EnsembleState& state, const std::vector<std::string>& signatures) {
  while (!waiting_.empty() && waiting_.begin()->first == std::ssize(state.outcomes)) {
    EnsembleBlock block = std::move(waiting_.extract(waiting_.begin()).mapped());
    state.ensemble.add_block(block.last, std::move(block.moments));
    state.normalised += block.normalised;
    for (SceneOutcome& outcome : block.outcomes) {
      state.signatures.push_back(signatures[state.outcomes.size()]);
      state.outcomes.push_back(std::move(outcome));
    }
  }
}

}  // namespace tessera
