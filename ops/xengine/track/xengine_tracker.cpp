// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/parallel.hpp"
#include "ops/xengine/track/cuda/xengine_track_cuda.hpp"
#include "ops/xengine/track/xengine_track.hpp"
#include "ops/xengine/track/xengine_window.hpp"
#include "ops/xengine/xengine_check.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Delays of arrays on the Earth bend by less than 1e-11 s in this time.
constexpr double kKnotSeconds = 0.05;
constexpr long long kMostKnot = 4096;
/// A longer delay is a false position: the Earth is 43 ms wide.
constexpr double kMostDelay = 0.1;

[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorKind::usage, "fringes: " + text);
}

void check(const FringeSetup& s) {
  check_xengine_shape(s.shape, s.samples);
  check_xengine_options(
      s.shape, {.samples = s.samples, .offset_binary = s.offset_binary, .real_low = s.real_low});
  if (!(s.sample_rate > 0 && std::isfinite(s.sample_rate)))
    refuse(fmt::format("the sample rate is {} Hz; it must be positive", s.sample_rate));
  if (std::ssize(s.frequency) != s.shape.channels)
    refuse(fmt::format("there are {} frequencies and {} channels; give one per channel",
                       s.frequency.size(), s.shape.channels));
  if (!s.delays) refuse("there is no function for the delays; give one");
  if (!(s.most_delay >= 0 && s.most_delay <= kMostDelay))
    refuse(fmt::format("delays of up to {} s are announced; they can be 0 to {} s", s.most_delay,
                       kMostDelay));
  if (s.method != "auto" && s.method != "simd" && s.method != "cuda" && s.method != "reference")
    refuse(fmt::format("method '{}' is not known; there are auto, simd, cuda and reference",
                       s.method));
}

long long knot_of(double sample_rate) {
  long long knot = 1;
  while (knot < kMostKnot && static_cast<double>(2 * knot) <= kKnotSeconds * sample_rate) knot *= 2;
  return knot;
}

long long floor_to(long long value, long long step) {
  return (value >= 0 ? value : value - step + 1) / step * step;
}

}  // namespace

FringeKnot fringe_knot(const FringeSetup& setup, long long knot, long long first) {
  const std::vector<double> here = setup.delays(first), there = setup.delays(first + knot);
  const auto antennas = static_cast<std::size_t>(setup.shape.antennas);
  if (here.size() != antennas || there.size() != antennas)
    refuse(fmt::format("there are {} delays and {} antennas; give one per antenna",
                       std::min(here.size(), there.size()), antennas));
  FringeKnot made{first, std::vector<FringeDelay>(antennas)};
  for (std::size_t a = 0; a < antennas; ++a) {
    if (!(std::abs(here[a]) <= setup.most_delay && std::abs(there[a]) <= setup.most_delay))
      refuse(fmt::format("the delay of antenna {} is {} s; up to {} s were announced", a,
                         std::abs(here[a]) <= setup.most_delay ? there[a] : here[a],
                         setup.most_delay));
    FringeDelay& delay = made.antennas[a];
    delay.first = here[a];
    delay.step = (there[a] - here[a]) / static_cast<double>(knot);
    const double back = -0.5 * (here[a] + there[a]) * setup.sample_rate;
    delay.whole = static_cast<long long>(std::floor(back));
    delay.part = back - static_cast<double>(delay.whole);
    constexpr int kBefore = kFringeTaps / 2 - 1;
    for (int k = 0; k < kFringeTaps; ++k)
      delay.taps[static_cast<std::size_t>(k)] =
          static_cast<float>(fringe_weight(k - kBefore - delay.part));
  }
  return made;
}

struct FringeTracker::Impl {
  explicit Impl(FringeSetup given)
      : setup(std::move(given)),
        threads(setup.threads > 0 ? setup.threads : available_threads()),
        knot(knot_of(setup.sample_rate)),
        run(std::min<long long>(knot, kFringeRun)),
        halo(setup.shift ? static_cast<long long>(std::ceil(setup.most_delay * setup.sample_rate)) +
                               kFringeTaps / 2 + 1
                         : 0),
        window(setup, threads) {
    if (setup.method == "cuda") device.emplace(setup.device);
    begin(0);
  }

  void begin(long long first) {
    next = first;
    ended = false;
    window.restart(first - halo);
    window.append_missing(halo);
  }
  long long ready() const { return std::max(0LL, window.end() - halo - next); }

  void find_knots(long long count);
  void turn(int channel, long long count);
  void turn_antenna(int channel, int antenna, const FringeKnot& at, long long from, long long to);
  bool find_valid(long long count);

  FringeSetup setup;
  int threads;
  long long knot, run, halo;
  FringeWindow window;
  std::optional<FringeDevice> device;  ///< method cuda
  long long next = 0;                  ///< the next output
  bool ended = false;
  std::vector<FringeKnot> knots;  ///< of the outputs that are being made
  std::vector<float> turned;      ///< [channel][input][time][re, im]
  long long turned_length = 0;
  std::vector<unsigned char> valid;  ///< [time][input]
};

void FringeTracker::Impl::find_knots(long long count) {
  std::vector<FringeKnot> wanted;
  for (long long first = floor_to(next, knot); first < next + count; first += knot) {
    const auto found = std::ranges::find(knots, first, &FringeKnot::first);
    wanted.push_back(found != knots.end() ? std::move(*found) : fringe_knot(setup, knot, first));
  }
  knots.swap(wanted);
}

