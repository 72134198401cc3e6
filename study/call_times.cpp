// SPDX-License-Identifier: Apache-2.0
#include "study/call_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "core/device.hpp"
#include "core/machine.hpp"
#include "core/median_time.hpp"
#include "study/study_loops.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

using Clock = std::chrono::steady_clock;

/// A place that images can be in, and who computes there.
struct CallPlace {
  const char* name;
  Backend backend;
  bool page_locked, on_device;
};
constexpr CallPlace kPlaces[] = {
    {"CPU", Backend::cpu, false, false},
    {"GPU, ordinary memory", Backend::cuda, false, false},
    {"GPU, page-locked memory", Backend::cuda, true, false},
    {"GPU, its own memory", Backend::cuda, false, true},
};

/// The images of a call, in the memory of a place.
class PlacedImages {
 public:
  PlacedImages(const CallWork& work, const CallPlace& place) {
    if (place.on_device) stream_ = std::make_unique<Stream>(0);
    for (const Image& image : work.given) {
      const AnyMutableView placed = add(image.info(), place);
      if (stream_)
        device_stream(*stream_).copy(image.view(), placed);
      else
        std::memcpy(placed.data, image.view().data,
                    static_cast<std::size_t>(bytes_of(image.info())));
      views_.given.emplace_back(placed);
    }
    for (const ImageInfo& info : work.made) views_.made.push_back(add(info, place));
    if (stream_) stream_->wait();
  }
  const CallViews& views() const { return views_; }

  /// The results, on the host.
  std::vector<Image> results() const {
    std::vector<Image> fetched;
    for (const AnyMutableView& made : views_.made) {
      Image& image = fetched.emplace_back(ImageInfo{made.size, made.type, kHost});
      if (stream_)
        device_stream(*stream_).copy(made, image.view());
      else
        std::memcpy(image.view().data, made.data, static_cast<std::size_t>(bytes_of(image.info())));
    }
    if (stream_) stream_->wait();
    return fetched;
  }

 private:
  AnyMutableView add(ImageInfo info, const CallPlace& place) {
    if (place.on_device) {
      info.device = 0;
      const Scratch& memory =
          memory_.emplace_back(stream_->scratch(static_cast<std::size_t>(bytes_of(info))));
      return packed(memory.data(), info);
    }
    images_.push_back(place.page_locked ? page_locked_image(info) : Image(info));
    return images_.back().view();
  }

  std::unique_ptr<Stream> stream_;  // outlives memory borrowed from it
  std::vector<Scratch> memory_;
  std::vector<Image> images_;
  CallViews views_;
};

bool same_bytes(const std::vector<Image>& a, const std::vector<Image>& b) {
  return std::ranges::equal(a, b, [](const Image& one, const Image& other) {
    return std::memcmp(one.view().data, other.view().data,
                       static_cast<std::size_t>(bytes_of(one.info()))) == 0;
  });
}

struct TimedCall {
  const std::function<void(const CallViews&)>* call;
  std::optional<double>* microseconds;
  int calls = 1;
  std::vector<double> seconds = {};
};

/// The ways take turns, so that a slowdown of the machine affects all of them.
void time_ways(const CallWays& ways, const CallViews& views, bool quick, BenchCall& row) {
  TimedCall all[] = {{&ways.with_new_plan, &row.new_plan_us},
                     {&ways.with_kept_plan, &row.kept_plan_us},
                     {&ways.with_own_plan, &row.own_plan_us}};
  const auto seconds_of = [&](const TimedCall& timed) {
    const auto start = Clock::now();
    for (int i = 0; i < timed.calls; ++i) (*timed.call)(views);
    return std::chrono::duration<double>(Clock::now() - start).count() / timed.calls;
  };
  for (TimedCall& timed : all) timed.calls = calls_a_batch(seconds_of(timed));
  for (int turn = 0; turn < (quick ? 5 : 15); ++turn)
    for (TimedCall& timed : all) timed.seconds.push_back(seconds_of(timed));
  for (TimedCall& timed : all) *timed.microseconds = 1e6 * median_time(timed.seconds).seconds;
}

BenchCall timed_call(const CallWork& work, const CallPlace& place, bool quick) {
  BenchCall row;
  row.what = work.what;
  row.place = place.name;
  try {
    const CallWays ways = work.ways(place.on_device ? 0 : kHost, place.backend);
    const PlacedImages images(work, place);
    ways.with_new_plan(images.views());
    const std::vector<Image> first = images.results();
    ways.with_kept_plan(images.views());
    if (!same_bytes(images.results(), first))
      throw Error(ErrorKind::failure, work.what + ": a kept plan gives other bytes than a new one");
    ways.with_own_plan(images.views());
    time_ways(ways, images.views(), quick, row);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::failure) throw;
    row.absent = error.what();
  }
  return row;
}

}  // namespace

std::vector<BenchCall> time_calls_of(const CallEntry& entry, bool quick) {
  constexpr int kSides[] = {64, 512, 4096};
  std::vector<BenchCall> rows;
  for (const int side : kSides) {
    if (quick && side == kSides[2]) continue;
    const CallWork work = entry.make(side);
    for (const CallPlace& place : kPlaces) {
      if (place.backend == Backend::cuda && this_machine().devices.empty()) continue;
      rows.push_back(timed_call(work, place, quick));
      rows.back().operation = entry.operation;
    }
  }
  return rows;
}

}  // namespace tessera
