// SPDX-License-Identifier: Apache-2.0
#include "jobs/bank/channelised_voltages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/counted.hpp"
#include "core/pools.hpp"
#include "report/json.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Samples that are asked for at once.
constexpr long long kMostSamples = 1 << 16;

template <class T>
void negate_second_parts(std::vector<unsigned char>& bytes) {
  for (std::size_t at = sizeof(T); at < bytes.size(); at += 2 * sizeof(T)) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    value = static_cast<T>(-value);
    std::memcpy(bytes.data() + at, &value, sizeof value);
  }
}

/// Spectra never have the lowest value of their type, which has no opposite.
void conjugate(std::vector<unsigned char>& samples, SampleType type) {
  if (type == SampleType::ci8) return negate_second_parts<std::int8_t>(samples);
  if (type == SampleType::ci16) return negate_second_parts<std::int16_t>(samples);
  negate_second_parts<float>(samples);
}

}  // namespace

ChannelisedVoltages::ChannelisedVoltages(VoltageSource& source, const FilterBank& bank,
                                         const RunSettings& settings)
    : source_(source),
      bank_(bank),
      tables_(bank_tables(bank, source.info().shape)),
      stream_(settings.stream(kHost)),
      threads_(stream_.threads()),
      window_(source.info()) {
  const VoltageInfo& in = source.info();
  plan_.emplace(in.shape, bank_options(bank, in), tables_);
  gains_ = tables_.gains;
  order_channels();
  if (!gains_.empty() && !places_.empty() && gains_.size() > 1) {
    // Files are in the order of the output.
    const auto channels = static_cast<std::size_t>(plan_->output().channels);
    const std::size_t each = gains_.size() / channels;
    for (std::size_t c = 0; c < channels; ++c)
      for (std::size_t i = 0; i < each; ++i)
        tables_.gains[c * each + i] = gains_[static_cast<std::size_t>(places_[c]) * each + i];
    plan_.emplace(in.shape, bank_options(bank, in), tables_);
  }
  if (plan_->device() != kHost) stream_ = settings.stream(plan_->device());
  state_.emplace(plan_->start());
  const auto limit = static_cast<long long>(settings.stream(kHost).memory_limit());
  check_memory(limit);
  measure_gain(limit);
  choose_blocks(limit);
  describe_output();
}

void ChannelisedVoltages::check_memory(long long limit) const {
  const long long one = plan_->bytes(1), held = plan_->length() * window_.sample_bytes();
  if (one + held > limit)
    throw Error(
        ErrorKind::resources,
        fmt::format("channelise: one spectrum of all inputs takes {} of samples and makes "
                    "{}, but --memory-limit is {}; give more memory, fewer channels or "
                    "fewer taps",
                    bytes_text(static_cast<double>(held)), bytes_text(static_cast<double>(one)),
                    bytes_text(static_cast<double>(limit))));
}

// The memory of samples from which a gain was measured stays.
void ChannelisedVoltages::choose_blocks(long long limit) {
  const long long one = plan_->bytes(1);
  const long long held = std::max(plan_->length() * window_.sample_bytes(), window_.bytes());
  const long long each = 3 * one + plan_->hop() * window_.sample_bytes();
  at_once_ = std::max(1LL, std::min(kBlockBytes / one, (limit - held) / each));
  if (at_once_ > 16) at_once_ = at_once_ / 16 * 16;
}

// Channels ascend on the sky: a lower sideband is reversed within each recorded channel, and
// recorded channels that descend are reversed as a whole.
void ChannelisedVoltages::order_channels() {
  const VoltageInfo& in = source_.info();
  const int coarse = in.shape.channels, each = plan_->output().channels / coarse;
  const bool falls = in.frequency.size() > 1 && in.frequency.back() < in.frequency.front();
  if (!falls && !in.lower_sideband) return;
  for (int c = 0; c < coarse; ++c)
    for (int k = 0; k < each; ++k)
      places_.push_back((falls ? coarse - 1 - c : c) * each +
                        (in.lower_sideband ? each - 1 - k : k));
}

