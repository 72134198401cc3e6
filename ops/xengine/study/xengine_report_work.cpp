// SPDX-License-Identifier: Apache-2.0
// The standard work of the X-engine: a block of 128 antennas in the layout of xGPU is added, and
// the sums are written.
#include <fmt/format.h>

#include "ops/xengine/cuda/xengine_device_sums.hpp"
#include "ops/xengine/study/xengine_spot_check.hpp"
#include "ops/xengine/xengine_problem.hpp"
#include "study/report_ways.hpp"

namespace tessera {
namespace {

/// A block of samples on the host and, once a way needs it there, on the device; and room for sums.
class Recording {
 public:
  Recording(const XEngineShape& shape, long long samples)
      : shape_(shape),
        samples_(samples),
        layout_(voltage_layout("tci", shape, SampleType::ci8, samples)),
        bytes_(random_bytes(2UL * static_cast<std::size_t>(shape.inputs() * shape.channels) *
                            static_cast<std::size_t>(samples))),
        sums_(static_cast<std::size_t>(2 * shape.values() * shape.channels)) {}

  VoltageBlock block(bool on_device) {
    if (!on_device) return {bytes_.data(), samples_, layout_};
    open_device();
    return {given_.data(), samples_, layout_, stream_->device()};
  }
  VisibilityView room(bool on_device) {
    if (!on_device) return {sums_.data(), kHost};
    open_device();
    return {made_.data(), stream_->device()};
  }
  double bytes() const { return static_cast<double>(bytes_.size() + 8 * sums_.size()); }

  void forget() { std::fill(sums_.begin(), sums_.end(), -1); }
  /// After a run: "" or the pair that is wrong.
  std::string wrong(bool on_device) {
    if (on_device) {
      copy_bytes(made_.data(), stream_->device(), sums_.data(), kHost, 8 * sums_.size(), *stream_);
      stream_->wait();
    }
    for (const auto& [i, j] : spot_pairs(shape_.inputs())) {
      const auto [re, im] = visibility_by_hand(shape_, layout_, bytes_, samples_, i, j);
      const std::size_t place = 2 * value_place(i, j);
      if (sums_[place] != re || sums_[place + 1] != im)
        return fmt::format("inputs {} and {} give {}{:+}i, by hand {}{:+}i", i, j, sums_[place],
                           sums_[place + 1], re, im);
    }
    return "";
  }

 private:
  /// In triangular order.
  std::size_t value_place(int i, int j) const {
    const int pols = shape_.polarisations, a = i / pols, b = j / pols;
    return static_cast<std::size_t>(((a * (a + 1) / 2 + b) * pols + i % pols) * pols + j % pols);
  }
  void open_device() {
    if (stream_) return;
    stream_ = std::make_unique<Stream>(0);
    given_ = stream_->scratch(bytes_.size());
    made_ = stream_->scratch(8 * sums_.size());
    copy_bytes(bytes_.data(), kHost, given_.data(), stream_->device(), bytes_.size(), *stream_);
    stream_->wait();
  }

  XEngineShape shape_;
  long long samples_;
  VoltageLayout layout_;
  std::vector<signed char> bytes_;
  std::vector<long long> sums_;
  std::unique_ptr<Stream> stream_;  ///< outlives the memory borrowed from it
  Scratch given_, made_;
};

ReadyWay ready_way(const XEngineShape& shape, const std::shared_ptr<Recording>& recording,
                   const WayPlace& place) {
  XEngineOptions options;
  options.backend = place.backend;
  options.method = place.method;
  const XEngine plan(shape, options);
  const auto state = std::make_shared<XEngineState>(plan.start());
  const bool there = place.on_device();
  recording->forget();
  return {[plan, state, recording, block = recording->block(there),
           room = recording->room(there)](Stream& stream) {
            plan.add(*state, block, stream);
            plan.dump(*state, room, stream);
          },
          [recording, there] { return recording->wrong(there); }};
}

ReportWork make_xengine_report(bool quick) {
  const XEngineShape shape{128, 2, quick ? 4 : 64};
  const long long samples = quick ? 1024 : 4096;
  const auto recording = std::make_shared<Recording>(shape, samples);
  const double useful = useful_operations(shape, samples);
  ReportWork work{.what = fmt::format("{}x{} inputs, {} channels, {} samples ci8", shape.antennas,
                                      shape.polarisations, shape.channels, samples),
                  .counts = "useful GOP",
                  .amount = 1e-9 * useful,
                  .flops = useful,
                  .bytes = recording->bytes(),
                  .bytes_of_8_bits = true};
  add_ways(work, "xengine", xengine_methods(),
           [&](const WayPlace& place) { return ready_way(shape, recording, place); });
  return work;
}

const bool report_entered = add_report_work(
    {"xengine", make_xengine_report, "GTX 480 6 times the CPU; in BLAS form 2 times."});

}  // namespace
}  // namespace tessera
