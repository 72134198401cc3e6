// SPDX-License-Identifier: Apache-2.0
// The direct method: any number of channels, without a fast transform. Sums are in double and
// rounded once, so their error does not grow with the number of channels.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/stop.hpp"
#include "ops/channelise/cpu/channelise_host.hpp"

namespace tessera {
namespace {

constexpr int kDirectUnit = 16;

class ChanneliseDirect : public ChanneliseHostRunner {
 public:
  explicit ChanneliseDirect(const ChanneliseProblem& problem)
      : ChanneliseHostRunner(problem, kDirectUnit) {
    for (int k = 0; k < problem.transform; ++k) {
      const double angle = 2 * std::numbers::pi * k / problem.transform;
      cosines_.push_back(std::cos(angle));
      sines_.push_back(-std::sin(angle));
    }
  }
  std::string describe() const override { return "plain transforms in double"; }

 protected:
  void make(const ChanneliseCall& call, const ChanneliseUnit& unit,
            ChanneliseTallies& counts) const override {
    const ChanneliseProblem& p = problem();
    const std::vector<double> samples = window(call, unit);
    const ChannelisePlaces places = channelise_places_of(p, call.out);
    std::vector<double> folded(2 * static_cast<std::size_t>(p.transform));
    for (int s = 0; s < unit.count; ++s) {
      const bool whole = is_whole(call, p.shape.inputs(), unit.first + s, unit.input);
      if (whole) fold(samples.data() + 2LL * s * p.hop, folded);
      const int turn = p.turn(call.out.first + unit.first + s);
      for (int c = 0; c < p.channels(); ++c) {
        if (c % 64 == 0) poll_stop();
        const int output = unit.coarse * p.channels() + c;
        const ChanneliseValue y =
            whole ? value(folded, turn, p.first_channel() + c) : ChanneliseValue{0, 0};
        auto* const at = static_cast<unsigned char*>(call.out.data) +
                         places.input(output, unit.input) + places.at(unit.first + s);
        store_channelised(p, at, places.imaginary, p.gain(output, unit.input), y, counts);
      }
    }
  }

 private:
  /// The samples of a unit, [time][re, im].
  std::vector<double> window(const ChanneliseCall& call, const ChanneliseUnit& unit) const {
    const ChanneliseProblem& p = problem();
    const ChanneliseSamples s = channelise_samples(p, call.in);
    const long long begin = (call.out.first + unit.first) * p.hop - s.first;
    const long long count = (unit.count - 1LL) * p.hop + p.length();
    const unsigned char* const line = s.data + s.places.input(unit.coarse, unit.input);
    std::vector<double> samples;
    samples.reserve(2 * static_cast<std::size_t>(count));
    with_channelise_type(p.options, [&](auto type, auto real) {
      for (long long t = begin; t < begin + count; ++t) {
        const ChanneliseValue v = channelise_sample<type(), real()>(s, line + s.places.at(t));
        samples.push_back(v.re);
        samples.push_back(v.im);
      }
    });
    return samples;
  }

  void fold(const double* samples, std::vector<double>& folded) const {
    const ChanneliseProblem& p = problem();
    std::ranges::fill(folded, 0.0);
    for (int t = 0; t < p.options.taps; ++t)
      for (int n = 0; n < p.transform; ++n) {
        const long long at = 1LL * t * p.transform + n;
        const double h = static_cast<double>(p.filter[static_cast<std::size_t>(at)]);
        folded[2 * static_cast<std::size_t>(n)] += h * samples[2 * at];
        folded[2 * static_cast<std::size_t>(n) + 1] += h * samples[2 * at + 1];
      }
  }

  ChanneliseValue value(const std::vector<double>& folded, int turn, int k) const {
    const int n2 = problem().transform, step = k < 0 ? k + n2 : k;
    auto at = static_cast<int>(1LL * step * turn % n2);
    double re = 0, im = 0;
    for (std::size_t n = 0; n < static_cast<std::size_t>(n2); ++n) {
      const double c = cosines_[static_cast<std::size_t>(at)],
                   s = sines_[static_cast<std::size_t>(at)];
      re += folded[2 * n] * c - folded[2 * n + 1] * s;
      im += folded[2 * n] * s + folded[2 * n + 1] * c;
      at += step;
      if (at >= n2) at -= n2;
    }
    return {static_cast<float>(re), static_cast<float>(im)};
  }

  std::vector<double> cosines_, sines_;  ///< of exp(-2 pi i k / N2)
};

}  // namespace

// A complex product and a step through the table per sample, channel and spectrum; in double.
double channelise_direct_seconds(const ChanneliseProblem& p, const Machine& m) {
  const double spectra = 1.0 * p.shape.inputs() * p.shape.channels * kTypicalSpectra;
  const double products =
      static_cast<double>(p.transform) * p.channels() + 2 * static_cast<double>(p.length());
  return spectra * products * 1.5e-9 / m.threads;
}

ChanneliseRunnerPointer make_channelise_direct(const ChanneliseProblem& problem) {
  return std::make_unique<ChanneliseDirect>(problem);
}

}  // namespace tessera
