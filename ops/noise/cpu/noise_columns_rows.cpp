// SPDX-License-Identifier: Apache-2.0
#include "ops/noise/cpu/noise_columns_rows.hpp"

namespace tessera {

NoiseTileRows::NoiseTileRows(const NoiseProblem& problem, const NoiseRegion& region,
                             const NoiseMarks& marks, const NoiseRectangle& outputs)
    : problem_(problem),
      region_(region),
      marks_(marks),
      outputs_(outputs),
      places_(problem),
      column_counts_(static_cast<std::size_t>(region.width), 0),
      counts_(static_cast<std::size_t>(outputs.width)),
      wanted_(counts_.size() * problem.orders.size()),
      located_(wanted_.size()),
      found_(wanted_.size()) {
  const std::uint32_t blank = marks.blank_mark();
  for (int row = 0; row < problem.box.height; ++row)
    for (int x = 0; x < region.width; ++x)
      column_counts_[static_cast<std::size_t>(x)] +=
          marks.marks[static_cast<std::size_t>(row) * region.width + x] < blank;
}

bool NoiseTileRows::next(NoiseSlider& slider) {
  if (++row_ == outputs_.height) return false;
  if (row_ == 0)
    slider.start(marks_);
  else
    slider.down();
  if (row_ == 0 || !marks_.whole) {
    count_values();
    want();
  }
  const auto width = static_cast<std::size_t>(outputs_.width);
  for (std::size_t order = 0; order < problem_.orders.size(); ++order)
    slider.along(static_cast<int>(order), wanted_.data() + order * width,
                 located_.data() + order * width, found_.data() + order * width);
  return true;
}

/// Values of each box; 0 if there are too few, or if the pixel itself is blank and blanks stay.
void NoiseTileRows::count_values() {
  const auto width = static_cast<std::size_t>(region_.width);
  const std::uint32_t blank = marks_.blank_mark();
  if (row_ > 0) {
    const std::uint32_t* leaving = marks_.marks + (row_ - 1) * width;
    const std::uint32_t* entering = leaving + problem_.box.height * width;
    for (std::size_t x = 0; x < width; ++x)
      column_counts_[x] += static_cast<int>(entering[x] < blank) - (leaving[x] < blank);
  }
  const std::uint32_t* own =
      marks_.marks + (row_ + problem_.box.above()) * width + problem_.box.left();
  int count = 0;
  for (int x = 0; x < problem_.box.width - 1; ++x)
    count += column_counts_[static_cast<std::size_t>(x)];
  for (int x = 0; x < outputs_.width; ++x) {
    count += column_counts_[static_cast<std::size_t>(x + problem_.box.width - 1)];
    const bool told =
        count >= problem_.least(region_.pixels(x, row_)) && (problem_.nomask || own[x] < blank);
    counts_[static_cast<std::size_t>(x)] = told ? count : 0;
    count -= column_counts_[static_cast<std::size_t>(x)];
  }
}

void NoiseTileRows::want() {
  const std::size_t width = counts_.size(), orders = problem_.orders.size();
  for (std::size_t x = 0; x < width; ++x) {
    const auto& places = places_.of(counts_[x]);
    for (std::size_t order = 0; order < orders; ++order)
      wanted_[order * width + x] = {counts_[x] == 0 ? -1 : places[order].index,
                                    places[order].fraction};
  }
}

}  // namespace tessera
