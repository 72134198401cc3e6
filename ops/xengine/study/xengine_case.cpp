// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/study/xengine_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/device.hpp"
#include "core/pools.hpp"
#include "sample/random.hpp"
#include "study/placed_image.hpp"
#include "tessera/error.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

/// Floats hold whole numbers up to 2^24, and a sample adds two products of parts.
constexpr int kMostSamples = (1 << 24) / 2;
/// Parts are -90 to 90, or smaller so that sums of that many samples stay exact in float.
int largest_part(long long samples) {
  return std::min(90,
                  static_cast<int>(std::sqrt(1.0 * kMostSamples / static_cast<double>(samples))));
}
/// Every byte of an output before a rung runs: more than any sum, as an integer and as a float.
constexpr int kPoison = 0x7f;

std::vector<signed char> random_samples(std::size_t count, int largest) {
  std::vector<signed char> values(count);
  Random random{2};
  for (signed char& value : values)
    value = static_cast<signed char>(random.below(2 * largest + 1) - largest);
  return values;
}

std::vector<std::int64_t> reference_sums(const XEngineShape& shape, int samples,
                                         const signed char* given) {
  const XEngine plan(
      shape, {.output_type = VisibilityType::i64, .backend = Backend::cpu, .method = "reference"});
  std::vector<std::int64_t> sums(static_cast<std::size_t>(2 * shape.values() * shape.channels));
  Stream stream;
  XEngineState state = plan.start();
  plan.add(state, {given, samples, voltage_layout("cti", shape, SampleType::ci8, samples)}, stream);
  plan.dump(state, {sums.data()}, stream);
  return sums;
}

/// The position of a pair, j <= i, in the rows of a triangle.
long long pair_place(int i, int j) { return 1LL * i * (i + 1) / 2 + j; }

/// The position of a part of V_ij in a channel; `part` 0 is real.
long long place_of(MadeForm form, int inputs, int i, int j, int part) {
  const long long pair = 1LL * i * inputs + j, all = 1LL * inputs * inputs;
  if (form == MadeForm::split) return part * all + pair;
  if (form == MadeForm::columns) return 2 * (1LL * j * inputs + i) + part;
  return 2 * (form == MadeForm::triangle ? pair_place(i, j) : pair) + part;
}

/// The position of a part of sample t of input i in a channel; `part` 0 is real.
long long given_place(GivenForm form, int inputs, int samples, long long i, long long t, int part) {
  if (form == GivenForm::planes) return (part * 1LL * samples + t) * inputs + i;
  return 2 * (form == GivenForm::input_time ? i * samples + t : t * inputs + i) + part;
}

double value_at(const void* channel, bool real, long long place) {
  const unsigned char* const at = static_cast<const unsigned char*>(channel) + 4 * place;
  float as_float = 0;
  std::int32_t as_integer = 0;
  std::memcpy(&as_float, at, sizeof as_float);
  std::memcpy(&as_integer, at, sizeof as_integer);
  return real ? double{as_float} : static_cast<double>(as_integer);
}

}  // namespace

XEngineCase::XEngineCase(int inputs, Stream* device, int channels, int samples, int cycles)
    : device_(device), inputs_(inputs), channels_(channels), samples_(samples), cycles_(cycles) {
  const long long all = 1LL * samples * cycles;
  if (samples < 1 || cycles < 1 || all > kMostSamples)
    throw Error(ErrorKind::usage,
                fmt::format("xengine: {} samples in {} cycles are not from 1 to {} samples",
                            samples, cycles, kMostSamples));
  samples_in_time_ =
      random_samples(static_cast<std::size_t>(kept() * cycle_bytes()), largest_part(all));
  for (int k = 0; k < kept(); ++k) {
    std::vector<std::int64_t> sums =
        reference_sums({inputs, 1, channels}, samples, samples_in_time_.data() + k * cycle_bytes());
    truth_.resize(sums.size());
    const int times = (cycles - k + kept() - 1) / kept();
    for (std::size_t n = 0; n < sums.size(); ++n) truth_[n] += times * sums[n];
  }
}

std::string XEngineCase::name() const {
  return fmt::format("{} inputs, {} channels, {} samples", inputs_, channels_, samples_) +
         (cycles_ > 1 ? fmt::format(", {} cycles", cycles_) : "");
}

