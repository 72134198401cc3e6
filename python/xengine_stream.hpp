// SPDX-License-Identifier: Apache-2.0
/// The X-engine for Python: blocks of arrays in, arrays of visibilities out.
#pragma once

#include <optional>
#include <string>

#include "python/options_python.hpp"
#include "python/raw_arrays.hpp"
#include "python/turns.hpp"
#include "python/voltage_axes.hpp"
#include "tessera/xengine.hpp"

namespace tessera::python {

/// A mask as Python gives it.
struct MaskArguments {
  nb::object valid = nb::none();
  std::optional<long long> samples;
};

/// Any thread may call it; calls wait for each other.
class XEngineStream {
 public:
  XEngineStream(const XEngineShape& shape, const XEngineOptions& options, const HostOptions& run);

  void add(const RawArray& voltages, const std::string& layout, const MaskArguments& mask);
  nb::object dump(nb::handle out, bool as_complex);
  void clear();
  /// Gives memory back, sums with it; the next block begins again.
  void release();

  long long samples() const;
  XEngineDump last() const;  ///< of the last dump
  nb::object counts() const;
  nb::object weights() const;                    ///< counts as shares of all samples
  const XEngine& plan() const { return plan_; }  ///< for shapes; describe() says what runs
  std::string describe() const;
  XEngine running() const;  ///< the plan of the blocks so far

 private:
  void begin(int device);
  void keep_family(const Array& given);
  Stream& stream();
  template <class Work>
  void as_a_whole(const Work& work);  ///< sums that a signal stops are broken

  const XEngine plan_;
  const HostOptions run_;
  Array family_;  ///< an empty array of the library that gave the last block

  mutable Turns turns_;  ///< of all below
  XEngine running_;
  std::optional<XEngineState> state_;
  std::optional<Stream> stream_;
  XEngineDump last_;
  bool broken_ = false;  ///< the sums hold a part of a block
};

}  // namespace tessera::python
