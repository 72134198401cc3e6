// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/look/cells_tissue.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "ops/cells/cells_parts.hpp"
#include "ops/cells/cpu/cells_simd_parts.hpp"
#include "ops/cells/look/cells_sides.hpp"

namespace tessera {
namespace {

constexpr int kClosest = 2;             ///< pixels between those that are compared
constexpr int kEnoughPixels = 16'000;   ///< of these; more take longer and tell little
constexpr int kSteps = 12;              ///< of Gauss and Newton
constexpr double kSettled = 0.003;      ///< pixels: a smaller step is the last
constexpr double kCut = 3;              ///< times the mean difference; larger ones do not count
constexpr int kLeastPixels = 500;       ///< compared
constexpr double kFarthest = 4;         ///< pixels in one step
constexpr double kAlike = 8;            ///< compared pixels that differ in the same way: neighbours
constexpr double kMostError = 0.25;     ///< pixels: standard error of a measured shift
constexpr int kLight = 16;              ///< pixels each way over which light is a mean
constexpr double kShareOfFrame = 0.25;  ///< a longer way is measured from a nearer frame
/// A scene moves if that leaves this share of the differences. Films of docs/judging-cells.md that
/// stand leave 0.95 and more, those that move 0.92 and less.
constexpr double kMoves = 0.94;
constexpr double kMostUnclear = 0.34;  ///< share of sampled frames

/// A frame, smoothed, and the pixels that no followed cell covers.
struct Look {
  int frame;
  CellPlane<float> value;
  std::vector<char> free;
};

/// Means of up to 2 kLight + 1 values around each, `step` apart.
void average_line(const float* from, float* to, int count, int step) {
  double sum = 0;
  for (int k = 0; k < std::min(count, kLight); ++k) sum += static_cast<double>(from[k * step]);
  for (int k = 0; k < count; ++k) {
    if (k + kLight < count) sum += static_cast<double>(from[(k + kLight) * step]);
    if (k - kLight - 1 >= 0) sum -= static_cast<double>(from[(k - kLight - 1) * step]);
    const int first = std::max(0, k - kLight), last = std::min(count - 1, k + kLight);
    to[k * step] = static_cast<float>(sum / (last - first + 1));
  }
}

/// The lamp stays with the frame when the stage moves: its light would pull the shift towards 0.
void take_light_away(CellPlane<float>& plane, Size size) {
  CellPlane<float> rows(plane.size()), mean(plane.size());
  for (int y = 0; y < size.height; ++y)
    average_line(&plane[static_cast<std::size_t>(y) * static_cast<std::size_t>(size.width)],
                 &rows[static_cast<std::size_t>(y) * static_cast<std::size_t>(size.width)],
                 size.width, 1);
  for (int x = 0; x < size.width; ++x)
    average_line(&rows[static_cast<std::size_t>(x)], &mean[static_cast<std::size_t>(x)],
                 size.height, size.width);
  for (std::size_t p = 0; p < plane.size(); ++p) plane[p] -= mean[p];
}

Look look_at(const SimdCellsParts& parts, const CellsSamples::Sample& sample, int film,
             const std::vector<CellTrack>& tracks, Size size, Stream& stream) {
  Look look{sample.frame, {}, std::vector<char>(static_cast<std::size_t>(size.pixels()), 1)};
  parts.smooth(std::as_const(sample.planes).view().only_plane(film), look.value, stream);
  take_light_away(look.value, size);
  for (const CellTrack& track : tracks) {
    const CellSpot* spot = spot_in(track, sample.frame);
    if (!spot) continue;
    const double reach = 1.4 * spot->radius + 2;
    const int top = std::max(0, static_cast<int>(spot->y - reach)),
              bottom = std::min(size.height - 1, static_cast<int>(spot->y + reach) + 1),
              left = std::max(0, static_cast<int>(spot->x - reach)),
              right = std::min(size.width - 1, static_cast<int>(spot->x + reach) + 1);
    for (int y = top; y <= bottom; ++y)
      for (int x = left; x <= right; ++x)
        if (std::hypot(x - spot->x, y - spot->y) <= reach)
          look.free[static_cast<std::size_t>(y) * static_cast<std::size_t>(size.width) +
                    static_cast<std::size_t>(x)] = 0;
  }
  return look;
}

struct Shift {
  CellDrift by;
  double error;  ///< pixels
};

/// Sums over the pixels that two frames have in common at a shift.
struct Pixels {
  double n = 0, a = 0, b = 0, aa = 0, bb = 0;

