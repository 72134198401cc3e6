// SPDX-License-Identifier: Apache-2.0
// The definition of clahe, step by step over the whole image. If a fast path differs from it in a
// byte, the fast path is wrong. It shares no arithmetic with them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/samples.hpp"
#include "core/stop.hpp"
#include "ops/enhance/clahe/enhance_clahe.hpp"

namespace tessera {
namespace {

constexpr long long kMostLevel = 16383, kBins = 256, kLevelsABin = 65;
using Histogram = std::vector<long long>;

int reflected(int x, int side) { return x < side ? x : 2 * (side - 1) - x; }

/// One colour of a plane, or all of them.
class Equaliser {
 public:
  Equaliser(const EnhanceProblem& p, AnyView in, int plane, int first_channel, int channels)
      : in_(in), plane_(plane), first_(first_channel), channels_(channels), clip_(p.clip) {
    kernel_x_ = std::max(in.size.width / p.tiles.x, 1);
    kernel_y_ = std::max(in.size.height / p.tiles.y, 1);
    tiles_x_ = (in.size.width + kernel_x_ - 1) / kernel_x_;
    tiles_y_ = (in.size.height + kernel_y_ - 1) / kernel_y_;
    find_range();
  }

  void run(AnyMutableView out) {
    if (!(low_ < high_))
      return each_sample([&](int x, int y, int c) {
        store_sample(out, x, y, c, plane_, sample_at(in_, x, y, c, plane_));
      });
    for (int y = 0; y < tiles_y_; ++y)
      for (int x = 0; x < tiles_x_; ++x) curves_.push_back(curve_of(clipped(counted(x, y))));
    long long low = kMostLevel, high = 0;
    each_sample([&](int x, int y, int c) {
      low = std::min(low, level(x, y, c));
      high = std::max(high, level(x, y, c));
    });
    if (!is_integer(in_.type)) return store_floats(out, low, high);
    const long long most = in_.type == Type::u8 ? 255 : 65535, range = high - low;
    each_sample([&](int x, int y, int c) {
      const long long l = level(x, y, c);
      const long long result = range > 0 ? ((l - low) * most + range / 2) / range
                               : l > 0   ? most
                                         : 0;
      store_sample(out, x, y, c, plane_, static_cast<double>(result));
    });
  }

 private:
  template <class Work>
  void each_sample(Work work) const {
    for (int y = 0; y < in_.size.height; ++y) {
      poll_stop();
      for (int x = 0; x < in_.size.width; ++x)
        for (int c = first_; c < first_ + channels_; ++c) work(x, y, c);
    }
  }

  /// Infinities and NaN are left out.
  void find_range() {
    low_ = std::numeric_limits<double>::infinity();
    high_ = -low_;
    each_sample([&](int x, int y, int c) {
      const double value = sample_at(in_, x, y, c, plane_);
      if (!std::isfinite(value)) return;
      low_ = std::min(low_, value);
      high_ = std::max(high_, value);
    });
    const bool floats = !is_integer(in_.type);
    in_steps_ = floats && low_ >= 0 && high_ <= 1 && high_ - low_ >= 0.25;
  }

  /// scikit-image makes 16-bit integers of floats first, in the arithmetic of their type.
  double step(double value) const {
    if (!in_steps_) return value;
    if (in_.type == Type::f64) return std::nearbyint(value * 65535);
    return static_cast<double>(std::nearbyintf(static_cast<float>(value) * 65535.0F));
  }

  /// Floats need not be finite, and their range need not be either.
  long long bin(int x, int y, int c) const {
    const double value = sample_at(in_, x, y, c, plane_);
    const double inside = std::isnan(value) ? low_ : std::clamp(value, low_, high_);
    const double part = std::isinf(high_ - low_) ? 0.5 : 1;
    const double low = step(low_) * part, range = step(high_) * part - low;
    const double level = (step(inside) * part - low) / range * double(kMostLevel);
    return std::llrint(level) / kLevelsABin;
  }

  /// Results of 0 to 1; NaN stays.
  void store_floats(AnyMutableView out, long long low, long long high) const {
    each_sample([&](int x, int y, int c) {
      const double value = sample_at(in_, x, y, c, plane_);
      const long long l = level(x, y, c);
      const auto share = [&](auto one) {
        const decltype(one) dark = static_cast<decltype(one)>(l - low);
        return high > low ? dark / static_cast<decltype(one)>(high - low) : l > 0 ? one : 0;
      };
      const double result = in_.type == Type::f32 ? static_cast<double>(share(1.0F)) : share(1.0);
      store_sample(out, x, y, c, plane_, std::isnan(value) ? value : result);
    });
  }

