// SPDX-License-Identifier: Apache-2.0
/// The channels that a rank correlates (core/ranks.hpp), and the integrations of all of them, which
/// rank 0 puts together. Where ranks run apart, rank 0 has no channels.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/ranks.hpp"
#include "io/voltages/voltage_file.hpp"
#include "jobs/xengine/xengine_outputs.hpp"
#include "tessera/stream.hpp"
#include "tessera/xengine.hpp"

namespace tessera {

class XEngineShare {
 public:
  /// `whole` is the plan of all channels.
  explicit XEngineShare(const XEngine& whole);

  /// Whether this rank has no channel: there are more ranks than channels.
  bool idle() const { return first_ == end_; }
  /// The plan of its channels, with the method of the whole.
  const XEngine& plan() const { return own_ ? *own_ : whole_; }
  /// Its channels of the input; an idle rank, which reads nothing, has all of them.
  Rows channels() const;
  /// The values of an integration in all channels, and in `dump` the sums of what was saturated.
  /// Ranks other than the first send theirs to it, and get nothing.
  std::optional<Scratch> join(Scratch own, XEngineIntegration& integration);
  /// The next integration that parts of a run have kept, without its values; null after the last.
  std::optional<XEngineIntegration> kept();

 private:
  struct Part {
    std::string values;
    long long saturated = 0;
  };
  int first_of(int rank) const;
  long long channel_bytes() const;
  void put(int rank, const char* values, char* whole) const;
  void send(const char* values, const XEngineIntegration& integration);
  Part part_of(int rank);

  const XEngine& whole_;
  Ranks& ranks_;
  int first_, end_;  ///< channels after averaging
  std::optional<XEngine> own_;
  long long integration_ = 0;
  std::map<std::pair<long long, int>, Part> parts_;  ///< that have come, by integration and rank
};

}  // namespace tessera
