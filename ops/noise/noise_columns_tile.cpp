// SPDX-License-Identifier: Apache-2.0
#include "ops/noise/noise_columns_tile.hpp"

#include "ops/noise/noise_columns_rows.hpp"

namespace tessera {
namespace {

/// Codes that the columns of a region keep counts of; more would not fit the cache.
constexpr long long kMostCodes = 4096;

/// Ranks of a code as a power of 2: a word's, or more in large regions.
int shift_for(long long ranks) {
  int shift = 6;
  while ((kMostCodes << shift) < ranks) ++shift;
  return shift;
}

template <class Out>
Out sample_of(double value) {
  return static_cast<Out>(value);
}

/// Writes the maps of a pixel from its quantiles.
class Maps {
 public:
  Maps(const NoiseProblem& problem, const MutablePiece& out) : problem_(problem), out_(out) {}

  void store(int x, int y, const double* quantiles) const {
    for (std::size_t plane = 0; plane < problem_.planes.size(); ++plane) {
      const NoisePlane& made_of = problem_.planes[plane];
      double value = quantiles[made_of.low];
      if (made_of.high >= 0) value = (quantiles[made_of.high] - value) / made_of.divisor;
      store_one(x, y, static_cast<int>(plane), value);
    }
  }
  void store_none(int x, int y) const {
    for (std::size_t plane = 0; plane < problem_.planes.size(); ++plane)
      store_one(x, y, static_cast<int>(plane), std::numeric_limits<double>::quiet_NaN());
  }

 private:
  void store_one(int x, int y, int plane, double value) const {
    unsigned char* at = out_.view.address(x, y - out_.first_row, plane);
    const bool known = value == value;
    switch (out_.view.type) {
      case Type::u8:
        *at = known ? static_cast<unsigned char>(value) : 0;
        break;
      case Type::u16:
        *reinterpret_cast<unsigned short*>(at) = known ? static_cast<unsigned short>(value) : 0;
        break;
      case Type::f32:
        *reinterpret_cast<float*>(at) = static_cast<float>(value);
        break;
      default:
        *reinterpret_cast<double*>(at) = value;
    }
  }

  const NoiseProblem& problem_;
  const MutablePiece& out_;
};

NoiseSliderPlan slider_plan(const NoiseProblem& problem, const NoiseMarks& marks) {
  return {problem.box.width, problem.box.height, marks.width,
          marks.codes,       marks.shift,        marks.columns != nullptr};
}

}  // namespace

template <class T>
void NoiseColumnsTile<T>::exact(const NoiseRectangle& outputs, const unsigned char* only,
                                int only_step) {
  const NoiseRegion region = noise_region(problem_, in_.rows(), outputs);
  const NoiseMarks marks = ranks_.rank(problem_, in_.view.as<const T>(), region,
                                       shift_for(1LL * region.width * region.height));
  const auto slider = make_noise_slider(slider_plan(problem_, marks));
  NoiseTileRows rows(problem_, region, marks, outputs);
  NoisePlaces places(problem_);
  const Maps maps(problem_, out_);
  double quantiles[kMostNoiseQuantiles];
  while (rows.next(*slider))
    for (int x = 0; x < outputs.width; ++x) {
      if (only && !only[rows.row() * only_step + x]) continue;
      const int n = rows.count(x);
      if (n == 0) {
        maps.store_none(outputs.x + x, outputs.y + rows.row());
        continue;
      }
      const auto& place = places.of(n);
      for (std::size_t order = 0; order < problem_.orders.size(); ++order) {
        const NoiseFound& found = rows.found(order, x);
        const double low = ranks_.value(found.mark), fraction = place[order].fraction;
        quantiles[order] = fraction == 0 ? low : between(low, ranks_.value(found.next), fraction);
      }
      maps.store(outputs.x + x, outputs.y + rows.row(), quantiles);
    }
}

template <class T>
NoiseMarks NoiseColumnsTile<T>::bin(const NoiseRegion& region, const NoiseBins& bins) {
  const auto pixels = static_cast<std::size_t>(region.width) * region.height;
  NoiseMarks marks;
  marks.width = region.width;
  marks.height = region.height;
  marks.codes = bins.count;
  auto* of_pixels = marks_.of<std::uint32_t>(pixels);
  std::fill_n(of_pixels, pixels, marks.blank_mark());
  for_valid(problem_, in_.view.as<const T>(), region, [&](int row, int column, T value) {
    of_pixels[row * region.width + column] =
        static_cast<std::uint32_t>(bins.of(static_cast<double>(value)));
  });
  marks.marks = of_pixels;
  return marks;
}

template <class T>
void NoiseColumnsTile<T>::binned(const NoiseRectangle& outputs) {
  const NoiseBins bins =
      noise_bins_of_tile(problem_, in_, outputs.x / kNoiseTile, outputs.y / kNoiseTile);
  std::vector<unsigned char> exactly(static_cast<std::size_t>(outputs.width) * outputs.height,
                                     bins.per_unit == 0);
  if (bins.per_unit == 0) return exactly_where(outputs, exactly);
  const NoiseRegion region = noise_region(problem_, in_.rows(), outputs);
  const NoiseMarks marks = bin(region, bins);
  const auto slider = make_noise_slider(slider_plan(problem_, marks));
  NoiseTileRows rows(problem_, region, marks, outputs);
  const Maps maps(problem_, out_);
  double quantiles[kMostNoiseQuantiles];
  while (rows.next(*slider))
    for (int x = 0; x < outputs.width; ++x) {
      const int n = rows.count(x);
      if (n == 0) {
        maps.store_none(outputs.x + x, outputs.y + rows.row());
        continue;
      }
      bool at_end = false;
      for (std::size_t order = 0; order < problem_.orders.size(); ++order) {
        const NoiseFound& found = rows.found(order, x);
        const int code = static_cast<int>(found.mark);
        at_end |= code == 0 || code == bins.count - 1;
        quantiles[order] =
            bins.quantile(code, problem_.orders[order] * (n - 1), found.before, found.in);
      }
      exactly[static_cast<std::size_t>(rows.row() * outputs.width + x)] = at_end;
      if (!at_end) maps.store(outputs.x + x, outputs.y + rows.row(), quantiles);
    }
  exactly_where(outputs, exactly);
}

/// Flagged pixels exactly: tile by tile, the rectangle about those of each.
template <class T>
void NoiseColumnsTile<T>::exactly_where(const NoiseRectangle& outputs,
                                        const std::vector<unsigned char>& flags) {
  for (int y = 0; y < outputs.height; y += exact_size_.height)
    for (int x = 0; x < outputs.width; x += exact_size_.width) {
      int left = outputs.width, right = -1, top = outputs.height, bottom = -1;
      for (int j = y; j < std::min(y + exact_size_.height, outputs.height); ++j)
        for (int i = x; i < std::min(x + exact_size_.width, outputs.width); ++i) {
          if (!flags[static_cast<std::size_t>(j * outputs.width + i)]) continue;
          left = std::min(left, i);
          right = std::max(right, i);
          top = std::min(top, j);
          bottom = j;
        }
      if (bottom < 0) continue;
      exact({outputs.x + left, outputs.y + top, right - left + 1, bottom - top + 1},
            flags.data() + top * outputs.width + left, outputs.width);
    }
}

template class NoiseColumnsTile<unsigned char>;
template class NoiseColumnsTile<unsigned short>;
template class NoiseColumnsTile<float>;
template class NoiseColumnsTile<double>;

}  // namespace tessera
