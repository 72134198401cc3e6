// SPDX-License-Identifier: Apache-2.0
// Complex samples of 8 bits; each thread is an input. All threads of one time follow each other.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>

#include "io/voltages/vdif_header.hpp"
#include "io/voltages/voltage_collect.hpp"

namespace tessera {
namespace {

/// The samples of a frame have about this many bytes, so that a frame fits in a network packet.
constexpr long long kPayloadBytes = 8192;

class VdifSink : public CollectingSink {
 public:
  using CollectingSink::CollectingSink;

  Missing missing() const override { return Missing::by_frame; }

 protected:
  long long prepare() override;
  void store(const Collected& collected) override;

 private:
  void set_start();
  std::string what_fits(double frames) const;
  bool all_valid(const Collected& collected, int input) const;

  VdifHeader header_;
  int parts_ = 2;  ///< of a sample
  long long samples_ = 0, frames_a_second_ = 0,
            frame_ = 0;  ///< frame_ counts from the day of the epoch
  std::string bytes_;
};

/// Samples of a frame: a second has whole frames, a frame has whole groups of 8 bytes.
long long samples_of_frame(long long rate, long long sample_bytes) {
  for (long long samples = std::max(1LL, kPayloadBytes / sample_bytes); samples > 0; --samples)
    if (rate % samples == 0 && samples * sample_bytes % 8 == 0) return samples;
  return 0;
}

long long VdifSink::prepare() {
  const VoltageInfo& info = this->info();
  const int channels = info.shape.channels, inputs = info.shape.inputs();
  if (info.samples != SampleType::ci8)
    refuse(fmt::format("VDIF is written from ci8, not from {}; write NPY or raw",
                       name_of(info.samples)));
  if (!std::has_single_bit(static_cast<unsigned>(channels)) || inputs > 1024)
    refuse(fmt::format(
        "VDIF needs a power of 2 as the number of channels and at most 1024 inputs, not {} and {}",
        channels, inputs));
  const double rate = info.sample_rate.value_or(0);
  if (rate < 1 || rate != std::floor(rate) || rate > 1e12 || !info.start)
    refuse(
        fmt::format("VDIF needs a start and a whole number of samples per second, not {}", rate));
  parts_ = info.real ? 1 : 2;
  samples_ = samples_of_frame(static_cast<long long>(rate), 1LL * parts_ * channels);
  frames_a_second_ = samples_ > 0 ? static_cast<long long>(rate) / samples_ : 0;
  header_.complex = !info.real;
  header_.bits = 8;
  header_.channels = channels;
  header_.frame_bytes = kVdifHeaderBytes + samples_ * parts_ * channels;
  header_.rate = rate;
  // The header counts kHz or MHz, of real samples in pairs.
  const double pairs = info.real ? rate / 2 : rate;
  header_.extension = std::fmod(pairs, pairs < 8e9 ? 1e3 : 1e6) == 0 ? 1 : 0;
  if (frames_a_second_ < 1 || frames_a_second_ >= 1 << 24 || header_.frame_bytes >= 8LL << 24)
    refuse(fmt::format("VDIF frames cannot hold {} channels at {} samples per second", channels,
                       rate));
  set_start();
  return samples_;
}

/// Samples of the recording before a filter bank that lie before the next frame.
std::string VdifSink::what_fits(double frames) const {
  if (info().filter_bank.empty()) return "give a whole second";
  const auto bank = nlohmann::json::parse(info().filter_bank, nullptr, false);
  if (!bank.is_object() || !bank.contains("hop") || !bank["hop"].is_number_integer())
    return "give a whole second";
  const double of_frame = static_cast<double>(samples_) * bank["hop"].get<double>();
  const double more = std::round((std::ceil(frames) - frames) * of_frame);
  if (std::abs(frames + more / of_frame - std::ceil(frames)) > 1e-3) return "write NPY or raw";
  return fmt::format("skip {} more of the recorded samples", more);
}

void VdifSink::set_start() {
  const double frames = info().start_second * static_cast<double>(frames_a_second_);
  frame_ = std::llround(frames);
  if (std::abs(frames - static_cast<double>(frame_)) > 1e-3)
    refuse(
        fmt::format("its start, {} s of the day, is not the start of a VDIF frame ({} per second); "
                    "{}",
                    info().start_second, frames_a_second_, what_fits(frames)));
  while (header_.epoch < 63 && vdif_time(header_.epoch + 1, 0).day <= info().start_day)
    ++header_.epoch;
  const long long days = info().start_day - vdif_time(header_.epoch, 0).day;
  if (days < 0 || days > 10000)
    refuse(fmt::format("MJD {} is before 2000 or after 2059, which VDIF cannot store",
                       info().start_day));
  frame_ += days * 86400 * frames_a_second_;
}

bool VdifSink::all_valid(const Collected& collected, int input) const {
  for (long long t = 0; t < collected.count; ++t)
    if (!collected.valid[t * info().shape.inputs() + input]) return false;
  return true;
}

void VdifSink::store(const Collected& collected) {
  const int inputs = info().shape.inputs(), channels = info().shape.channels;
  header_.seconds = frame_ / frames_a_second_;
  header_.frame = frame_ % frames_a_second_;
  for (int input = 0; input < inputs; ++input) {
    header_.thread = input;
    header_.invalid = !all_valid(collected, input);
    bytes_ = vdif_header_bytes(header_);
    for (long long t = 0; t < collected.count; ++t)
      for (int c = 0; c < channels; ++c) {
        const unsigned char* const sample =
            collected.samples + 2 * ((t * channels + c) * inputs + input);
        bytes_ += static_cast<char>(sample[0] ^ 0x80);
        if (parts_ == 2) bytes_ += static_cast<char>(sample[1] ^ 0x80);
      }
    bytes_.resize(static_cast<std::size_t>(header_.frame_bytes), static_cast<char>(0x80));
    append(bytes_.data(), header_.frame_bytes);
  }
  ++frame_;
}

}  // namespace

std::unique_ptr<VoltageSink> create_vdif(const std::string& path, bool force) {
  return std::make_unique<VdifSink>(path, force);
}

}  // namespace tessera