long long XEngineCase::made_bytes(MadeForm form) const {
  const long long all = 1LL * inputs_ * inputs_;
  return 8 * (form == MadeForm::triangle ? (all + inputs_) / 2 : all);
}

const XEngineRoom& XEngineCase::room(const XEngineRoomKind& kind, Stream& stream) const {
  if (kind.on_device && !device_)
    throw Error(ErrorKind::resources, "xengine: the case is not on a device");
  if (room_ && room_->kind == kind) return *room_;
  room_.reset();
  room_ = std::make_unique<XEngineRoom>(made_room(kind, stream));
  return *room_;
}

XEngineRoom XEngineCase::made_room(const XEngineRoomKind& kind, Stream& stream) const {
  XEngineRoom room{.kind = kind, .channels = channels_, .kept = kept()};
  const auto host = [&](long long row, int rows) {
    const ImageInfo info{{static_cast<int>(row), rows}, Type::u8, kHost};
    const auto bytes = static_cast<std::size_t>(bytes_of(info));
    room.memory.push_back(device_ ? device_->pinned_scratch(bytes) : host_scratch(bytes));
    return packed(room.memory.back().data(), info);
  };
  room.host_given = host(2LL * inputs_ * samples_, kept() * channels_);
  room.host_made = host(made_bytes(kind.made), channels_);
  auto* const given = static_cast<signed char*>(room.host_given.data);
  for (std::size_t k = 0; k < samples_in_time_.size() / 2; ++k) {
    const auto place = static_cast<long long>(k);
    const long long i = place % inputs_, t = place / inputs_ % samples_,
                    row = place / inputs_ / samples_;
    for (int part = 0; part < 2; ++part)
      given[2LL * row * inputs_ * samples_ +
            given_place(kind.given, inputs_, samples_, i, t, part)] =
          samples_in_time_[2 * k + static_cast<std::size_t>(part)];
  }
  room.given = given;
  room.made = room.host_made.data;
  if (!kind.on_device) return room;
  const auto there = [&](const AnyMutableView& here) {
    room.memory.push_back(stream.scratch(static_cast<std::size_t>(bytes_of(here.info()))));
    return room.memory.back().data();
  };
  room.given = static_cast<const signed char*>(there(room.host_given));
  room.made = there(room.host_made);
  device_stream(stream).copy(room.host_given, like_on_device(const_cast<signed char*>(room.given),
                                                             room.host_given, stream.device()));
  stream.wait();
  return room;
}

void XEngineCase::poison(const PreparedRung&, Stream& stream) const {
  const XEngineRoom& room = *room_;
  std::memset(room.host_made.data, kPoison,
              static_cast<std::size_t>(bytes_of(room.host_made.info())));
  if (room.kind.on_device)
    device_stream(stream).copy(room.host_made,
                               like_on_device(room.made, room.host_made, stream.device()));
}

std::string XEngineCase::disagreement(const PreparedRung&, Stream& stream) const {
  const XEngineRoom& room = *room_;
  if (room.kind.on_device) {
    device_stream(stream).copy(like_on_device(room.made, room.host_made, stream.device()),
                               room.host_made);
    stream.wait();
  }
  const bool both = room.kind.made != MadeForm::lower && room.kind.made != MadeForm::triangle;
  for (int c = 0; c < channels_; ++c)
    for (int i = 0; i < inputs_; ++i)
      for (int j = 0; j < (both ? inputs_ : i + 1); ++j)
        if (std::string wrong = wrong_sum(c, i, j); !wrong.empty()) return wrong;
  return "";
}

std::string XEngineCase::wrong_sum(int channel, int i, int j) const {
  const XEngineRoomKind& kind = room_->kind;
  const void* const made = room_->host_made.address(0, channel);
  const auto found = [&](int part) {
    return value_at(made, kind.real, place_of(kind.made, inputs_, i, j, part));
  };
  const long long pairs = pair_place(inputs_, 0);
  const std::int64_t* const right =
      truth_.data() + 2 * (channel * pairs + pair_place(std::max(i, j), std::min(i, j)));
  const auto re = static_cast<double>(right[0]);
  const auto im = static_cast<double>(j <= i ? right[1] : -right[1]);
  if (found(0) == re && found(1) == im) return "";
  return fmt::format(
      "inputs {} and {} in channel {} are {:.9g}{:+.9g}i and should be {:.9g}{:+.9g}i", i, j,
      channel, found(0), found(1), re, im);
}

}  // namespace tessera
