// SPDX-License-Identifier: Apache-2.0
// The definition, in double: the sum as it stands in the header. If it and a fast way differ, the
// fast way is wrong.
#include <cmath>
#include <complex>
#include <numbers>

#include "core/stop.hpp"
#include "ops/channelise/cpu/channelise_host.hpp"

namespace tessera {
namespace {

class ChanneliseReference : public ChanneliseHostRunner {
 public:
  explicit ChanneliseReference(const ChanneliseProblem& problem)
      : ChanneliseHostRunner(problem, 1) {
    for (int k = 0; k < problem.transform; ++k) {
      const double angle = -2 * std::numbers::pi * k / problem.transform;
      turns_.emplace_back(std::cos(angle), std::sin(angle));
    }
  }
  std::string describe() const override { return "plain sums in double"; }

 protected:
  void make(const ChanneliseCall& call, const ChanneliseUnit& unit,
            ChanneliseTallies& counts) const override {
    const ChanneliseProblem& p = problem();
    const bool whole = is_whole(call, p.shape.inputs(), unit.first, unit.input);
    const auto samples =
        whole ? samples_of_spectrum(call, unit) : std::vector<std::complex<double>>();
    const ChannelisePlaces places = channelise_places_of(p, call.out);
    for (int c = 0; c < p.channels(); ++c) {
      poll_stop();
      const std::complex<double> y =
          whole ? value(samples, call.out.first + unit.first, p.first_channel() + c) : 0.0;
      const int output = unit.coarse * p.channels() + c;
      auto* const at = static_cast<unsigned char*>(call.out.data) +
                       places.input(output, unit.input) + places.at(unit.first);
      store_channelised(p, at, places.imaginary, p.gain(output, unit.input),
                        {static_cast<float>(y.real()), static_cast<float>(y.imag())}, counts);
    }
  }

 private:
  std::vector<std::complex<double>> samples_of_spectrum(const ChanneliseCall& call,
                                                        const ChanneliseUnit& unit) const {
    const ChanneliseProblem& p = problem();
    const ChanneliseSamples s = channelise_samples(p, call.in);
    const long long begin = (call.out.first + unit.first) * p.hop - s.first;
    std::vector<std::complex<double>> samples;
    with_channelise_type(p.options, [&](auto type, auto real) {
      for (long long n = 0; n < p.length(); ++n) {
        const ChanneliseValue v = channelise_sample<type(), real()>(
            s, s.data + s.places.input(unit.coarse, unit.input) + s.places.at(begin + n));
        samples.emplace_back(v.re, v.im);
      }
    });
    return samples;
  }

  std::complex<double> value(const std::vector<std::complex<double>>& x, long long spectrum,
                             int k) const {
    const ChanneliseProblem& p = problem();
    const long long n2 = p.transform, turn = p.turn(spectrum), channel = k < 0 ? k + n2 : k;
    std::complex<double> sum = 0;
    for (long long n = 0; n < p.length(); ++n) {
      const auto at = static_cast<std::size_t>(n);
      sum += static_cast<double>(p.filter[at]) * x[at] *
             turns_[static_cast<std::size_t>(channel * ((turn + n) % n2) % n2)];
    }
    return sum;
  }

  std::vector<std::complex<double>> turns_;  ///< exp(-2 pi i k / N2)
};

}  // namespace

ChanneliseRunnerPointer make_channelise_reference(const ChanneliseProblem& problem) {
  return std::make_unique<ChanneliseReference>(problem);
}

}  // namespace tessera