void ChannelisedVoltages::describe_output() {
  const VoltageInfo& in = source_.info();
  const XEngineShape shape = plan_->output();
  info_ = in;
  info_.shape = shape;
  info_.samples = plan_->options().output_type;
  info_.offset_binary = info_.real_low = info_.real = info_.lower_sideband = false;
  info_.sideband_assumed = false;
  info_.offset = 0;
  const double hop = static_cast<double>(plan_->hop()),
               each = static_cast<double>(plan_->options().channels);
  const double bits = in.bits > 0 ? in.bits : 8.0 * bytes_of(in.samples);
  info_.bits = std::max(1, static_cast<int>(std::lround(bits * hop / each)));
  const long long spectra = plan_->spectra(in.length.value_or(0));
  info_.length = in.length ? std::optional(spectra) : std::nullopt;
  info_.expected_length = plan_->spectra(in.expected_length);
  info_.frequency.clear();
  info_.channel_width.reset();
  if (!in.sample_rate) {
    info_.start.reset();
  } else {
    const double rate = *in.sample_rate, side = in.lower_sideband ? -1 : 1;
    info_.sample_rate = rate / hop;
    info_.channel_width = rate / plan_->transform();
    if (in.start) {
      const auto before = static_cast<double>(plan_->length() - plan_->hop()) / 2;
      info_.set_start(in.start_day, in.start_second + before / rate);
    }
    info_.frequency.resize(in.frequency.empty() ? 0 : static_cast<std::size_t>(shape.channels));
    for (std::size_t c = 0; c < info_.frequency.size(); ++c) {
      const auto place = places_.empty() ? c : static_cast<std::size_t>(places_[c]);
      const double middle = in.frequency[c / static_cast<std::size_t>(each)];
      const double offset = plan_->frequency(static_cast<int>(c)) - (in.real ? 0.25 : 0);
      info_.frequency[place] = middle + side * offset * rate;
    }
  }
  info_.details.clear();
  // No number stands for several gains; `gain` has them.
  info_.scale = gains_.size() == 1 ? in.scale / gains_[0] : in.scale;
  describe_bank();
}

