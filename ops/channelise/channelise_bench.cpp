// SPDX-License-Identifier: Apache-2.0
// Benchmarks of the filter bank: blocks of ci8 that lie where it runs become spectra of ci8 there.
// `bytes` are those of samples read and spectra written, once each; of_peak is their share of a
// copy, read + write. input_Gbit is the unit of the X-engine's benchmark: their quotient is the
// filter bank's rate as a part of the X-engine's.
#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include "core/device.hpp"
#include "ops/channelise/channelise_problem.hpp"
#include "study/bench_case.hpp"

namespace tessera {
namespace {

struct ChanneliseBenchWay {
  Backend backend = Backend::cpu;
  std::string method;
  int channels = 1024, taps = 8;
  std::string oversample = "1", layout = "cit";
  SampleType output = SampleType::ci8;
  bool real = false;
  int threads = 0;  ///< of the CPU; 0: all
};

constexpr float kBenchGain = 4;

std::vector<signed char> noise_bytes(std::size_t count) {
  std::vector<signed char> bytes(count);
  unsigned state = 1;
  for (signed char& byte : bytes)
    byte = static_cast<signed char>((state = state * 1664525 + 1013904223) >> 24);
  return bytes;
}

/// Whether a value of channel c, spectrum m of the first input is that of the definition, give or
/// take a rounding.
bool agrees(const Channelise& plan, const std::vector<signed char>& samples, int step, int c,
            long long m, std::complex<double> made) {
  const bool real = plan.options().real;
  std::complex<double> sum = 0;
  const int k = static_cast<int>(std::lround(plan.frequency(c) * plan.transform()));
  for (long long n = 0; n < plan.length(); ++n) {
    const long long t = m * plan.hop() + n;
    const auto at = static_cast<std::size_t>(t * step);
    const std::complex<double> x(samples[at], real ? 0 : samples[at + 1]);
    const double turns = static_cast<double>(1LL * k * (t % plan.transform()) % plan.transform());
    sum += static_cast<double>(plan.coefficients()[static_cast<std::size_t>(n)]) * x *
           std::polar(1.0, -2 * std::numbers::pi * turns / plan.transform());
  }
  if (plan.options().output_type == SampleType::cf32) return std::abs(made - sum) < 1e-3;
  const auto off = made - static_cast<double>(kBenchGain) * sum;
  return std::max(std::abs(off.real()), std::abs(off.imag())) < 0.51 ||
         std::max(std::abs(made.real()), std::abs(made.imag())) == 127;
}

/// Data in the memory of a plan.
class BenchMemory {
 public:
  BenchMemory(std::size_t bytes, const void* from, Stream& stream) : bytes_(bytes) {
    if (stream.device() == kHost) {
      host_.assign(bytes, 0);
      if (from) std::memcpy(host_.data(), from, bytes);
      return;
    }
    there_ = stream.scratch(bytes);
    if (from) copy(from, kHost, there_.data(), stream.device(), stream);
  }
  void* data() { return there_.data() ? there_.data() : host_.data(); }
  const unsigned char* on_host(Stream& stream) {
    if (!there_.data()) return host_.data();
    host_.assign(bytes_, 0);
    copy(there_.data(), stream.device(), host_.data(), kHost, stream);
    stream.wait();
    return host_.data();
  }

