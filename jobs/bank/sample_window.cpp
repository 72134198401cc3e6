// SPDX-License-Identifier: Apache-2.0
#include "jobs/bank/sample_window.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/parallel.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Rows are copied in pieces of this many samples, so that layouts with time outside stay in the
/// caches.
constexpr long long kPieceSamples = 4096;

/// One input and channel; T is a sample, or a part of it.
template <class T>
void copy_row(const VoltageLayout& from, const unsigned char* in, const VoltageLayout& to,
              unsigned char* out, long long first, long long end) {
  for (long long t = first; t < end;) {
    // Up to the end of a group of either layout.
    const long long in_group = t % from.group, out_group = t % to.group;
    const long long run = std::min({end - t, from.group > 1 ? from.group - in_group : end - t,
                                    to.group > 1 ? to.group - out_group : end - t});
    const long long in_step = from.group > 1 ? from.time : from.group_step,
                    out_step = to.group > 1 ? to.time : to.group_step;
    const unsigned char* source = in + t / from.group * from.group_step + in_group * from.time;
    unsigned char* target = out + t / to.group * to.group_step + out_group * to.time;
    if (in_step == static_cast<long long>(sizeof(T)) && out_step == in_step)
      std::memcpy(target, source, static_cast<std::size_t>(run) * sizeof(T));
    else
      for (long long k = 0; k < run; ++k, source += in_step, target += out_step)
        std::memcpy(target, source, sizeof(T));
    t += run;
  }
}

using CopyRow = void (*)(const VoltageLayout&, const unsigned char*, const VoltageLayout&,
                         unsigned char*, long long, long long);
CopyRow copy_of(long long bytes) {
  switch (bytes) {
    case 1:
      return copy_row<std::uint8_t>;
    case 2:
      return copy_row<std::uint16_t>;
    case 4:
      return copy_row<std::uint32_t>;
    default:
      return copy_row<std::uint64_t>;
  }
}

long long row_place(const VoltageLayout& l, const XEngineShape& shape, long long row) {
  const long long input = row % shape.inputs();
  return row / shape.inputs() * l.channel + input / shape.polarisations * l.antenna +
         input % shape.polarisations * l.polarisation;
}

}  // namespace

void rearrange_voltages(const XEngineShape& shape, SampleType type, bool real, long long samples,
                        const VoltageLayout& from, const void* in, const VoltageLayout& to,
                        void* out, int threads) {
  const long long item = bytes_of(type), part = type == SampleType::ci4 ? item : item / 2;
  const bool whole =
      !real && (type == SampleType::ci4 || (from.imaginary == part && to.imaginary == part));
  const CopyRow copy = copy_of(whole ? item : part);
  const long long rows = 1LL * shape.inputs() * shape.channels;
  const long long pieces = (samples + kPieceSamples - 1) / kPieceSamples;
  const auto* const source = static_cast<const unsigned char*>(in);
  auto* const target = static_cast<unsigned char*>(out);
  // A task is a piece of time; all its rows share the bytes that it reads.
  parallel_for(static_cast<int>(pieces), threads, [&](int piece) {
    const long long first = piece * kPieceSamples, end = std::min(samples, first + kPieceSamples);
    for (long long row = 0; row < rows; ++row) {
      const unsigned char* const at = source + row_place(from, shape, row);
      unsigned char* const put = target + row_place(to, shape, row);
      copy(from, at, to, put, first, end);
      if (!whole && !real) copy(from, at + from.imaginary, to, put + to.imaginary, first, end);
    }
  });
}

SampleWindow::SampleWindow(const VoltageInfo& info)
    : shape_(info.shape),
      type_(info.samples),
      real_(info.real),
      rows_(1LL * info.shape.inputs() * info.shape.channels),
      item_(info.real ? bytes_of(info.samples) / 2 : bytes_of(info.samples)) {}

VoltageLayout SampleWindow::layout() const {
  const long long row = pitch_ * item_;
  return {.channel = row * shape_.inputs(),
          .antenna = row * shape_.polarisations,
          .polarisation = row,
          .time = item_,
          .group_step = item_,
          .imaginary = real_ || type_ == SampleType::ci4 ? 0 : item_ / 2};
}

