// SPDX-License-Identifier: Apache-2.0
/// The paper's problem: a scan of 8773 by 5352 pixels in colour is made grey, counted, stretched
/// and smoothed. A step begins with the correct result of the previous step, so that each is
/// independent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "study/rung.hpp"
#include "tessera/image.hpp"
#include "tessera/stream.hpp"

namespace tessera {

/// The result of a rung. All four steps together make `smooth` too, of the scan.
enum class EnhanceResult : int { grey, histogram, contrast, smooth };

/// The memory of it: on the host, or on the device with rows one after the other or at multiples of
/// 256 bytes.
enum class EnhancePlace : int { host, packed, pitched };

/// PreparedRung::truth for a result and its memory.
constexpr int truth_of(EnhanceResult result, EnhancePlace place) {
  return 4 * static_cast<int>(place) + static_cast<int>(result);
}

class EnhanceCase {
 public:
  /// `scan` is u8 of three channels. Without a stream on a device the case has only its host half.
  EnhanceCase(const Image& scan, Stream* device);

  std::string name() const;
  Size size() const { return scan_.info().size; }
  long long pixels() const { return size().pixels(); }
  int low() const { return low_; }  ///< becomes black by contrast
  int high() const { return high_; }
  bool has_device() const { return !memory_.empty(); }

  /// The input of the step that makes `result`; for grey the scan.
  AnyView before(EnhanceResult result, EnhancePlace place) const;
  /// The output of rungs; page-locked on the host if there is a device.
  AnyMutableView out(EnhancePlace place) const { return at(place).out; }
  unsigned* counts(EnhancePlace place) const;
  /// The scan on the host, page-locked.
  AnyView pinned_scan() const;

  /// Fills the output of the rung with wrong values, sample by sample.
  void poison(const PreparedRung& rung, Stream& stream) const;
  /// The first sample that differs from the reference; "" if there is none.
  std::string disagreement(const PreparedRung& rung, Stream& stream) const;

  const Image& truth(EnhanceResult result) const;  ///< of all results except histogram
  const std::vector<std::uint64_t>& true_counts() const { return counts_; }

 private:
  struct Images {
    AnyMutableView scan, grey, contrast, out;
  };
  void make_truths();
  Images placed(EnhancePlace place, Stream& device);
  AnyMutableView room(Size size, EnhancePlace place, Stream& device);
  const Images& at(EnhancePlace place) const;
  std::string wrong_count() const;

  Image scan_, grey_, contrast_, smooth_, host_out_;
  std::vector<std::uint64_t> counts_;
  int low_ = 0, high_ = 0;
  Images images_[3];
  AnyMutableView pinned_scan_;
  std::vector<Scratch> memory_;  ///< page-locked and on the device
  unsigned* device_counts_ = nullptr;
  mutable std::vector<unsigned> host_counts_;
};

/// A seeded scene on paper, as in scans: around it a margin of one colour, whose pixels all count
/// for one value.
Image made_scan(int width, int height);

}  // namespace tessera
