// SPDX-License-Identifier: Apache-2.0
/// The talk's problem: a cycle of 1000 samples of every input becomes sums of all pairs. Samples
/// are small enough that sums in float are exact too, so every rung must find the same numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "study/rung.hpp"
#include "tessera/xengine.hpp"

namespace tessera {

/// Layout of samples: [channel][input][time] or [channel][time][input], re and im side by side.
enum class GivenForm : int { input_time, time_input };

/// Layout of a rung's output, 4 bytes per part. `full`: [channel][i][j][re, im]; `lower` is the
/// same without the pairs above the diagonal; `triangle`: its rows one after the other; `split`:
/// [channel][re, im][i][j].
enum class MadeForm : int { full, lower, triangle, split };

/// The kind of a room.
struct XEngineRoomKind {
  GivenForm given = GivenForm::time_input;
  MadeForm made = MadeForm::full;
  bool real = false;  ///< sums are floats, otherwise int32
  bool on_device = false;

  bool operator==(const XEngineRoomKind&) const = default;
};

/// Memory of one kind: the input of a rung, and its output.
struct XEngineRoom {
  XEngineRoomKind kind;
  const signed char* given = nullptr;  ///< where the rung runs
  void* made = nullptr;
  AnyMutableView host_given, host_made;  ///< on the host, as rows of bytes, one row per channel
  std::vector<Scratch> memory;
};

class XEngineCase {
 public:
  /// With a device, host memory is page-locked. Throws Error(usage) if sums in float would not
  /// be exact.
  XEngineCase(int inputs, Stream* device, int channels = 64, int samples = 1000);

  std::string name() const;
  int inputs() const { return inputs_; }
  int channels() const { return channels_; }
  int samples() const { return samples_; }
  /// Useful operations: those of one triangle of a Hermitian matrix.
  double operations() const { return 4.0 * inputs_ * inputs_ * channels_ * samples_; }
  double given_bytes() const { return 2.0 * inputs_ * channels_ * samples_; }
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
  int inputs_, channels_, samples_;
  std::vector<signed char> samples_in_time_;  ///< [channel][time][input][re, im]
  std::vector<std::int64_t> truth_;           ///< [channel][triangle][re, im], by the reference
  mutable std::unique_ptr<XEngineRoom> room_;
};

}  // namespace tessera