void ChannelisedVoltages::describe_bank() {
  const ChanneliseOptions& o = plan_->options();
  const auto h = plan_->coefficients();
  double squares = 0;
  for (const float value : h) squares += double(value) * value;
  Json bank{{"channels", o.channels}, {"taps", o.taps}};
  if (bank_.coefficients.empty())
    bank["window"] = o.window;
  else
    bank["coefficients"] = bank_.coefficients;
  bank["oversample"] = o.oversample;
  bank["hop"] = plan_->hop();
  bank["length"] = plan_->length();
  bank["sum_of_squares"] = squares;
  bank["recorded_samples"] = std::string(o.real ? "real " : "") + std::string(name_of(o.samples));
  bank["recorded_rate"] = to_json(source_.info().sample_rate);
  if (!gains_.empty()) bank["gain"] = Json::parse(gains_text());
  if (gain_spectra_ > 0) bank["gain_from_spectra"] = gain_spectra_;
  info_.filter_bank = bank.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string ChannelisedVoltages::describe() const {
  std::string text = plan_->describe();
  if (gains_.size() == 1) text += fmt::format(", gain {:g}", gains_[0]);
  if (gains_.size() > 1) text += fmt::format(", {} gains", gains_.size());
  return text;
}

ChanneliseCounts ChannelisedVoltages::counts() {
  const ChanneliseCounts now = plan_->take_counts(*state_, stream_);
  counts_.saturated += now.saturated;
  counts_.not_a_number += now.not_a_number;
  return counts_;
}

/// Samples before `keep` are not needed any more.
void ChannelisedVoltages::fill(long long end, long long keep) {
  const long long most = std::clamp(kBlockBytes / window_.sample_bytes(), 1LL, kMostSamples);
  while (window_.end() < end && gap_ == 0 && !at_end_) {
    gap_ = source_.skip_missing(std::numeric_limits<long long>::max() / 4);
    if (gap_ > 0) return;
    const VoltageBlock block = source_.read(std::min(end - window_.end(), most));
    if (block.samples > 0)
      window_.append(block, threads_);
    else
      at_end_ = true;
    window_.forget(keep);
  }
}

/// Reads until the next spectra are there, as far as possible, or known to be missing; false at the
/// end.
bool ChannelisedVoltages::prepare(long long spectra) {
  for (;;) {
    const SampleRange all = plan_->needs(next_, spectra), one = plan_->needs(next_, 1);
    fill(all.first + all.count, all.first);
    if (window_.end() >= one.first + one.count) return true;
    if (gap_ == 0) return false;
    window_.begin_again(window_.end() + std::exchange(gap_, 0));
  }
}

/// Spectra from the next one on that reach into a gap, of those that the recording is long enough
/// for.
long long ChannelisedVoltages::missing_ahead() const {
  const long long hop = plan_->hop(), first = next_ * hop;
  if (first >= window_.begin()) return 0;
  const long long whole = (window_.begin() + hop - 1) / hop;  // the first after the gap
  return std::min(whole, plan_->spectra(window_.end())) - next_;
}

long long ChannelisedVoltages::skip_missing(long long most) {
  if (!prepare(1)) return 0;
  const long long missing = std::min(missing_ahead(), most);
  next_ += missing;
  window_.forget(next_ * plan_->hop());
  return missing;
}

void ChannelisedVoltages::stay_on(int device) {
  on_device_ = device != kHost && plan_->device() == device && places_.empty();
}

VoltageBlock ChannelisedVoltages::read(long long most) {
  const long long wanted = std::clamp(most, 1LL, at_once_);
  if (!prepare(wanted)) return {};
  if (const long long missing = missing_ahead(); missing > 0) {
    const long long count = std::min(missing, wanted);
    next_ += count;
    window_.forget(next_ * plan_->hop());
    return silence(count);
  }
  const long long count = std::min(wanted, plan_->spectra(window_.end()) - next_);
  const VoltageBlock block = transform(*plan_, *state_, next_, count, on_device_);
  next_ += count;
  window_.forget(next_ * plan_->hop());
  return places_.empty() ? block : arranged(block);
}

VoltageBlock ChannelisedVoltages::transform(const Channelise& plan, ChanneliseState& state,
                                            long long first, long long count, bool on_device) {
  const SampleRange needed = plan.needs(first, count);
  const auto inputs = static_cast<std::size_t>(plan.input().inputs());
  const VoltageBlock in = window_.block(needed.first, needed.count, sample_valid_);
  valid_.assign(in.valid.empty() ? 0 : static_cast<std::size_t>(count) * inputs, 1);
  const auto bytes = static_cast<std::size_t>(plan.bytes(count));
  if (on_device)
    device_memory_ = stream_.scratch(bytes);
  else
    made_.resize(bytes);
  void* const data = on_device ? device_memory_.data() : made_.data();
  const int device = on_device ? plan.device() : kHost;
  const VoltageLayout layout = plan.layout(count);
  plan(state, {in, needed.first},
       {.data = data,
        .first = first,
        .spectra = count,
        .layout = layout,
        .device = device,
        .valid = valid_},
       stream_);
  if (on_device) stream_.wait();  // the reader has another stream
  VoltageBlock out{.data = data, .samples = count, .layout = layout, .device = device};
  if (std::ranges::find(valid_, 0) != valid_.end()) {
    out.valid = valid_;
    out.valid_samples = 1;
  }
  return out;
}

VoltageBlock ChannelisedVoltages::arranged(const VoltageBlock& block) {
  arranged_.resize(made_.size());
  VoltageBlock out = block;
  out.layout = voltage_layout("tci", info_.shape, info_.samples, block.samples);
  out.data = arranged_.data();
  XEngineShape one = info_.shape;
  one.channels = 1;
  const auto* const from = static_cast<const unsigned char*>(block.data);
  for (int c = 0; c < info_.shape.channels; ++c)
    rearrange_voltages(one, info_.samples, false, block.samples, block.layout,
                       from + c * block.layout.channel, out.layout,
                       arranged_.data() + places_[static_cast<std::size_t>(c)] * out.layout.channel,
                       1);
  if (source_.info().lower_sideband) conjugate(arranged_, info_.samples);
  return out;
}

VoltageBlock ChannelisedVoltages::silence(long long spectra) {
  made_.assign(static_cast<std::size_t>(plan_->bytes(spectra)), 0);
  valid_.assign(static_cast<std::size_t>(info_.shape.inputs()), 0);
  return {.data = made_.data(),
          .samples = spectra,
          .layout = voltage_layout("tci", info_.shape, info_.samples, spectra),
          .valid = valid_,
          .valid_samples = spectra};
}

std::vector<std::string> ChannelisedVoltages::notes() {
  std::vector<std::string> notes;
  const ChanneliseCounts all = counts();
  if (source_.info().sideband_assumed) notes.emplace_back(kSidebandNote);
  if (gain_spectra_ > 0 && !no_power_)
    notes.push_back(fmt::format("gain {:g}, from {}", gains_[0], measured_text()));
  if (no_power_)
    notes.push_back(
        fmt::format("{} are all zero, so the gain is 1; --gain takes another", measured_text()));
  if (all.saturated > 0)
    notes.push_back(
        fmt::format("{} of spectra {} at the limits of {}; a smaller --gain or cf32 can hold {}",
                    counted(all.saturated, "part"), all.saturated == 1 ? "is" : "are",
                    name_of(info_.samples), all.saturated == 1 ? "it" : "them"));
  if (all.not_a_number > 0)
    notes.push_back(fmt::format("{} of spectra {} and became 0", counted(all.not_a_number, "part"),
                                all.not_a_number == 1 ? "is not a number" : "are not numbers"));
  return notes;
}

}  // namespace tessera
