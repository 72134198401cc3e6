// SPDX-License-Identifier: Apache-2.0
/// The talk's problem: cycles of 1000 samples of every input are added to sums of all pairs, which
/// are read out once. Samples are small enough that sums in float are exact too, so every rung must
/// find the same numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "study/rung.hpp"
#include "tessera/xengine.hpp"

namespace tessera {

/// Layout of samples: [channel][input][time] or [channel][time][input], re and im side by side;
/// `planes`: [channel][re, im][time][input].
enum class GivenForm : int { input_time, time_input, planes };

/// Layout of a rung's output, 4 bytes per part. `full`: [channel][i][j][re, im]; `lower` is the
/// same without the pairs above the diagonal; `triangle`: its rows one after the other; `columns`:
/// [channel][j][i][re, im]; `split`: [channel][re, im][i][j].
enum class MadeForm : int { full, lower, triangle, columns, split };

/// The kind of a room.
struct XEngineRoomKind {
  GivenForm given = GivenForm::time_input;
  MadeForm made = MadeForm::full;
  bool real = false;  ///< sums are floats, otherwise int32
  bool on_device = false;

  bool operator==(const XEngineRoomKind&) const = default;
};

/// Cycles that differ; they take turns.
inline constexpr int kXEngineCyclesKept = 2;

/// Memory of one kind: the input of a rung, and its output.
struct XEngineRoom {
  XEngineRoomKind kind;
  const signed char* given = nullptr;  ///< the first cycle, where the rung runs
  void* made = nullptr;
  AnyMutableView host_given, host_made;  ///< on the host, as rows of bytes, one row per channel
  int channels = 0, kept = 1;            ///< `host_given` has `kept` times as many rows
  std::vector<Scratch> memory;

  /// The samples of a cycle, where the rung runs.
  const signed char* given_of(int cycle) const {
    return given + 1LL * (cycle % kept) * channels * host_given.size.width;
  }
  /// Channels of a cycle, on the host.
  AnyMutableView host_cycle(int cycle, Rows of) const {
    return host_given.rows(cycle % kept * channels + of.first, of.count());
  }
};

class XEngineCase {
 public:
  /// `samples` are those of a cycle. With a device, host memory is page-locked. Throws Error(usage)
  /// if sums in float would not be exact whatever the samples are.
  XEngineCase(int inputs, Stream* device, int channels = 64, int samples = 1000, int cycles = 1);

  std::string name() const;
  int inputs() const { return inputs_; }
  int channels() const { return channels_; }
  int samples() const { return samples_; }
  int cycles() const { return cycles_; }
  /// Useful operations: those of one triangle of a Hermitian matrix.
  double operations() const { return 4.0 * inputs_ * inputs_ * channels_ * samples_ * cycles_; }
  double given_bytes() const { return 2.0 * inputs_ * channels_ * samples_ * cycles_; }
  long long made_bytes(MadeForm form) const;  ///< of a channel

  /// Filled with samples; only one is kept, so that a rung's is gone when the next is prepared.
  const XEngineRoom& room(const XEngineRoomKind& kind, Stream& stream) const;

  const XEngineRoom& last_room() const { return *room_; }  ///< the last one asked for

  /// Fills the output of the rung with a value that no sum has.
  void poison(const PreparedRung& rung, Stream& stream) const;
  /// The first sum that differs from the reference; "" if there is none.
  std::string disagreement(const PreparedRung& rung, Stream& stream) const;

 private:
  XEngineRoom made_room(const XEngineRoomKind& kind, Stream& stream) const;
  std::string wrong_sum(int channel, int i, int j) const;

  Stream* device_;
  int kept() const { return std::min(cycles_, kXEngineCyclesKept); }
  long long cycle_bytes() const { return 2LL * inputs_ * channels_ * samples_; }

  int inputs_, channels_, samples_, cycles_;
  std::vector<signed char> samples_in_time_;  ///< [cycle kept][channel][time][input][re, im]
  std::vector<std::int64_t> truth_;           ///< [channel][triangle][re, im], by the reference
  mutable std::unique_ptr<XEngineRoom> room_;
};

}  // namespace tessera
