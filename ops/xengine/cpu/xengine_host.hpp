// SPDX-License-Identifier: Apache-2.0
/// Shared by the CPU methods: sums in triangular order, exact integers or double, and their output.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ops/xengine/xengine_problem.hpp"

namespace tessera {

/// [channel][baseline][p of a][p of b][re, im]; one of the two is used, depending on the type of
/// the samples.
class XEngineHostSums : public XEngineSums {
 public:
  std::vector<std::int64_t> integer;
  std::vector<double> real;
  /// Sums of a run of floats that is not whole, in the same places; empty if there is none.
  std::vector<float> run;

  void end_run();  ///< adds it to `real`
  /// Unless samples at `next` continue it: others may be missing in between.
  void end_run_before(long long next) {
    if (run_number_ != next / kFloatRun) end_run();
  }
  void ran_up_to(long long end) {
    run_number_ = end / kFloatRun;
    if (end % kFloatRun == 0) run.clear();
  }

 private:
  long long run_number_ = 0;
};

/// A CPU method: adds to host sums. The parts that do not depend on the arithmetic.
class XEngineHostRunner : public XEngineRunner {
 public:
  explicit XEngineHostRunner(const XEngineProblem& problem) : problem_(problem) {}
  std::unique_ptr<XEngineSums> start() const override;
  /// Makes the sums if there are none, then calls `accumulate`.
  void add(XEngineSums& sums, const VoltageBlock& block, Stream& stream) const override;
  long long dump(XEngineSums& sums, VisibilityView out, Stream& stream) const override;
  void clear(XEngineSums& sums, Stream& stream) const override;

 protected:
  virtual void accumulate(XEngineHostSums& sums, const VoltageBlock& block,
                          Stream& stream) const = 0;
  const XEngineProblem& problem() const { return problem_; }

 private:
  XEngineProblem problem_;
};

/// Averages channels, orders and converts sums of integers or doubles; returns how many parts were
/// saturated. Used by CPU methods, and by tests for results of a device.
long long write_visibilities(const XEngineProblem& problem, const std::int64_t* sums,
                             VisibilityView out, int threads);
long long write_visibilities(const XEngineProblem& problem, const double* sums, VisibilityView out,
                             int threads);

/// The value of a sample: offset binary and half bytes decoded. `at` is its position in the layout.
struct IntegerSample {
  int re = 0, im = 0;
};
IntegerSample integer_sample(const XEngineOptions& options, const VoltageLayout& layout,
                             const unsigned char* at);
std::complex<float> float_sample(SampleType type, const VoltageLayout& layout,
                                 const unsigned char* at);  ///< cf16 or cf32

/// The address of a sample.
inline const unsigned char* sample_address(const VoltageBlock& block, int channel, int antenna,
                                           int polarisation, long long t) {
  const VoltageLayout& l = block.layout;
  return static_cast<const unsigned char*>(block.data) + channel * l.channel + antenna * l.antenna +
         polarisation * l.polarisation + t / l.group * l.group_step + t % l.group * l.time;
}

/// Whether an input is valid at a time.
inline bool is_valid(const VoltageBlock& block, int inputs, int input, long long t) {
  return block.valid.empty() ||
         block.valid[static_cast<std::size_t>(t / block.valid_samples * inputs + input)] != 0;
}

XEngineRunnerPointer make_xengine_reference(const XEngineProblem& problem);
XEngineRunnerPointer make_xengine_fma_cpu(const XEngineProblem& problem);

}  // namespace tessera