 private:
  void copy(const void* from, int from_device, void* to, int to_device, Stream& stream) const {
    constexpr std::size_t kMost = std::size_t{1} << 30;
    for (std::size_t at = 0; at < bytes_; at += kMost) {
      const Size size{static_cast<int>(std::min(kMost, bytes_ - at))};
      device_stream(stream).copy(
          packed(static_cast<const unsigned char*>(from) + at, size, from_device),
          packed(static_cast<unsigned char*>(to) + at, size, to_device));
    }
  }
  std::size_t bytes_;
  std::vector<unsigned char> host_;
  Scratch there_;
};

double copy_peak(const ChanneliseBenchWay& way) {
  if (way.backend == Backend::cuda) return measure_device(0).copy_bytes;
  return way.threads == 1 ? measure_cpu().copy_bytes_one : measure_cpu().copy_bytes_all;
}

void time_channelise(benchmark::State& state, const ChanneliseBenchWay& way) {
  const bool on_device = way.backend == Backend::cuda;
  const XEngineShape shape{on_device ? 64 : 4, 2, 1};
  ChanneliseOptions options{.channels = way.channels,
                            .taps = way.taps,
                            .oversample = way.oversample,
                            .real = way.real,
                            .output_type = way.output,
                            .backend = way.backend,
                            .method = way.method};
  ChanneliseTables tables;
  if (way.output != SampleType::cf32) tables.gains = {kBenchGain};
  const Channelise plan(shape, options, tables);
  Stream stream(plan.device(), way.threads);
  // Whole groups of the X-engine's samples, far more than the caches hold.
  const long long values = on_device ? 1LL << 22 : 1LL << 19;
  const long long spectra = std::max(16LL, values / way.channels / 16 * 16);
  const SampleRange range = plan.needs(0, spectra);
  const int part = way.real ? 1 : 2, inputs = shape.inputs();
  const auto bytes = static_cast<std::size_t>(range.count * part * inputs);
  const std::vector<signed char> samples = noise_bytes(bytes);
  BenchMemory in(bytes, samples.data(), stream);
  const auto out_bytes = static_cast<std::size_t>(plan.bytes(spectra));
  BenchMemory out(out_bytes, nullptr, stream);
  const VoltageLayout layout =
      way.real ? real_voltage_layout(way.layout, shape, SampleType::ci8, range.count)
               : voltage_layout(way.layout, shape, SampleType::ci8, range.count);
  const RawVoltages raw{{in.data(), range.count, layout, plan.device()}, 0};
  const SpectraBlock block{out.data(), 0, spectra, plan.layout(spectra), plan.device()};
  ChanneliseState counts = plan.start();
  plan(counts, raw, block, stream);
  stream.wait();
  // A fast wrong answer is not a result: compare first, time afterwards.
  const unsigned char* const made = out.on_host(stream);
  const VoltageLayout& l = block.layout;
  for (const int c : {0, way.channels / 2 + 1, way.channels - 1})
    for (const long long m : {0LL, spectra / 2 + 1, spectra - 1}) {
      const unsigned char* const at =
          made + c * l.channel + m / l.group * l.group_step + m % l.group * l.time;
      const auto part_at = [&](const unsigned char* from) -> double {
        if (way.output == SampleType::ci8) return static_cast<signed char>(*from);
        float value = 0;
        std::memcpy(&value, from, sizeof(value));
        return static_cast<double>(value);
      };
      if (!agrees(plan, samples, static_cast<int>(layout.group_step), c, m,
                  {part_at(at), part_at(at + l.imaginary)}))
        return state.SkipWithError("differs from the sum by hand");
    }
  const auto amount = static_cast<double>(bytes + out_bytes);
  time_work(state, "bytes", amount, copy_peak(way), [&] {
    plan(counts, raw, block, stream);
    stream.wait();
  });
  const auto rate = [](double per_call) {
    return benchmark::Counter(per_call, benchmark::Counter::kIsIterationInvariantRate);
  };
  state.counters["input_Gbit"] = rate(8e-9 * static_cast<double>(bytes));
  state.counters["Gsamples"] = rate(1e-9 * static_cast<double>(range.count) * inputs);
  state.SetLabel(plan.describe());
}

void add_channelise(const std::string& name, const ChanneliseBenchWay& way) {
  add_case("channelise/" + name, way.backend,
           [way](benchmark::State& state) { time_channelise(state, way); });
}

const bool channelise_registered = [] {
  for (const ChanneliseMethod& method : channelise_methods()) {
    const std::string name = method.name;
    if (name != "fft") continue;
    const bool on_device = method.backend == Backend::cuda;
    const std::string place = on_device ? "cuda" : "cpu";
    const ChanneliseBenchWay plain{.backend = method.backend, .method = name};
    for (const int channels : {64, 256, 1024, 4096}) {
      ChanneliseBenchWay way = plain;
      way.channels = channels;
      add_channelise(fmt::format("{}/{}", place, channels), way);
      way.threads = 1;
      if (!on_device) add_channelise(fmt::format("{}/{}/one-thread", place, channels), way);
    }
    ChanneliseBenchWay way = plain;
    way.real = true;
    add_channelise(place + "/1024/real", way);
    way = plain;
    way.oversample = "32/27";
    add_channelise(place + "/1024/oversampled", way);
    way = plain;
    way.layout = "tci";
    add_channelise(place + "/1024/tci", way);
    way = plain;
    way.output = SampleType::cf32;
    add_channelise(place + "/1024/cf32", way);
  }
  return true;
}();

}  // namespace
}  // namespace tessera
