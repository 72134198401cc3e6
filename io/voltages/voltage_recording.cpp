// SPDX-License-Identifier: Apache-2.0
#include "io/voltages/voltage_recording.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/counted.hpp"
#include "io/voltages/voltage_order.hpp"

namespace tessera {
namespace {

/// The limit for a block of any format, however much is requested.
constexpr long long kMostBlockBytes = 64LL << 20;
/// A longer gap is treated as a false header: 2^32 samples are 71 minutes at 1 MHz.
constexpr long long kMostGap = 1LL << 32;
/// The limit for samples per second and for samples between files: larger values are false and
/// would overflow.
constexpr double kMostRate = 1e15, kMostShift = 9e15;

[[noreturn]] void refuse_file(const std::string& name, const char* what, const std::string& here,
                              const std::string& before) {
  throw voltage_error(name,
                      "its {} is {}, but that of the files before it is {}; they are not one "
                      "recording",
                      what, here, before);
}

std::string type_text(const VoltageInfo& info) {
  std::string text(name_of(info.samples));
  if (info.offset_binary) text += " offset-binary";
  if (info.real_low) text += " real part low";
  if (info.real) text += " real";
  return text + fmt::format(" in units of {} with {} added", info.scale, info.offset);
}

void check_rate(const std::string& name, const VoltageInfo& info) {
  if (info.sample_rate && !(*info.sample_rate > 0 && *info.sample_rate <= kMostRate))
    throw voltage_error(name, "its sample rate is {} Hz; it can be up to {:g} Hz",
                        *info.sample_rate, kMostRate);
}

void check_same(const std::string& name, const VoltageInfo& info, const VoltageInfo& first) {
  if (info.format != first.format) refuse_file(name, "format", info.format, first.format);
  if (info.shape != first.shape)
    refuse_file(name, "shape", voltage_shape_text(info.shape), voltage_shape_text(first.shape));
  if (type_text(info) != type_text(first))
    refuse_file(name, "type", type_text(info), type_text(first));
  if (info.sample_rate && first.sample_rate && *info.sample_rate != *first.sample_rate)
    refuse_file(name, "sample rate", fmt::format("{} Hz", *info.sample_rate),
                fmt::format("{} Hz", *first.sample_rate));
  if (info.frequency != first.frequency && !info.frequency.empty() && !first.frequency.empty())
    refuse_file(name, "first frequency", fmt::format("{} Hz", info.frequency[0]),
                fmt::format("{} Hz", first.frequency[0]));
}

}  // namespace

VoltageRecording::VoltageRecording(std::vector<std::string> files, const VoltageOptions& options,
                                   Open open, bool described)
    : files_(std::move(files)),
      open_(std::move(open)),
      skip_(options.skip),
      position_(options.skip),
      max_gap_(options.max_gap) {
  open_next_file();
  info_ = first_info_ = reader_->info();
  in_files_ = samples_in_files();
  try {
    if (!next_stretch() && skip_ == 0)
      throw voltage_error(voltage_input_name(files_[0]), "it has no samples");
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input || !described) throw;
    end_early(error.what());
    ended_ = true;
  }
  set_times(options.sample_rate);
  set_frequencies(options);
}

// Samples are counted from the reader's start.
void VoltageRecording::set_times(double given_rate) {
  if (given_rate > 0 && !info_.sample_rate) info_.sample_rate = given_rate;
  if (info_.sample_rate && !info_.channel_width)
    info_.channel_width = *info_.sample_rate / (info_.real ? 2 : 1);
  const long long before = origin_ + skip_;
  if (info_.start && before != 0) {
    if (info_.sample_rate)
      info_.set_start(info_.start_day,
                      info_.start_second + static_cast<double>(before) / *info_.sample_rate);
    else
      info_.start.reset();
  }
  if (files_.size() > 1) info_.length.reset();
  if (info_.length) info_.length = std::max(0LL, *info_.length - skip_);
  info_.expected_length = info_.length.value_or(std::max(0LL, in_files_ - skip_));
}

void VoltageRecording::set_frequencies(const VoltageOptions& options) {
  if (options.sideband != Sideband::automatic) {
    info_.lower_sideband = options.sideband == Sideband::lower;
    info_.sideband_assumed = false;
  }
  if (options.frequency <= 0 || !info_.frequency.empty() || !info_.channel_width) return;
  const double step = *info_.channel_width * (info_.lower_sideband ? -1 : 1);
  const double first = options.frequency + (info_.real ? step / 2 : 0);
  for (int c = 0; c < info_.shape.channels; ++c) info_.frequency.push_back(first + step * c);
}

// Headers and repeated samples are a small part of a file; gaps take no space in it.
long long VoltageRecording::samples_in_files() const {
  double bytes = 0;
  for (const std::string& file : files_) {
    std::error_code unknown;
    const auto size = std::filesystem::file_size(file, unknown);
    if (unknown) return 0;  // a pipe
    bytes += static_cast<double>(size);
  }
  return static_cast<long long>(8 * bytes / info_.bits_of_all());
}

void VoltageRecording::want_channels(int first, int count) {
  first_channel_ = first;
  wanted_channels_ = count;
  reader_->want_channels(first, count);
}

