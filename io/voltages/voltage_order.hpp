// SPDX-License-Identifier: Apache-2.0
/// Samples stored in a file as one array, in any order of its axes, and how a part of the time is
/// read from them.
#pragma once

#include <string>
#include <vector>

#include "io/voltages/voltage_input.hpp"
#include "tessera/xengine.hpp"

namespace tessera {

/// Axes from the slowest to the fastest: A antennas, F channels, P polarisations, T time, C the
/// real and the imaginary part (the fastest if it is not named). Axes of length 1 may be left out.
/// With two Ts the second is `heap` samples long: "TAFTP".
struct VoltageOrder {
  std::string axes;
  XEngineShape shape;
  SampleType type = SampleType::ci8;
  bool real = false;           ///< stored without imaginary parts; they are read as zeros
  bool offset_binary = false;  ///< of real samples, which become two's complement
  long long heap = 1;

  long long bytes_a_sample() const;  ///< in the file, of all inputs and channels
  bool time_first() const;           ///< no other axis longer than 1 is slower than time
  /// The layout of `samples` time samples as they are read.
  VoltageLayout layout(long long samples) const;
};

/// "" or what is wrong with the axes, as part of a sentence.
std::string why_not_axes(const VoltageOrder& order);

/// The orders that voltage_layout has names for; false for other names.
bool find_named_order(const std::string& name, VoltageOrder& order);

/// Reads parts of `total` samples that begin at a byte of a file.
class OrderedVoltages {
 public:
  OrderedVoltages() = default;
  explicit OrderedVoltages(VoltageOrder order) : order_(std::move(order)) {}

  const VoltageOrder& order() const { return order_; }
  void set_place(long long offset, long long total) { offset_ = offset, total_ = total; }
  /// Others are left out where that saves reads of some kilobytes.
  void want_channels(int first, int count) { wanted_ = {first, count}; }
  /// Like VoltageReader::read. If time is not the slowest axis, one part is read for every index of
  /// the slower axes.
  VoltageBlock read(VoltageInput& input, long long from, long long count);

 private:
  void add_imaginary_parts(long long bytes);
  void read_row(VoltageInput& input, long long offset, unsigned char* to, long long groups,
                long long group);
  bool is_wanted(long long row) const;

  VoltageOrder order_;
  long long offset_ = 0, total_ = 0;
  struct {
    int first = 0, count = 0;  ///< 0: all
  } wanted_;
  std::vector<unsigned char> bytes_;
};

}  // namespace tessera