void FringeTracker::Impl::turn_antenna(int channel, int antenna, const FringeKnot& at,
                                       long long from, long long to) {
  const FringeDelay& delay = at.antennas[static_cast<std::size_t>(antenna)];
  const double frequency = setup.frequency[static_cast<std::size_t>(channel)];
  const bool reference = setup.method == "reference";
  for (long long start = floor_to(from, run); start < to; start += run) {
    const long long first = std::max(start, from), end = std::min(start + run, to);
    const auto since = static_cast<double>(start - at.first);
    const FringePhases phases = fringe_phases(frequency * (delay.first + delay.step * since),
                                              frequency * delay.step, static_cast<int>(run));
    for (int p = 0; p < setup.shape.polarisations; ++p) {
      const int input = antenna * setup.shape.polarisations + p;
      float* const out =
          turned.data() +
          2 * ((1LL * channel * setup.shape.inputs() + input) * turned_length + (first - next));
      if (reference) {
        for (long long t = first; t < end; ++t) {
          const double turns =
              frequency * (delay.first + delay.step * static_cast<double>(t - at.first));
          const FringeSample made = reference_fringe(
              window.re(channel, input, t), window.im(channel, input, t),
              -(static_cast<double>(delay.whole) + delay.part), turns, setup.shift);
          out[2 * (t - first)] = static_cast<float>(made.re);
          out[2 * (t - first) + 1] = static_cast<float>(made.im);
        }
        continue;
      }
      const long long tap = setup.shift ? first + delay.whole + 1 - kFringeTaps / 2 : first;
      turn_fringes({window.re(channel, input, tap), window.im(channel, input, tap),
                    setup.shift ? delay.taps.data() : nullptr, &phases,
                    static_cast<int>(first - start), static_cast<int>(end - first), out});
    }
  }
}

void FringeTracker::Impl::turn(int channel, long long count) {
  for (const FringeKnot& at : knots) {
    const long long from = std::max(at.first, next), to = std::min(at.first + knot, next + count);
    for (int antenna = 0; antenna < setup.shape.antennas; ++antenna)
      turn_antenna(channel, antenna, at, from, to);
  }
}

// A sample is there if all its taps are.
bool FringeTracker::Impl::find_valid(long long count) {
  valid.clear();
  if (!window.valid(0, next)) return false;
  const int inputs = setup.shape.inputs(), each = setup.shape.polarisations;
  valid.assign(static_cast<std::size_t>(count * inputs), 1);
  bool missing = false;
  for (const FringeKnot& at : knots)
    for (int i = 0; i < inputs; ++i) {
      const long long whole = at.antennas[static_cast<std::size_t>(i / each)].whole;
      const long long before = setup.shift ? kFringeTaps / 2 - 1 - whole : 0;
      const long long after = setup.shift ? kFringeTaps / 2 + whole : 0;
      const long long from = std::max(at.first, next), to = std::min(at.first + knot, next + count);
      long long there = 0;  // samples in a row that are
      for (long long s = from - before; s < to + after; ++s) {
        there = *window.valid(i, s) ? there + 1 : 0;
        const long long t = s - after;
        if (t < from || there > before + after) continue;
        valid[static_cast<std::size_t>((t - next) * inputs + i)] = 0;
        missing = true;
      }
    }
  return missing;
}

FringeTracker::FringeTracker(FringeSetup setup) {
  check(setup);
  impl_ = std::make_unique<Impl>(std::move(setup));
}
FringeTracker::~FringeTracker() = default;
FringeTracker::FringeTracker(FringeTracker&&) noexcept = default;
FringeTracker& FringeTracker::operator=(FringeTracker&&) noexcept = default;

void FringeTracker::begin(long long first) { impl_->begin(first); }

void FringeTracker::add(const VoltageBlock& block) {
  if (impl_->ended) refuse("samples come after the end; call begin() first");
  check_block(impl_->setup.shape, impl_->setup.samples, block, kHost);
  impl_->window.keep_from(impl_->next - impl_->halo);
  impl_->window.append(block);
}

void FringeTracker::add_missing(long long samples) {
  if (impl_->ended) refuse("samples come after the end; call begin() first");
  impl_->window.keep_from(impl_->next - impl_->halo);
  impl_->window.append_missing(samples);
}

void FringeTracker::end() {
  if (!impl_->ended) add_missing(impl_->halo);
  impl_->ended = true;
}

long long FringeTracker::ready() const { return impl_->ready(); }

VoltageBlock FringeTracker::take(long long most) {
  Impl& my = *impl_;
  const long long count = std::min(most, my.ready());
  if (count < 1) return {};
  const XEngineShape& shape = my.setup.shape;
  my.find_knots(count);
  my.turned_length = count;
  my.turned.resize(static_cast<std::size_t>(2 * count * shape.channels * shape.inputs()));
  if (my.device)
    my.device->turn({my.setup, my.window, my.knots, my.next, count, my.knot, my.run, my.halo},
                    my.turned.data());
  else
    parallel_for(shape.channels, my.threads, [&](int channel) { my.turn(channel, count); });
  VoltageBlock block{my.turned.data(), count,
                     voltage_layout("cit", shape, SampleType::cf32, count)};
  if (my.find_valid(count)) {
    block.valid = my.valid;
    block.valid_samples = 1;
  }
  my.next += count;
  return block;
}

long long FringeTracker::knot() const { return impl_->knot; }
long long FringeTracker::halo() const { return impl_->halo; }

std::string FringeTracker::describe() const {
  const std::string how =
      impl_->setup.shift ? fmt::format("shift, {} taps", kFringeTaps) : std::string("phase");
  const std::string& method = impl_->setup.method;
  return how + ", " + (method == "reference" || method == "cuda" ? method : fringe_target());
}

}  // namespace tessera