bool VoltageRecording::open_next_file() {
  if (opened_ == files_.size()) return false;
  const std::string& file = files_[opened_++];
  reader_ = open_(file);
  if (wanted_channels_ > 0) reader_->want_channels(first_channel_, wanted_channels_);
  file_begins_ = true;
  const VoltageInfo& info = reader_->info();
  check_rate(voltage_input_name(file), info);
  if (opened_ == 1) return true;
  check_same(voltage_input_name(file), info, first_info_);
  file_shift_ = 0;
  if (info.start && first_info_.start && info_.sample_rate)
    file_shift_ = std::llround(
        std::clamp((static_cast<double>(info.start_day - first_info_.start_day) * 86400 +
                    (info.start_second - first_info_.start_second)) *
                       *info_.sample_rate,
                   -kMostShift, kMostShift));
  return true;
}

std::optional<VoltageStretch> VoltageRecording::next_of_files() {
  for (;;) {
    if (auto stretch = reader_->next()) return stretch;
    for (std::string& sentence : reader_->warnings()) warnings_.push_back(std::move(sentence));
    if (!open_next_file()) return std::nullopt;
  }
}

void VoltageRecording::end_early(const std::string& sentence) {
  warnings_.push_back(sentence);
  truncated_ = true;
}

// Missing samples take no space in a file, so that a few bytes of a false header could ask for
// years. A pipe may be judged only by what it has brought so far.
void VoltageRecording::check_gap(long long gap, long long samples) {
  const std::string name = voltage_input_name(files_[opened_ - 1]);
  if (gap > kMostGap)
    throw voltage_error(
        name, "{} samples are missing before its next block; only gaps of up to {} are filled", gap,
        kMostGap);
  present_ += samples;
  missing_ += gap;
  const long long there = std::max(present_, in_files_);
  if (static_cast<double>(missing_) > max_gap_ * static_cast<double>(there))
    throw voltage_error(name,
                        "with {} before its next block, {} samples are missing and about {} are "
                        "there; max-gap allows {} for each one, give a larger one if this is right",
                        gap, missing_, there, max_gap_);
}

// The place of a stretch in time. Counters that do not grow cannot serve as a clock: their stretch
// then follows directly.
void VoltageRecording::place(const VoltageStretch& stretch) {
  const long long follows = stretch_end_ - (began_ ? stretch.repeated : 0);
  long long first = follows;
  // A file that does not count its samples still says when it began.
  const bool clocked = stretch.first || (file_begins_ && file_shift_ != 0);
  if (clocked && !began_) origin_ = stretch.first.value_or(0);
  if (clocked) first = stretch.first.value_or(0) + file_shift_ - origin_;
  if (first < follows) {
    if (!warned_order_)
      warnings_.push_back(
          voltage_input_name(files_[opened_ - 1]) +
          ": its sample counts do not increase; blocks are read one after the other");
    warned_order_ = true;
    first = follows;
  }
  check_gap(std::max(0LL, first - stretch_end_), stretch.samples);
  stretch_first_ = first;
  stretch_end_ = first + stretch.samples;
  began_ = true;
  file_begins_ = false;
}

bool VoltageRecording::next_stretch() {
  while (!ended_) {
    try {
      const auto stretch = next_of_files();
      if (!stretch) break;
      place(*stretch);
      if (!stretch->cut.empty()) end_early(stretch->cut);
      if (stretch_end_ > position_) return true;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input || !began_) throw;
      end_early(error.what());
      break;
    }
  }
  ended_ = true;
  return false;
}

long long VoltageRecording::most_at_once() const {
  const long long bytes =
      1LL * bytes_of(info_.samples) * info_.shape.inputs() * info_.shape.channels;
  return std::max(1LL, kMostBlockBytes / bytes);
}

VoltageBlock VoltageRecording::silence(long long samples) {
  const VoltageOrder order{"TFAP", info_.shape, info_.samples};
  zeros_.resize(static_cast<std::size_t>(samples * order.bytes_a_sample()));
  invalid_.assign(static_cast<std::size_t>(info_.shape.inputs()), 0);
  return {zeros_.data(), samples, order.layout(samples), kHost, invalid_, samples};
}

long long VoltageRecording::skip_missing(long long most) {
  if (!ended_ && position_ >= stretch_end_) next_stretch();
  const long long missing = std::clamp(stretch_first_ - position_, 0LL, most);
  position_ += missing;
  return missing;
}

VoltageBlock VoltageRecording::read(long long most) {
  if (!ended_ && position_ >= stretch_end_) next_stretch();
  if (ended_ && position_ >= stretch_end_) {
    if (position_ == skip_ && skip_ > 0)
      throw Error(
          ErrorKind::usage,
          fmt::format("{}: there {} {}, and skip is {}; skip fewer", voltage_input_name(files_[0]),
                      stretch_end_ == 1 ? "is" : "are", counted(stretch_end_, "sample"), skip_));
    return {};
  }
  most = std::clamp(most, 1LL, most_at_once());
  VoltageBlock block;
  try {
    block = position_ < stretch_first_ ? silence(std::min(most, stretch_first_ - position_))
                                       : reader_->read(position_ - stretch_first_,
                                                       std::min(most, stretch_end_ - position_));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input || position_ == skip_) throw;
    end_early(error.what());
    ended_ = true;
    stretch_end_ = position_;
    return {};
  }
  position_ += block.samples;
  return block;
}

std::vector<std::string> VoltageRecording::warnings() const {
  std::vector<std::string> list = warnings_;
  if (!ended_)
    for (std::string& sentence : reader_->warnings()) list.push_back(std::move(sentence));
  return list;
}

}  // namespace tessera