  Histogram counted(int tile_x, int tile_y) const {
    Histogram counts(kBins);
    for (int j = 0; j < kernel_y_; ++j)
      for (int i = 0; i < kernel_x_; ++i)
        for (int c = first_; c < first_ + channels_; ++c) {
          const int x = reflected(tile_x * kernel_x_ + i, in_.size.width);
          const int y = reflected(tile_y * kernel_y_ + j, in_.size.height);
          ++counts[static_cast<std::size_t>(bin(x, y, c))];
        }
    return counts;
  }

  double samples_a_tile() const { return double(kernel_x_) * kernel_y_ * channels_; }

  Histogram clipped(Histogram counts) const {
    const auto limit = static_cast<long long>(clip_ > 0 ? std::max(clip_ * samples_a_tile(), 1.0)
                                                        : samples_a_tile());
    long long excess = 0;
    for (long long& count : counts) {
      excess += std::max(count - limit, 0LL);
      count = std::min(count, limit);
    }
    const long long share = excess / kBins, enough = limit - share;
    for (long long& count : counts)
      if (count < enough) {
        count += share;
        excess -= share;
      }
    for (long long& count : counts)
      if (count >= enough && count < limit) {
        excess -= limit - count;
        count = limit;
      }
    for (long long before = 0; excess > 0 && excess != before;) {
      before = excess;
      for (std::size_t first = 0; first < counts.size() && excess > 0; ++first) {
        const auto has_room = [&](long long count) { return count < limit; };
        const long long with_room = std::count_if(counts.begin(), counts.end(), has_room);
        const auto step = static_cast<std::size_t>(std::max(1LL, with_room / excess));
        for (std::size_t k = first; k < counts.size(); k += step)
          if (has_room(counts[k])) {
            ++counts[k];
            --excess;
          }
      }
    }
    return counts;
  }

  Histogram curve_of(const Histogram& counts) const {
    Histogram curve;
    long long sum = 0;
    for (const long long count : counts) {
      const double level = double(sum += count) * (double(kMostLevel) / samples_a_tile());
      curve.push_back(static_cast<long long>(std::min(level, double(kMostLevel))));
    }
    return curve;
  }

  /// Interpolates between the curves of the four tiles whose centres surround the pixel; beyond the
  /// outermost centres the nearest tiles replace the missing ones.
  long long level(int x, int y, int c) const {
    const int block_x = (x + kernel_x_ / 2) / kernel_x_, block_y = (y + kernel_y_ / 2) / kernel_y_;
    const double right = double((x + kernel_x_ / 2) % kernel_x_) / kernel_x_;
    const double below = double((y + kernel_y_ / 2) % kernel_y_) / kernel_y_;
    const auto here = static_cast<std::size_t>(bin(x, y, c));
    float sum = 0;
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 2; ++i) {
        const int tile_x = std::clamp(block_x - 1 + i, 0, tiles_x_ - 1);
        const int tile_y = std::clamp(block_y - 1 + j, 0, tiles_y_ - 1);
        const Histogram& curve = curves_[static_cast<std::size_t>(tile_y) * tiles_x_ + tile_x];
        const double weight = (i ? right : 1 - right) * (j ? below : 1 - below);
        sum += static_cast<float>(double(curve[here]) * weight);
      }
    return static_cast<long long>(sum);
  }

  AnyView in_;
  int plane_, first_, channels_;
  double clip_;
  int kernel_x_, kernel_y_, tiles_x_, tiles_y_;
  double low_, high_;
  bool in_steps_ = false;
  std::vector<Histogram> curves_;
};

}  // namespace

void clahe_reference(const EnhanceProblem& p, const EnhanceStage& stage, AnyView in,
                     AnyMutableView out) {
  const int colours = colours_of(stage.in), groups = groups_of(p, stage.in);
  const int channels = colours / groups;
  for (int plane = 0; plane < in.size.planes; ++plane) {
    for (int group = 0; group < groups; ++group)
      Equaliser(p, in, plane, group * channels, channels).run(out);
    if (colours < in.size.channels)
      for (int y = 0; y < in.size.height; ++y)
        for (int x = 0; x < in.size.width; ++x)
          store_sample(out, x, y, colours, plane, sample_at(in, x, y, colours, plane));
  }
}

}  // namespace tessera
