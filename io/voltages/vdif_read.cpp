// SPDX-License-Identifier: Apache-2.0
// VDIF: each frame belongs to one thread, and threads are inputs. Frames are sorted by their time
// and may come in any order within two windows; the samples of missing or flagged frames are
// invalid.
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "io/voltages/vdif_samples.hpp"
#include "io/voltages/vdif_threads.hpp"
#include "io/voltages/voltage_reader.hpp"

namespace tessera {
namespace {

constexpr long long kWindowBytes = 4 << 20;

/// Decoded frames of several times: [time][thread].
struct Window {
  long long first = 0;  ///< the first time, counted in frames
  std::vector<unsigned char> samples;
  std::vector<unsigned char> here, valid;  ///< one byte per frame
};

class VdifReader : public VoltageReader {
 public:
  VdifReader(VoltageInputPointer input, const VoltageOptions& options);

  const VoltageInfo& info() const override { return info_; }
  std::optional<VoltageStretch> next() override;
  VoltageBlock read(long long from, long long count) override;
  std::vector<std::string> warnings() const override;

 private:
  void set_info(int polarisations);
  void make_windows();
  bool load_frame();
  long long time_of(const VdifHeader& header);
  bool put_frame();
  void fill();
  void advance();
  bool find_run();
  bool has_frames(const Window& window) const { return std::ranges::count(window.here, 1) > 0; }

