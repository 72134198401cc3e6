// SPDX-License-Identifier: Apache-2.0
// Fits a part of a row at a time. Pixels that are to be fitted are collected into blocks, so that
// lanes are full even if sources are rare; what a lane computes does not depend on its neighbours.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "ops/faraday/stokes/cpu/stokes_fit_lanes.hpp"
#include "ops/faraday/stokes/stokes_fit_problem.hpp"

namespace tessera {
namespace {

constexpr int kPart = 512;  ///< pixels of a row that one thread takes

/// Values and weights of up to kStokesBlock pixels, [channel][pixel].
struct BlockSamples {
  double *value, *weight;

  BlockSamples(double* memory, int channels)
      : value(memory), weight(memory + static_cast<std::ptrdiff_t>(channels) * kStokesBlock) {}
  static std::size_t doubles(int channels) {
    return 2 * static_cast<std::size_t>(channels) * kStokesBlock;
  }
};

/// The median of doubles by the keys of StokesColumn, which order zeros too.
double median_of_keys(std::vector<unsigned long long>& keys) {
  using Column = StokesColumn<double>;
  const auto middle = keys.begin() + static_cast<std::ptrdiff_t>(keys.size() / 2);
  std::nth_element(keys.begin(), middle, keys.end());
  if (keys.size() % 2 == 1) return Column::of_key(*middle);
  return (Column::of_key(*std::max_element(keys.begin(), middle)) + Column::of_key(*middle)) / 2;
}

template <class T>
class StokesRows : public StokesFitRunner {
 public:
  explicit StokesRows(const StokesFitProblem& problem)
      : problem_(problem),
        isa_((apply_isa_environment(), current_isa())),
        work_(stokes_lane_work()) {}

  void run(const StokesCall& call, Stream& stream) const override {
    const Size size = call.maps.size;
    const int parts = (size.width + kPart - 1) / kPart;
    parallel_for(size.height * parts, stream.threads(), [&](int unit) {
      const int x = unit % parts * kPart;
      Part(*this, call, unit / parts).run(x, std::min(x + kPart, size.width));
    });
  }
  std::string describe() const override { return isa_; }

 private:
  class Part;

  StokesFitProblem problem_;
  std::string isa_;
  StokesLaneWork work_;
};

/// Some pixels of one row.
template <class T>
class StokesRows<T>::Part {
 public:
  Part(const StokesRows& rows, const StokesCall& call, int y)
      : rows_(rows),
        rule_(rows.problem_.rule),
        cubes_(stokes_cubes(call.voxels.i, call.voxels.sigma)),
        maps_(call.maps.as<T>()),
        model_(call.model.data ? call.model.as<T>() : View<T>{}),
        has_model_(call.model.data != nullptr),
        y_(y),
        memory_(host_scratch(5 * sizeof(double) * kStokesBlock *
                             static_cast<std::size_t>(rule_.channels))),
        read_(memory_.as<double>(), rule_.channels),
        fitted_(memory_.as<double>() + BlockSamples::doubles(rule_.channels), rule_.channels),
        models_(memory_.as<double>() + 2 * BlockSamples::doubles(rule_.channels)) {
    lanes_.channels = rows.problem_.channels.data();
    lanes_.rule = &rule_;
    lanes_.value = fitted_.value;
    lanes_.weight = fitted_.weight;
  }

  void run(int first, int end) {
    for (int x = first; x < end; x += kStokesBlock) {
      const int count = std::min(kStokesBlock, end - x);
      load(x, count);
      for (int i = 0; i < count; ++i) {
        const StokesPixel pixel = look(i);
        if (const int end_of = stokes_refusal(pixel, rule_); end_of != kStokesIsFitted) {
          leave_out(x + i, pixel, end_of);
          continue;
        }
        take(i, x + i, pixel);
        if (taken_ == kStokesBlock) fit();
      }
    }
    if (taken_ > 0) fit();
  }

 private:
  double sample(const FaradaySource& cube, int x, int k) const {
    return static_cast<const T*>(cube.data)[k * cube.plane + y_ * cube.row + x * cube.pixel];
  }

  void load(int x, int count) {
    for (int k = 0; k < rule_.channels; ++k) {
      const double listed = rows_.problem_.channels[static_cast<std::size_t>(k)].sigma;
      for (int i = 0; i < count; ++i) {
        const double value = sample(cubes_.i, x + i, k);
        const double sigma = cubes_.sigma.data ? sample(cubes_.sigma, x + i, k) : listed;
        const bool counts = is_stokes_value(value) && is_stokes_sigma(sigma);
        read_.value[k * kStokesBlock + i] = counts ? value : 0;
        read_.weight[k * kStokesBlock + i] = counts ? sigma : 0;  // its inverse, when it is taken
      }
    }
  }

  StokesPixel look(int i) {
    StokesPixel pixel;
    double sum = 0;
    values_.clear();
    sigmas_.clear();
    for (int k = 0; k < rule_.channels; ++k) {
      const double sigma = read_.weight[k * kStokesBlock + i];
      if (!(sigma > 0)) continue;
      const double value = read_.value[k * kStokesBlock + i];
      ++pixel.channels;
      sum = sum + value;
      pixel.inverse_squares = pixel.inverse_squares +
                              rows_.problem_.channels[static_cast<std::size_t>(k)].inverse_squared;
      values_.push_back(StokesColumn<double>::key_of(value));
      sigmas_.push_back(StokesColumn<double>::key_of(sigma));
    }
    if (pixel.channels == 0) return pixel;
    pixel.mean = sum / pixel.channels;
    pixel.median = median_of_keys(values_);
    const bool known =
        !cubes_.sigma.data && pixel.channels == rule_.channels && rule_.median_sigma > 0;
    pixel.median_sigma = known ? rule_.median_sigma : median_of_keys(sigmas_);
    return pixel;
  }