  void add(double in_first, double in_second) {
    n += 1;
    a += in_first;
    b += in_second;
    aa += in_first * in_first;
    bb += in_second * in_second;
  }
  double variance_a() const { return aa / n - a / n * (a / n); }
  double variance_b() const { return bb / n - b / n * (b / n); }
};

/// Light and contrast of the second frame become those of the first.
struct Light {
  double gain, mean_a, mean_b;
  explicit Light(const Pixels& all)
      : gain(std::sqrt(all.variance_a() / all.variance_b())),
        mean_a(all.a / all.n),
        mean_b(all.b / all.n) {}
  double difference(double a, double b) const { return gain * (b - mean_b) - (a - mean_a); }
};

class Comparison {
 public:
  Comparison(const Look& first, const Look& second, Size size)
      : first_(first),
        second_(second),
        width_(size.width),
        height_(size.height),
        step_(std::max(kClosest, static_cast<int>(std::sqrt(size.pixels() / kEnoughPixels)))) {}

  /// A few steps from a shift of the second frame relative to the first; none if there is too
  /// little to compare.
  std::optional<Shift> settle(CellDrift shift) const {
    for (int step = 0;; ++step) {
      const std::optional<Shift> next = step_from(shift);
      if (!next) return std::nullopt;
      const double length = std::hypot(next->by.x, next->by.y);
      if (length > kFarthest) return std::nullopt;
      shift = {shift.x + next->by.x, shift.y + next->by.y};
      if (length < kSettled || step == kSteps) return Shift{shift, next->error};
    }
  }

  /// The mean difference at a shift; none if there is too little to compare.
  std::optional<double> unlikeness(CellDrift shift) const {
    const Pixels all = at(shift);
    if (!comparable(all)) return std::nullopt;
    return unlikeness(shift, all);
  }

 private:
  static bool comparable(const Pixels& all) {
    return all.n >= kLeastPixels && all.variance_a() > 0 && all.variance_b() > 0;
  }

  /// Calls use(x, y, first value, second value) for the grid's pixels that are free in both.
  template <class Use>
  void each(CellDrift shift, Use use) const {
    const auto dx = static_cast<float>(shift.x), dy = static_cast<float>(shift.y);
    for (int y = 1; y < height_ - 1; y += step_)
      for (int x = 1; x < width_ - 1; x += step_) {
        if (!first_.free[place(x, y)]) continue;
        const float u = static_cast<float>(x) + dx, v = static_cast<float>(y) + dy;
        if (!(u >= 1 && v >= 1 && u < static_cast<float>(width_ - 2) &&
              v < static_cast<float>(height_ - 2)))
          continue;
        if (!second_
                 .free[place(static_cast<int>(std::lround(u)), static_cast<int>(std::lround(v)))])
          continue;
        use(x, y, static_cast<double>(first_.value[place(x, y)]),
            static_cast<double>(cell_bilinear(second_.value.data(), width_, height_, u, v)));
      }
  }

  Pixels at(CellDrift shift) const {
    Pixels sums;
    each(shift, [&](int, int, double a, double b) { sums.add(a, b); });
    return sums;
  }

  std::optional<Shift> step_from(CellDrift shift) const {
    const Pixels all = at(shift);
    if (!comparable(all)) return std::nullopt;
    const auto difference = [light = Light(all)](double a, double b) {
      return light.difference(a, b);
    };
    const double most = kCut * unlikeness(shift, all);
    double n = 0, xx = 0, xy = 0, yy = 0, xr = 0, yr = 0, rr = 0;
    each(shift, [&](int x, int y, double a, double b) {
      const double r = difference(a, b);
      if (std::abs(r) > most) return;
      const double gx = (value(x + 1, y) - value(x - 1, y)) / 2,
                   gy = (value(x, y + 1) - value(x, y - 1)) / 2;
      n += 1;
      rr += r * r;
      xx += gx * gx;
      xy += gx * gy;
      yy += gy * gy;
      xr += gx * r;
      yr += gy * r;
    });
    const double determinant = xx * yy - xy * xy;
    if (!(determinant > 1e-9 * xx * yy)) return std::nullopt;
    return Shift{{-(yy * xr - xy * yr) / determinant, -(xx * yr - xy * xr) / determinant},
                 std::sqrt(kAlike * rr / n * (xx + yy) / determinant)};
  }

  double unlikeness(CellDrift shift, const Pixels& all) const {
    const Light light(all);
    double sum = 0;
    each(shift, [&](int, int, double a, double b) { sum += std::abs(light.difference(a, b)); });
    return sum / all.n;
  }

  std::size_t place(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }
  double value(int x, int y) const { return static_cast<double>(first_.value[place(x, y)]); }