  VoltageInputPointer input_;
  bool half_steps_;
  VdifThreads found_;
  VdifSamples kind_;
  VoltageInfo info_;
  long long threads_ = 0, places_ = 0;  ///< places_: times in a window
  long long frame_out_ = 0;             ///< bytes per decoded frame
  Window now_, then_;
  bool ended_ = false;
  std::vector<unsigned char> frame_;  ///< the next one, if loaded_
  VdifHeader header_;
  long long frame_time_ = 0;
  bool loaded_ = false;
  long long offset_ = 0;               ///< in the file
  long long place_ = 0, run_end_ = 0;  ///< of the stretch in the window
  long long highest_frame_ = 0, dropped_ = 0;
  std::string cut_;
};

VdifReader::VdifReader(VoltageInputPointer input, const VoltageOptions& options)
    : input_(std::move(input)),
      half_steps_(options.half_steps),
      found_(find_vdif_threads(*input_)),
      kind_(vdif_samples(found_.first, half_steps_)),
      threads_(static_cast<long long>(found_.threads.size())) {
  if (found_.frames_a_second == 0 && options.sample_rate > 0)
    found_.frames_a_second =
        std::max(1LL, static_cast<long long>(
                          options.sample_rate / static_cast<double>(found_.first.samples()) + 0.5));
  set_info(std::max(1, options.polarisations));
  make_windows();
}

void VdifReader::set_info(int polarisations) {
  const VdifHeader& first = found_.first;
  if (threads_ % polarisations != 0)
    throw voltage_error(input_->name(),
                        "it has {} threads, which is not a multiple of {} polarisations", threads_,
                        polarisations);
  info_.format = "VDIF";
  info_.shape =
      checked_shape(input_->name(), {threads_ / polarisations, polarisations, first.channels});
  info_.samples = kind_.type;
  info_.offset_binary = kind_.offset_binary;
  info_.real_low = kind_.real_low;
  info_.real = !first.complex;
  info_.bits = first.bits * (first.complex ? 2 : 1);
  info_.scale = kind_.scale;
  info_.offset = kind_.offset;
  const auto frames = static_cast<double>(found_.frames_a_second);
  if (frames > 0) info_.sample_rate = frames * static_cast<double>(first.samples());
  const VdifTime begins = vdif_time(first.epoch, first.seconds);
  if (frames > 0 || first.frame == 0)
    info_.set_start(begins.day,
                    begins.second + (frames > 0 ? static_cast<double>(first.frame) / frames : 0));
  info_.details = {{"threads", fmt::format("{}", fmt::join(found_.threads, ", "))},
                   {"bits", fmt::format("{}", first.bits)},
                   {"extension", fmt::format("{}", first.extension)},
                   {"station", fmt::format("{}", first.station)},
                   {"samples per frame", fmt::format("{}", first.samples())}};
}

void VdifReader::make_windows() {
  frame_out_ = found_.first.samples() * found_.first.channels * bytes_of(kind_.type);
  places_ = std::max(1LL, kWindowBytes / (threads_ * frame_out_));
  // A short file needs no more memory than its own size.
  if (const auto all = input_->bytes())
    places_ = std::min(places_, *all / found_.first.frame_bytes / threads_ + 1);
  check_voltage_memory(input_->name(), 2 * places_ * threads_ * frame_out_);
  for (Window* const window : {&now_, &then_}) {
    window->samples.resize(static_cast<std::size_t>(places_ * threads_ * frame_out_));
    window->here.resize(static_cast<std::size_t>(places_ * threads_));
    window->valid.resize(window->here.size());
  }
  then_.first = places_;
  frame_.resize(static_cast<std::size_t>(std::max(found_.first.frame_bytes, kVdifHeaderBytes)));
}

/// False at the end.
bool VdifReader::load_frame() {
  if (loaded_) return true;
  if (ended_) return false;
  const long long bytes = found_.first.frame_bytes, there = input_->available(offset_, bytes);
  if (there < bytes) {
    if (there > 0)
      cut_ = fmt::format("{}: its last VDIF frame has {} of its {} bytes and is left out",
                         input_->name(), there, bytes);
    ended_ = true;
    return false;
  }
  input_->read_all(offset_, frame_.data(), bytes);
  header_ = parse_vdif_header(frame_.data());
  try {
    check_vdif_header(input_->name(), offset_, header_);
    if (const std::string what = vdif_difference(found_.first, header_); !what.empty())
      throw voltage_error(input_->name(),
                          "{} in the first VDIF frame and in the one at byte {}; all frames of a "
                          "recording must agree",
                          what, offset_);
    if (!std::ranges::binary_search(found_.threads, header_.thread))
      throw voltage_error(input_->name(), "thread {} begins at byte {}; the first frames have {}",
                          header_.thread, offset_, fmt::join(found_.threads, ", "));
    frame_time_ = time_of(header_);
  } catch (const Error& error) {
    cut_ = error.what();  // reported after the frames before it
    ended_ = true;
    return false;
  }
  offset_ += bytes;
  return loaded_ = true;
}

// Counted in frames since the first. If the rate is not given, the last frame of a second tells it.
long long VdifReader::time_of(const VdifHeader& header) {
  const VdifHeader& first = found_.first;
  const long long seconds = header.time() - first.time();
  if (seconds == 0) {
    highest_frame_ = std::max(highest_frame_, header.frame);
    return header.frame - first.frame;
  }
  if (found_.frames_a_second == 0) found_.frames_a_second = highest_frame_ + 1;
  constexpr double kMost = 9e15;  // samples that can be counted, with room to add
  if (static_cast<double>(std::abs(seconds)) * static_cast<double>(found_.frames_a_second) *
          static_cast<double>(first.samples()) >
      kMost)
    throw voltage_error(input_->name(),
                        "the VDIF frame at byte {} is {} seconds from the first, with {} frames "
                        "per second; up to {:g} samples can be counted",
                        offset_, seconds, found_.frames_a_second, kMost);
  return seconds * found_.frames_a_second + header.frame - first.frame;
}

/// False if the frame lies after both windows and has to wait.
bool VdifReader::put_frame() {
  const long long time = frame_time_;
  if (time >= then_.first + places_) return false;
  loaded_ = false;
  Window& window = time < then_.first ? now_ : then_;
  const auto thread =
      std::ranges::lower_bound(found_.threads, header_.thread) - found_.threads.begin();
  const long long at = (time - window.first) * threads_ + thread;
  if (time < now_.first || window.here[static_cast<std::size_t>(at)]) {
    ++dropped_;
    return true;
  }
  window.here[static_cast<std::size_t>(at)] = 1;
  window.valid[static_cast<std::size_t>(at)] = !header_.invalid;
  decode_vdif(header_, half_steps_, frame_.data() + header_.header_bytes(),
              window.samples.data() + at * frame_out_);
  return true;
}

void VdifReader::fill() {
  while (load_frame() && put_frame()) {
  }
}

void VdifReader::advance() {
  std::swap(now_, then_);
  std::ranges::fill(then_.here, 0);
  std::ranges::fill(then_.valid, 0);
  then_.first = now_.first + places_;
  run_end_ = 0;
  // A long gap is left to the code that fills gaps.
  if (!has_frames(now_) && loaded_ && !ended_) {
    now_.first = std::max(now_.first, frame_time_);
    then_.first = now_.first + places_;
  }
}

/// The next times of the window that have a frame of any thread. Times without one are a gap, or
/// a few frames at the ends of windows would take the memory and time of a full recording.
bool VdifReader::find_run() {
  const auto has_frame = [&](long long place) {
    return std::memchr(now_.here.data() + place * threads_, 1,
                       static_cast<std::size_t>(threads_)) != nullptr;
  };
  place_ = run_end_;
  while (place_ < places_ && !has_frame(place_)) ++place_;
  run_end_ = place_;
  while (run_end_ < places_ && has_frame(run_end_)) ++run_end_;
  return run_end_ > place_;
}

std::optional<VoltageStretch> VdifReader::next() {
  fill();
  while (!find_run()) {
    if (!has_frames(then_) && !loaded_) {
      if (!cut_.empty()) throw Error(ErrorKind::input, std::exchange(cut_, ""));
      return std::nullopt;
    }
    advance();
    fill();
  }
  VoltageStretch stretch{(run_end_ - place_) * found_.first.samples()};
  stretch.first = (now_.first + place_) * found_.first.samples();
  return stretch;
}

VoltageBlock VdifReader::read(long long from, long long count) {
  const long long samples = found_.first.samples(), inside = from % samples,
                  place = place_ + from / samples;
  VoltageBlock block;
  block.layout.channel = bytes_of(kind_.type);
  block.layout.time = block.layout.channel * found_.first.channels;
  block.layout.group = static_cast<int>(samples);
  block.layout.group_step = threads_ * frame_out_;
  block.layout.polarisation = frame_out_;
  block.layout.antenna = frame_out_ * info_.shape.polarisations;
  block.layout.imaginary = kind_.type == SampleType::ci4 ? 0 : bytes_of(kind_.type) / 2;
  block.data = now_.samples.data() + place * block.layout.group_step + inside * block.layout.time;
  // From inside a frame only to its end: the layout and the mask count in frames.
  block.samples = inside > 0 ? std::min(count, samples - inside) : count;
  const auto frames = static_cast<std::size_t>((block.samples + samples - 1) / samples * threads_);
  const std::span<const unsigned char> valid(
      now_.valid.data() + static_cast<std::size_t>(place * threads_), frames);
  if (std::ranges::count(valid, 0) > 0) {
    block.valid = valid;
    block.valid_samples = samples;
  }
  return block;
}

std::vector<std::string> VdifReader::warnings() const {
  if (dropped_ == 0) return {};
  return {fmt::format("{}: {} VDIF frames came too late or twice and were left out", input_->name(),
                      dropped_)};
}

}  // namespace

VoltageReaderPointer open_vdif(VoltageInputPointer input, const VoltageOptions& options) {
  return std::make_unique<VdifReader>(std::move(input), options);
}

bool begins_like_vdif(std::string_view bytes) {
  const auto* const data = reinterpret_cast<const unsigned char*>(bytes.data());
  if (bytes.size() < kVdifHeaderBytes) return false;
  const VdifHeader first = parse_vdif_header(data);
  if (first.channels < 1 || first.frame_bytes <= first.header_bytes() ||
      first.frame_bytes + kVdifHeaderBytes > static_cast<long long>(bytes.size()))
    return false;
  const VdifHeader second = parse_vdif_header(data + first.frame_bytes);
  return vdif_difference(first, second).empty() && first.version == second.version &&
         second.time() - first.time() >= 0 && second.time() - first.time() <= 1;
}

}  // namespace tessera