/// Moves the samples to the beginnings of the rows, which get longer if they must.
void SampleWindow::make_room(long long samples) {
  const long long held = end_ - begin_;
  if (first_ + held + samples <= pitch_) return;
  const auto bytes = static_cast<std::size_t>(held * item_);
  // Twice as long as needed, so that samples are moved seldom.
  const bool enough = held + samples <= std::max(pitch_ / 2, reserved_);
  const long long pitch = enough ? pitch_ : 2 * (held + samples);
  if (pitch == pitch_) {
    for (long long row = 0; row < rows_; ++row) {
      unsigned char* const start = rows_bytes_.data() + row * pitch_ * item_;
      std::memmove(start, start + first_ * item_, bytes);
    }
  } else {
    std::vector<unsigned char> longer(static_cast<std::size_t>(rows_ * pitch * item_));
    for (long long row = 0; held > 0 && row < rows_; ++row)
      std::memcpy(longer.data() + row * pitch * item_,
                  rows_bytes_.data() + (row * pitch_ + first_) * item_, bytes);
    rows_bytes_.swap(longer);
    pitch_ = pitch;
  }
  first_ = 0;
}

void SampleWindow::reserve(long long samples) {
  if (end_ > begin_ || samples <= pitch_) return;
  rows_bytes_.resize(static_cast<std::size_t>(rows_ * samples * item_));
  pitch_ = reserved_ = samples;
}

void SampleWindow::append(const VoltageBlock& block, int threads) {
  make_room(block.samples);
  rearrange_voltages(shape_, type_, real_, block.samples, block.layout, block.data, layout(),
                     rows_bytes_.data() + (first_ + end_ - begin_) * item_, threads);
  keep_invalid(block);
  end_ += block.samples;
}

void SampleWindow::keep_invalid(const VoltageBlock& block) {
  const auto inputs = static_cast<std::size_t>(shape_.inputs());
  for (long long t = 0; !block.valid.empty() && t < block.samples; t += block.valid_samples) {
    const auto mask =
        block.valid.subspan(static_cast<std::size_t>(t / block.valid_samples) * inputs, inputs);
    const long long end = end_ + std::min(t + block.valid_samples, block.samples);
    if (std::ranges::find(mask, 0) == mask.end()) continue;
    if (!invalid_.empty() && invalid_.back().end == end_ + t &&
        std::ranges::equal(invalid_.back().mask, mask))
      invalid_.back().end = end;
    else
      invalid_.push_back({end_ + t, end, {mask.begin(), mask.end()}});
  }
}

void SampleWindow::forget(long long first) {
  const long long until = std::clamp(first, begin_, end_);
  first_ += until - begin_;
  begin_ = until;
  if (begin_ == end_) first_ = 0;
  while (!invalid_.empty() && invalid_.front().end <= begin_) invalid_.pop_front();
}

void SampleWindow::begin_again(long long first) {
  begin_ = end_ = first;
  first_ = 0;
  invalid_.clear();
}

VoltageBlock SampleWindow::block(long long first, long long count,
                                 std::vector<unsigned char>& mask) const {
  mask.clear();
  if (first < begin_ || first + count > end_)
    throw Error(ErrorKind::failure,
                fmt::format("channelise: samples {} to {} are needed, but {} to {} are held", first,
                            first + count, begin_, end_));
  const auto inputs = static_cast<std::size_t>(shape_.inputs());
  for (const Invalid& run : invalid_) {
    const long long from = std::max(run.first, first), to = std::min(run.end, first + count);
    if (from >= to) continue;
    mask.resize(static_cast<std::size_t>(count) * inputs, 1);
    for (long long t = from; t < to; ++t)
      for (std::size_t i = 0; i < inputs; ++i)
        mask[static_cast<std::size_t>(t - first) * inputs + i] &= run.mask[i];
  }
  VoltageBlock block{.data = rows_bytes_.data() + (first_ + first - begin_) * item_,
                     .samples = count,
                     .layout = layout()};
  if (!mask.empty()) {
    block.valid = mask;
    block.valid_samples = 1;
  }
  return block;
}

}  // namespace tessera
