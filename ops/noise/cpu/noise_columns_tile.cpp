// SPDX-License-Identifier: Apache-2.0
#include "ops/noise/cpu/noise_columns_tile.hpp"

#include "ops/noise/cpu/noise_columns_maps.hpp"
#include "ops/noise/cpu/noise_columns_rows.hpp"

namespace tessera {
namespace {

/// Codes that the columns of a region count; more would not fit the cache.
constexpr long long kMostCodes = 4096;

/// Ranks per code as a power of 2: one word, or more in large regions.
int shift_for(long long ranks) {
  int shift = 6;
  while ((kMostCodes << shift) < ranks) ++shift;
  return shift;
}

NoiseSliderPlan slider_plan(const NoiseProblem& problem, const NoiseMarks& marks) {
  return {problem.box.width, problem.box.height,       marks.width, marks.codes,
          marks.shift,       marks.columns != nullptr, marks.narrow};
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
  std::vector<double> quantiles(problem_.orders.size() * static_cast<std::size_t>(outputs.width));
  while (rows.next(*slider)) {
    exact_quantiles(rows, outputs.width, quantiles.data());
    write_noise_maps(problem_,
                     {outputs.x, outputs.y + rows.row(), outputs.width, quantiles.data(),
                      rows.counts(), only ? only + rows.row() * only_step : nullptr},
                     out_);
  }
}

template <class T>
void NoiseColumnsTile<T>::exact_quantiles(const NoiseTileRows& rows, int width,
                                          double* quantiles) const {
  const T* values = ranks_.values();
  for (std::size_t order = 0; order < problem_.orders.size(); ++order, quantiles += width) {
    const NoiseFound* found = rows.found(order);
    const NoiseWanted* wanted = rows.wanted(order);
    for (int x = 0; x < width; ++x) {
      if (wanted[x].index < 0) continue;
      const auto low = static_cast<double>(values[found[x].rank]);
      quantiles[x] =
          wanted[x].fraction == 0
              ? low
              : between(low, static_cast<double>(values[found[x].next]), wanted[x].fraction);
    }
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
  marks.marks = of_pixels;
  const std::uint32_t blank = marks.blank_mark();
  marks.whole = true;
  NoiseRegionRows<T> rows(problem_, in_.view.as<const T>(), region);
  for (int row = 0; row < region.height; ++row, of_pixels += region.width) {
    marks.whole &= rows.read(row);
    for (int x = 0; x < region.width; ++x)
      of_pixels[x] =
          rows.valid()[x]
              ? static_cast<std::uint32_t>(bins.of(static_cast<double>(rows.values()[x])))
              : blank;
  }
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
  std::vector<double> quantiles(problem_.orders.size() * static_cast<std::size_t>(outputs.width));
  for (unsigned char* flags = exactly.data(); rows.next(*slider); flags += outputs.width) {
    binned_quantiles(rows, bins, outputs.width, quantiles.data(), flags);
    write_noise_maps(problem_,
                     {outputs.x, outputs.y + rows.row(), outputs.width, quantiles.data(),
                      rows.counts(), nullptr},
                     out_);
  }
  exactly_where(outputs, exactly);
}

template <class T>
void NoiseColumnsTile<T>::binned_quantiles(const NoiseTileRows& rows, const NoiseBins& bins,
                                           int width, double* quantiles,
                                           unsigned char* at_end) const {
  const int* counts = rows.counts();
  for (std::size_t order = 0; order < problem_.orders.size(); ++order, quantiles += width) {
    const NoiseLocated* located = rows.located(order);
    const NoiseWanted* wanted = rows.wanted(order);
    for (int x = 0; x < width; ++x)
      at_end[x] |=
          wanted[x].index >= 0 && (located[x].code == 0 || located[x].code == bins.count - 1);
    for (int x = 0; x < width; ++x)
      quantiles[x] = bins.quantile(located[x].code, problem_.orders[order] * (counts[x] - 1),
                                   wanted[x].index - located[x].past, located[x].in);
  }
}

/// Flagged pixels exactly: tile by tile, the bounding rectangle of those in each.
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