  void take(int i, int x, const StokesPixel& pixel) {
    const auto place = static_cast<std::size_t>(taken_);
    for (int k = 0; k < rule_.channels; ++k) {
      const double sigma = read_.weight[k * kStokesBlock + i];
      fitted_.value[k * kStokesBlock + taken_] = read_.value[k * kStokesBlock + i];
      fitted_.weight[k * kStokesBlock + taken_] = sigma > 0 ? 1 / sigma : 0;
    }
    x_[place] = x;
    pixel_[place] = pixel;
    rule_of_[place] = stokes_rule_for(pixel, rule_);
    stokes_begin(state_[place], pixel.mean, rule_of_[place]);
    ++taken_;
  }

  /// All pixels of the block, until the last has ended; then their results.
  void fit() {
    const int step = rows_.work_.step();
    for (int i = taken_; i < kStokesBlock; ++i)  // lanes without a pixel
      for (int k = 0; k < rule_.channels; ++k)
        fitted_.value[k * kStokesBlock + i] = fitted_.weight[k * kStokesBlock + i] = 0;
    for (int first = 0; first < taken_; first += step)
      while (advance(first, std::min(first + step, kStokesBlock))) {
      }
    set_trials(
        [](const StokesState& s) { return s.phase == kStokesFitted ? s.best : StokesTrial{}; });
    rows_.work_.model(lanes_, models_);
    for (int i = 0; i < taken_; ++i) write(i);
    taken_ = 0;
  }

  template <class Choose>
  void set_trials(const Choose& choose) {
    for (int i = 0; i < kStokesBlock; ++i) {
      const StokesTrial trial =
          i < taken_ ? choose(state_[static_cast<std::size_t>(i)]) : StokesTrial{};
      for (int j = 0; j < kStokesTerms; ++j) lanes_.trial[j][i] = trial.p[j];
    }
  }

  /// One try of the pixels [first, end) of the block; false if all have ended.
  bool advance(int first, int end) {
    int order = -1;
    for (int i = first; i < end; ++i) {
      const bool tries = i < taken_ && state(i).phase == kStokesTries;
      if (tries) order = std::max(order, state(i).order);
      lanes_.stage[i] = tries ? state(i).stage : 0;
      for (int j = 0; j < kStokesTerms; ++j) lanes_.trial[j][i] = tries ? state(i).trial.p[j] : 0;
    }
    if (order < 0) return false;
    rows_.work_.sums(lanes_, order, first);
    for (int i = first; i < std::min(end, taken_); ++i)
      if (state(i).phase == kStokesTries)
        stokes_advance(state(i), sums_of(i, state(i).order), rule_of_[static_cast<std::size_t>(i)]);
    return true;
  }

  StokesState& state(int i) { return state_[static_cast<std::size_t>(i)]; }

  StokesSums sums_of(int i, int order) const {
    StokesSums sums{};
    sums.loss = lanes_.loss[i];
    sums.size = lanes_.size[i];
    for (int k = 0; k <= order; ++k) {
      sums.slope[k] = lanes_.slope[k][i];
      for (int j = 0; j <= k; ++j)
        sums.gram[stokes_gram_place(k, j)] = lanes_.gram[stokes_gram_place(k, j)][i];
    }
    return sums;
  }

  void write(int i) {
    const auto place = static_cast<std::size_t>(i);
    const StokesPixel& pixel = pixel_[place];
    if (const int end = stokes_end_of(state(i).phase); end != kStokesIsFitted)
      return leave_out(x_[place], pixel, end);
    double least = 0, most = 0;
    for (int k = 0; k < rule_.channels; ++k) {
      const double value = models_[k * kStokesBlock + i];
      least = k == 0 || !(value >= least) ? value : least;
      most = k == 0 || !(value <= most) ? value : most;
    }
    if (!is_stokes_divisor(least, most, pixel.floor(rule_.floor)))
      return leave_out(x_[place], pixel, kStokesBelowFloor);
    write_values(x_[place], stokes_values(state(i), pixel, rule_));
    for (int k = 0; has_model_ && k < rule_.channels; ++k)
      model_.at(x_[place], y_, 0, k) = static_cast<T>(models_[k * kStokesBlock + i]);
  }

  void leave_out(int x, const StokesPixel& pixel, int end) {
    write_values(x, stokes_no_values(pixel, end));
    for (int k = 0; has_model_ && k < rule_.channels; ++k)
      model_.at(x, y_, 0, k) = static_cast<T>(std::nan(""));
  }

  void write_values(int x, const StokesValues& v) {
    for (int place = 0; place < kStokesPlaces; ++place)
      maps_.at(x, y_, 0, place) = static_cast<T>(v.at[place]);
  }

  const StokesRows& rows_;
  const StokesRule& rule_;
  StokesCubes cubes_;
  View<T> maps_, model_;
  bool has_model_;
  int y_;
  Scratch memory_;
  BlockSamples read_, fitted_;
  double* models_;  ///< [channel][pixel]
  StokesLanes lanes_;
  int taken_ = 0;
  std::vector<unsigned long long> values_, sigmas_;
  std::array<int, kStokesBlock> x_;
  std::array<StokesPixel, kStokesBlock> pixel_;
  std::array<StokesRule, kStokesBlock> rule_of_;
  std::array<StokesState, kStokesBlock> state_;
};

}  // namespace

StokesFitRunnerPointer make_stokes_fit_rows(const StokesFitProblem& problem) {
  if (problem.image.type == Type::f64) return std::make_unique<StokesRows<double>>(problem);
  return std::make_unique<StokesRows<float>>(problem);
}

}  // namespace tessera
