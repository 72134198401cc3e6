// SPDX-License-Identifier: Apache-2.0
#include "report/noise_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/gnuplot.hpp"

namespace tessera {
namespace {

constexpr int kNoiseWidth = 960;
constexpr double kLowest = 0.01, kHighest = 0.99;
constexpr int kTitleHeight = 40, kAroundPanel = 110;  // titles, labels and the colour scale

struct Span {
  double low = 0, high = 1;
};

Span colour_span(const std::vector<double>& all) {
  std::vector<double> values;
  std::ranges::copy_if(all, std::back_inserter(values), [](double v) { return std::isfinite(v); });
  if (values.empty()) return {};
  std::ranges::sort(values);
  const auto at = [&](double part) {
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
  };
  const Span span{at(kLowest), at(kHighest)};
  if (span.low < span.high) return span;
  const double around = span.low == 0 ? 1 : std::abs(span.low) / 100;
  return {span.low - around, span.high + around};
}

std::string data_block(const PanelFrame& frame, const PlottedPanel& panel, std::size_t index) {
  std::string block = fmt::format("$panel{} << TESSERA_END\n", index);
  for (std::size_t i = 0; i < panel.values.size(); ++i)
    block += gnuplot_number(panel.values[i]) +
             ((i + 1) % static_cast<std::size_t>(frame.width) == 0 ? '\n' : ' ');
  return block + "TESSERA_END\n";
}

std::string draw_panel(const PanelFrame& frame, const PlottedPanel& panel, std::size_t index) {
  const Span span = colour_span(panel.values);
  const double step_x = 1.0 * frame.image_width / frame.width,
               step_y = 1.0 * frame.image_height / frame.height;
  const std::string name =
      panel.unit.empty() ? panel.name : fmt::format("{} ({})", panel.name, panel.unit);
  return fmt::format(
      "set title {}\nset cbrange [{:.6g}:{:.6g}]\nset xrange [0:{}]\nset yrange [{}:{}]\n"
      "plot $panel{} matrix using (($1+0.5)*{}):(($2+0.5)*{}):3 with image\n",
      gnuplot_quoted(name), span.low, span.high, frame.image_width,
      frame.upwards ? 0 : frame.image_height, frame.upwards ? frame.image_height : 0, index, step_x,
      step_y);
}

std::string numbers_of(const PanelFrame& frame, const std::vector<PlottedPanel>& panels) {
  std::string text = "x\ty";
  for (const PlottedPanel& panel : panels) text += "\t" + panel.name;
  text += '\n';
  for (int y = 0; y < frame.height; ++y)
    for (int x = 0; x < frame.width; ++x) {
      text += fmt::format("{}\t{}", x, y);
      for (const PlottedPanel& panel : panels)
        text +=
            "\t" +
            gnuplot_number(
                panel.values[static_cast<std::size_t>(y) * static_cast<std::size_t>(frame.width) +
                             static_cast<std::size_t>(x)]);
      text += '\n';
    }
  return text;
}

}  // namespace

Plot plot_panels(const std::string& title, const PanelFrame& frame,
                 const std::vector<PlottedPanel>& panels, PictureFormat format) {
  const int count = static_cast<int>(std::max<std::size_t>(panels.size(), 1));
  const int columns = count <= 4 ? std::min(count, 2) : 3, rows = (count + columns - 1) / columns;
  const double shape = 1.0 * frame.image_height / frame.image_width;
  const int inner = kNoiseWidth / columns - kAroundPanel;
  const int row_height = std::clamp(static_cast<int>(inner * shape), 120, 900) + kAroundPanel - 30;
  std::string script =
      gnuplot_terminal(format, kNoiseWidth, rows * row_height + kTitleHeight) +
      "\nset encoding utf8\nset datafile missing 'NaN'\nset tics out nomirror\nunset key\n"
      "set size ratio -1\nset format cb '%.3g'\n" +
      kPalette;
  for (std::size_t i = 0; i < panels.size(); ++i) script += data_block(frame, panels[i], i);
  script +=
      fmt::format("set multiplot layout {},{} title {}\n", rows, columns, gnuplot_quoted(title));
  for (std::size_t i = 0; i < panels.size(); ++i) script += draw_panel(frame, panels[i], i);
  return {script + "unset multiplot\n", numbers_of(frame, panels)};
}

}  // namespace tessera
