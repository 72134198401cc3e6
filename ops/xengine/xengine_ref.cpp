// SPDX-License-Identifier: Apache-2.0
// The definition: exact in integers, products of floats in double. If it and a fast way differ, the
// fast way is wrong.
#include "core/parallel.hpp"
#include "core/stop.hpp"
#include "ops/xengine/cpu/xengine_host.hpp"
#include "ops/xengine/xengine_index.cuh"

namespace tessera {
namespace {

template <class T>
struct Voltage {
  T re = 0, im = 0;
};

class Reference : public XEngineHostRunner {
 public:
  using XEngineHostRunner::XEngineHostRunner;
  std::string describe() const override { return "plain sums"; }

 protected:
  void accumulate(XEngineHostSums& sums, const VoltageBlock& block, Stream& stream) const override {
    parallel_for(problem().shape.channels, stream.threads(), [&](int c) {
      if (is_integer(problem().options.samples))
        add_channel(block, c, sums.integer.data());
      else
        add_channel(block, c, sums.real.data());
    });
  }

 private:
  template <class T>
  void add_channel(const VoltageBlock& block, int c, T* sums) const {
    const XEngineShape& s = problem().shape;
    T* const to = sums + 2 * s.values() * c;
    std::vector<Voltage<T>> all(static_cast<std::size_t>(s.inputs()));
    for (long long t = 0; t < block.samples; ++t) {
      poll_stop();
      for (int i = 0; i < s.inputs(); ++i)
        all[static_cast<std::size_t>(i)] = voltage<T>(block, c, i, t);
      for (int i = 0; i < s.inputs(); ++i)
        for (int j = 0; j < (i / s.polarisations + 1) * s.polarisations; ++j)
          add_product(all[static_cast<std::size_t>(i)], all[static_cast<std::size_t>(j)],
                      to + 2 * triangular_place(i, j, s.polarisations));
    }
  }

  template <class T>
  static void add_product(const Voltage<T>& a, const Voltage<T>& b, T* sum) {
    sum[0] += a.re * b.re + a.im * b.im;
    sum[1] += a.im * b.re - a.re * b.im;
  }

  template <class T>
  Voltage<T> voltage(const VoltageBlock& block, int c, int input, long long t) const {
    const XEngineShape& s = problem().shape;
    if (!is_valid(block, s.inputs(), input, t)) return {};
    const unsigned char* const at =
        sample_address(block, c, input / s.polarisations, input % s.polarisations, t);
    const XEngineOptions& options = problem().options;
    if (is_integer(options.samples)) {
      const IntegerSample v = integer_sample(options, block.layout, at);
      return {static_cast<T>(v.re), static_cast<T>(v.im)};
    }
    const std::complex<float> v = float_sample(options.samples, block.layout, at);
    return {static_cast<T>(v.real()), static_cast<T>(v.imag())};
  }
};

}  // namespace

XEngineRunnerPointer make_xengine_reference(const XEngineProblem& problem) {
  return std::make_unique<Reference>(problem);
}

}  // namespace tessera
