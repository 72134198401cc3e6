// SPDX-License-Identifier: Apache-2.0
// The fft method: samples of some spectra as floats, 16 spectra filtered and transformed at a
// time, stored channel by channel.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <numbers>

#include "core/isa.hpp"
#include "core/pools.hpp"
#include "core/stop.hpp"
#include "ops/channelise/cpu/channelise_host.hpp"
#include "ops/channelise/cpu/channelise_lanes.hpp"

namespace tessera {
namespace {

/// Samples of a unit as floats: about a core's share of the caches.
constexpr long long kWindowBytes = 4 << 20;
constexpr int kMostUnit = 4 * kChanneliseLanes;

/// Values of a complex transform: real samples are two at a time.
int transform_values(const ChanneliseProblem& p) { return p.channels(); }

int unit_of(const ChanneliseProblem& p) {
  int unit = kMostUnit;
  while (unit > kChanneliseLanes && 8 * ((unit - 1LL) * p.hop + p.length()) > kWindowBytes)
    unit -= kChanneliseLanes;
  return unit;
}

/// Rows of a transformed slab, by frequency.
std::vector<int> rows_by_frequency(const FftAxis<float>& axis) {
  std::vector<int> frequencies{0};
  for (const FftPass& pass : axis.passes) {
    std::vector<int> split;
    for (const int frequency : frequencies)
      for (int c = 0; c < pass.radix; ++c)
        split.push_back(frequency +
                        pass.blocks * (pass.radix % 2 == 0 ? bits_reversed(c, pass.radix) : c));
    frequencies = split;
  }
  std::vector<int> rows(frequencies.size());
  for (std::size_t row = 0; row < rows.size(); ++row)
    rows[static_cast<std::size_t>(frequencies[row])] = static_cast<int>(row);
  return rows;
}

class ChanneliseFft : public ChanneliseHostRunner {
 public:
  explicit ChanneliseFft(const ChanneliseProblem& problem)
      : ChanneliseHostRunner(problem, unit_of(problem)),
        isa_((apply_isa_environment(), current_isa())),
        vectors_(channelise_vectors()),
        axis_(transform_values(problem), vectors_.most_radix),
        rows_(rows_by_frequency(axis_)) {
    make_filters();
    for (int k = 0; problem.options.real && k < problem.channels(); ++k) {
      const double angle = -std::numbers::pi * k / problem.channels();
      turns_.push_back({static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))});
    }
  }
  std::string describe() const override {
    return fmt::format("{}, transforms of {}", isa_, axis_.length);
  }

 protected:
  void make(const ChanneliseCall& call, const ChanneliseUnit& unit,
            ChanneliseTallies& counts) const override {
    const ChanneliseProblem& p = problem();
    const Window window(*this, call, unit);
    const auto scratch = [&](long long bytes_a_channel) {
      return host_scratch(static_cast<std::size_t>(bytes_a_channel) *
                          static_cast<std::size_t>(p.channels()));
    };
    const Scratch slab = scratch(static_cast<long long>(sizeof(float)) * kSlabRow<float>);
    // Channels lie far apart: a short run of each at a time would fetch every line of the output
    // several times.
    const int bytes = bytes_of(p.options.output_type), pitch = unit_of(p) * bytes;
    const Scratch made = scratch(pitch);
    for (int first = 0; first < unit.count; first += kChanneliseLanes) {
      poll_stop();
      const int count = std::min(kChanneliseLanes, unit.count - first);
      Lanes lanes{unit.first + first, count, {}};
      for (int i = 0; i < count; ++i)
        lanes.whole[i] =
            is_whole(call, p.shape.inputs(), lanes.first + i, unit.input) ? 1.0F : 0.0F;
      vectors_.fold(folds_of(window, call, lanes), slab.as<float>());
      vectors_.transform(axis_, slab.as<float>());
      store(unit, lanes, slab.as<float>(), made.as<unsigned char>() + first * bytes, pitch, counts);
    }
    place(call, unit, made.as<unsigned char>(), bytes, pitch);
  }

 private:
  struct Turn {
    float re, im;
  };
  /// Up to 16 neighbouring spectra.
  struct Lanes {
    long long first;  ///< in the call
    int count;
    float whole[kChanneliseLanes];
  };