  const Look& first_;
  const Look& second_;
  int width_, height_, step_;
};

/// The best of what the starts lead to, if the frames determine it.
std::optional<CellDrift> measured(const Comparison& frames, const std::vector<CellDrift>& starts) {
  std::optional<CellDrift> best;
  double least = kMostError;
  for (const CellDrift& start : starts) {
    const std::optional<Shift> found = frames.settle(start);
    if (!found || !(found->error < least)) continue;
    least = found->error;
    best = found->by;
  }
  return best;
}

CellDrift sum(CellDrift a, CellDrift b) { return {a.x + b.x, a.y + b.y}; }
CellDrift minus(CellDrift a, CellDrift b) { return {a.x - b.x, a.y - b.y}; }

struct Place {
  int frame;
  CellDrift at;
};

/// On the line between two places.
CellDrift between(const Place& a, const Place& b, int frame) {
  const double share =
      b.frame > a.frame ? static_cast<double>(frame - a.frame) / (b.frame - a.frame) : 0;
  return {a.at.x + share * (b.at.x - a.at.x), a.at.y + share * (b.at.y - a.at.y)};
}

/// Whether the tracker saw the whole picture jump between two frames.
bool jumps(const std::vector<CellDrift>& followed, int first, int last) {
  for (int frame = first + 1; frame <= last && frame < static_cast<int>(followed.size()); ++frame) {
    const CellDrift by = minus(followed[static_cast<std::size_t>(frame)],
                               followed[static_cast<std::size_t>(frame - 1)]);
    if (std::hypot(by.x, by.y) >= kCells.jump_least) return true;
  }
  return false;
}

/// The places of the tissue in sampled frames, of which the first is where it is.
class TissuePlaces {
 public:
  TissuePlaces(const std::vector<Look>& looks, Size size, const std::vector<CellDrift>& followed)
      : looks_(looks), size_(size), followed_(followed), places_{{looks.front().frame, {}}} {
    for (std::size_t k = 1; k < looks.size(); ++k) add(k);
  }

  /// False if too many frames leave it open, or if the frames are hardly less alike without it.
  bool moves() const {
    return unclear_ <= kMostUnclear * static_cast<double>(looks_.size() - 1) &&
           as_moved_ < kMoves * as_still_;
  }
  /// On straight lines between the places and, where the tracker saw a jump, as it saw it.
  std::vector<CellDrift> in_frames(int frames) const {
    std::vector<CellDrift> all;
    for (std::size_t k = 1; k < places_.size(); ++k) {
      const Place &a = places_[k - 1], &b = places_[k];
      const Place seen_a{a.frame, seen(a.frame)}, seen_b{b.frame, seen(b.frame)};
      const bool jumped = jumps(followed_, a.frame, b.frame);
      const int end = k + 1 < places_.size() ? b.frame : frames;
      for (int frame = a.frame; frame < end; ++frame) {
        all.push_back(between(a, b, frame));
        if (jumped && frame < b.frame)
          all.back() = sum(all.back(), minus(seen(frame), between(seen_a, seen_b, frame)));
      }
    }
    return all;
  }

 private:
  void add(std::size_t k) {
    const int frame = looks_[k].frame;
    const Place before = places_.back();
    const CellDrift from = minus(before.at, reference_at_);
    std::vector<CellDrift> starts{from, sum(from, minus(seen(frame), seen(before.frame)))};
    if (places_.size() > 1)
      starts.push_back(minus(between(places_[places_.size() - 2], before, frame), reference_at_));
    const Comparison pair(looks_[reference_], looks_[k], size_);
    const std::optional<CellDrift> found = measured(pair, starts);
    if (!found) {
      ++unclear_;
      return;
    }
    places_.push_back({frame, sum(reference_at_, *found)});
    const auto still = pair.unlikeness({}), moved = pair.unlikeness(*found);
    if (still && moved) {
      as_still_ += *still;
      as_moved_ += *moved;
    }
    if (std::hypot(found->x, found->y) <= kShareOfFrame * std::min(size_.width, size_.height))
      return;
    reference_ = k;
    reference_at_ = places_.back().at;
  }
  CellDrift seen(int frame) const {
    return frame < static_cast<int>(followed_.size()) ? followed_[static_cast<std::size_t>(frame)]
                                                      : CellDrift{};
  }

  const std::vector<Look>& looks_;
  Size size_;
  const std::vector<CellDrift>& followed_;
  std::vector<Place> places_;
  std::size_t reference_ = 0;  ///< the look that others are compared with
  CellDrift reference_at_;
  int unclear_ = 0;
  double as_still_ = 0, as_moved_ = 0;  ///< differences without and with the movement
};

}  // namespace

std::vector<CellDrift> place_of_tissue(const CellsProblem& problem, const CellsSamples& samples,
                                       int film, const std::vector<CellTrack>& tracks,
                                       const std::vector<CellDrift>& followed, Stream& stream) {
  const Size size = problem.frame.size;
  if (samples.kept().size() < 2) return {};
  const SimdCellsParts parts(problem);
  Stream host(kHost, stream.threads());
  std::vector<Look> looks;
  for (const CellsSamples::Sample& sample : samples.kept())
    looks.push_back(look_at(parts, sample, film, tracks, size, host));
  const TissuePlaces places(looks, size, followed);
  return places.moves() ? places.in_frames(samples.offered()) : std::vector<CellDrift>();
}

}  // namespace tessera
