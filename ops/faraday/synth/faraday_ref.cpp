// SPDX-License-Identifier: Apache-2.0
// The definition. If a fast path differs from it by more than the bound, the fast path is wrong.
#include <cmath>
#include <limits>

#include "core/parallel.hpp"
#include "core/stop.hpp"
#include "ops/faraday/faraday_phase.hpp"
#include "ops/faraday/synth/faraday_problem.hpp"

namespace tessera {
namespace {

template <class T>
class Reference : public FaradayRunner {
 public:
  explicit Reference(const FaradayProblem& problem) : axes_(problem.axes) {}

  void run(const FaradayCall& call, Stream& stream) const override {
    const auto q = call.q.as<const T>(), u = call.u.as<const T>();
    const auto real = call.real.as<T>(), imaginary = call.imaginary.as<T>();
    parallel_for(q.size.height, stream.threads(), [&](int y) {
      for (int x = 0; x < q.size.width; ++x)
        for (int p = 0; p < axes_.depths(); ++p) {
          poll_stop();
          const std::complex<double> f = depth(q, u, x, y, axes_.phi[static_cast<std::size_t>(p)]);
          real.at(x, y, 0, p) = static_cast<T>(f.real());
          imaginary.at(x, y, 0, p) = static_cast<T>(f.imag());
        }
    });
  }
  std::string describe() const override { return "double"; }

 private:
  std::complex<double> depth(View<const T> q, View<const T> u, int x, int y, double phi) const {
    std::complex<double> sum = 0;
    double weights = 0;
    for (int k = 0; k < axes_.channels(); ++k) {
      const double re = q.at(x, y, 0, k), im = u.at(x, y, 0, k);
      const double w = axes_.weight[static_cast<std::size_t>(k)];
      if (!std::isfinite(re) || !std::isfinite(im) || w == 0) continue;
      const double d = axes_.lambda2[static_cast<std::size_t>(k)] - axes_.lambda2_0;
      sum += w * std::complex(re, im) * faraday_turn(phi, d);
      weights += w;
    }
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    return weights > 0 ? sum / weights : std::complex(kNone, kNone);
  }

  FaradayAxes axes_;
};

}  // namespace

FaradayRunnerPointer make_faraday_reference(const FaradayProblem& problem) {
  if (problem.image.type == Type::f64) return std::make_unique<Reference<double>>(problem);
  return std::make_unique<Reference<float>>(problem);
}

}  // namespace tessera