  /// Samples of a unit as floats, in two planes with slack around them.
  struct Window {
    Window(const ChanneliseFft& of, const ChanneliseCall& call, const ChanneliseUnit& unit) {
      const ChanneliseProblem& p = of.problem();
      const ChanneliseSamples samples = channelise_samples(p, call.in);
      begin = (call.out.first + unit.first) * p.hop;
      const long long count = (unit.count - 1LL) * p.hop + p.length();
      const long long values = p.options.real ? count / 2 + 1 : count,
                      pitch = values + 2 * kChannelisePad;
      memory = host_scratch(2 * sizeof(float) * static_cast<std::size_t>(pitch));
      for (int k = 0; k < 2; ++k) {
        planes[k] = memory.as<float>() + k * pitch + kChannelisePad;
        std::fill_n(planes[k] - kChannelisePad, kChannelisePad + 1, 0.0F);
        std::fill_n(planes[k] + values - 1, kChannelisePad + 1, 0.0F);
      }
      of.vectors_.decode(p.options, samples,
                         samples.data + samples.places.input(unit.coarse, unit.input),
                         begin - samples.first, count, planes);
    }
    long long begin;  ///< the first sample, in the recording
    Scratch memory;
    float* planes[2];
  };

  /// Filters with zeros around them: one, or those of even and of odd numbers.
  void make_filters() {
    const ChanneliseProblem& p = problem();
    const int kinds = p.options.real ? 2 : 1;
    const std::size_t values = p.filter.size() / static_cast<std::size_t>(kinds);
    for (int q = 0; q < kinds; ++q) {
      filters_[q].assign(values + 2 * kChannelisePad, 0.0F);
      for (std::size_t a = 0; a < values; ++a)
        filters_[q][kChannelisePad + a] =
            p.filter[a * static_cast<std::size_t>(kinds) + static_cast<std::size_t>(q)];
    }
  }

  ChanneliseFolds folds_of(const Window& window, const ChanneliseCall& call,
                           const Lanes& lanes) const {
    const ChanneliseProblem& p = problem();
    ChanneliseFolds folds;
    folds.length = axis_.length;
    folds.taps = p.options.taps;
    folds.turned = false;
    for (int i = 0; i < kChanneliseLanes; ++i) {
      // Lanes without a spectrum repeat the last one.
      const long long spectrum = call.out.first + lanes.first + std::min(i, lanes.count - 1);
      for (int part = 0; part < 2; ++part) {
        folds.rows[part][i] = p.options.real ? real_fold(window, spectrum, part)
                                             : complex_fold(window, spectrum, part);
        folds.turned = folds.turned || folds.rows[part][i].turn != 0;
      }
    }
    return folds;
  }
  ChanneliseFold complex_fold(const Window& window, long long spectrum, int part) const {
    return {window.planes[part] + (spectrum * problem().hop - window.begin),
            filters_[0].data() + kChannelisePad, problem().turn(spectrum)};
  }
  /// Even or odd samples of the recording, which even or odd coefficients meet.
  ChanneliseFold real_fold(const Window& window, long long spectrum, int parity) const {
    const int turn = problem().turn(spectrum), kind = (parity + turn) % 2;
    const long long first = spectrum * problem().hop;
    return {window.planes[parity] + ((first + kind - parity) / 2 - window.begin / 2),
            filters_[kind].data() + kChannelisePad, (turn - parity + kind) / 2 % axis_.length};
  }

  /// 16 spectra of every channel, which lie `pitch` bytes apart.
  void store(const ChanneliseUnit& unit, const Lanes& lanes, const float* slab, unsigned char* made,
             int pitch, ChanneliseTallies& counts) const {
    const ChanneliseProblem& p = problem();
    const int n = p.channels(), bytes = bytes_of(p.options.output_type);
    ChanneliseLine line{};
    line.slab = slab;
    line.whole = lanes.whole;
    line.most = p.is_quantised() ? channelise_most(p.options.output_type) : 0;
    for (int c = 0; c < n; ++c, made += pitch) {
      const int k = p.first_channel() + c, frequency = k < 0 ? k + n : k;
      line.row = rows_[static_cast<std::size_t>(frequency)];
      line.opposite = -1;
      if (p.options.real) {
        line.opposite = rows_[static_cast<std::size_t>(k == 0 ? 0 : n - k)];
        line.turn_re = turns_[static_cast<std::size_t>(k)].re;
        line.turn_im = turns_[static_cast<std::size_t>(k)].im;
      }
      line.gain = p.gain(unit.coarse * n + c, unit.input);
      vectors_.store(line, made, bytes, counts);
    }
  }

  /// Rows of values, one per channel and `pitch` bytes apart, to their places.
  void place(const ChanneliseCall& call, const ChanneliseUnit& unit, const unsigned char* made,
             int bytes, int pitch) const {
    const int channels = problem().channels();
    const ChannelisePlaces to = channelise_places_of(problem(), call.out);
    unsigned char* const first =
        static_cast<unsigned char*>(call.out.data) + to.input(unit.coarse * channels, unit.input);
    if (to.group == 1 && to.group_step != bytes && to.imaginary == bytes / 2) {
      if (bytes == 2) return scatter<2>(to, first, unit, made, pitch, channels);
      if (bytes == 4) return scatter<4>(to, first, unit, made, pitch, channels);
      return scatter<8>(to, first, unit, made, pitch, channels);
    }
    for (int c = 0; c < channels; ++c)
      place_line(to, first + c * to.channel, unit, made + 1LL * c * pitch, bytes);
  }

  /// Neighbours in time lie far apart: some channels of a spectrum at a time, because neighbouring
  /// channels share lines of the cache.
  template <int kBytes>
  static void scatter(const ChannelisePlaces& to, unsigned char* line, const ChanneliseUnit& unit,
                      const unsigned char* made, int pitch, int channels) {
    constexpr int kTogether = 32;
    for (int first = 0; first < channels; first += kTogether)
      for (int i = 0; i < unit.count; ++i) {
        unsigned char* at = line + to.at(unit.first + i) + first * to.channel;
        const unsigned char* from = made + 1LL * first * pitch + i * kBytes;
        for (int c = first; c < std::min(first + kTogether, channels); ++c) {
          std::memcpy(at, from, kBytes);
          at += to.channel;
          from += pitch;
        }
      }
  }

  /// Values of a channel, runs of neighbours at once.
  static void place_line(const ChannelisePlaces& to, unsigned char* line,
                         const ChanneliseUnit& unit, const unsigned char* values, int bytes) {
    const int part = bytes / 2;
    const long long step = to.group == 1 ? to.group_step : to.time;
    for (int i = 0, run; i < unit.count; i += run) {
      const long long t = unit.first + i;
      run = unit.count - i;
      if (to.group > 1) run = static_cast<int>(std::min<long long>(run, to.group - t % to.group));
      unsigned char* const at = line + to.at(t);
      if (step == bytes && to.imaginary == part) {
        std::memcpy(at, values + i * bytes, static_cast<std::size_t>(run * bytes));
        continue;
      }
      for (int k = 0; k < run; ++k) {
        std::memcpy(at + k * step, values + (i + k) * bytes, static_cast<std::size_t>(part));
        std::memcpy(at + k * step + to.imaginary, values + (i + k) * bytes + part,
                    static_cast<std::size_t>(part));
      }
    }
  }

  std::string isa_;
  ChanneliseVectors vectors_;
  FftAxis<float> axis_;
  std::vector<int> rows_;
  std::vector<Turn> turns_;  ///< exp(-2 pi i k / N2), for real samples
  std::vector<float> filters_[2];
};

/// 1, 3 or 5 times a power of two that is at least 16.
bool fits_axis(int length) {
  for (const int odd : {1, 3, 5})
    if (length % odd == 0 && length / odd >= 16 &&
        std::has_single_bit(static_cast<unsigned>(length / odd)))
      return true;
  return false;
}

}  // namespace

std::string why_no_channelise_fft(const ChanneliseProblem& p) {
  if (fits_axis(transform_values(p))) return "";
  return fmt::format("there are {} channels; it takes 1, 3 or 5 times a power of two from 16 on",
                     p.channels());
}

// Filter, transform and output in single numbers: see README.md for what was measured.
double channelise_fft_seconds(const ChanneliseProblem& p, const Machine& m) {
  const double levels = std::log2(static_cast<double>(p.channels()));
  const double values = 1.0 * p.shape.inputs() * p.shape.channels * kTypicalSpectra * p.channels();
  return values * (4 * p.options.taps + 5 * levels + 40) / (0.3 * m.cpu_flops);
}

ChanneliseRunnerPointer make_channelise_fft(const ChanneliseProblem& problem) {
  return std::make_unique<ChanneliseFft>(problem);
}

}  // namespace tessera
