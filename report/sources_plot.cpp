// SPDX-License-Identifier: Apache-2.0
#include "report/sources_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/gnuplot.hpp"

namespace tessera {
namespace {

constexpr int kSourcesWidth = 900, kAroundField = 110;
/// Sources hold little of an image: faint ones are seen against the noise.
constexpr double kDarkest = 0.02, kBrightest = 0.995;
constexpr double kDrawnWidths = 2;

std::string field_block(const PanelFrame& frame, const std::vector<double>& values) {
  std::string block = "$field << TESSERA_END\n";
  for (std::size_t i = 0; i < values.size(); ++i)
    block += gnuplot_number(values[i]) +
             ((i + 1) % static_cast<std::size_t>(frame.width) == 0 ? '\n' : ' ');
  return block + "TESSERA_END\n";
}

std::pair<double, double> brightness_span(std::vector<double> values) {
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  if (values.empty()) return {0, 1};
  std::ranges::sort(values);
  const auto at = [&](double part) {
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
  };
  const double low = at(kDarkest), high = at(kBrightest);
  return low < high ? std::pair(low, high) : std::pair(low - 1, low + 1);
}

}  // namespace

Plot plot_sources(const std::string& title, const PanelFrame& frame, const PlottedPanel& image,
                  const std::vector<PlottedSource>& sources, PictureFormat format) {
  const double shape = 1.0 * frame.image_height / frame.image_width;
  const int inner = kSourcesWidth - kAroundField;
  const int height = std::clamp(static_cast<int>(inner * shape), 150, 1200) + kAroundField;
  const auto [low, high] = brightness_span(image.values);
  std::string script = gnuplot_terminal(format, kSourcesWidth, height) +
                       "\nset encoding utf8\nset datafile missing 'NaN'\nset tics out nomirror\n"
                       "unset key\nset size ratio -1\nset format cb '%.3g'\nset palette gray\n" +
                       field_block(frame, image.values) + "$sources << TESSERA_END\n";
  std::string numbers = "x\ty\tmajor\tminor\tangle\n";
  for (const PlottedSource& s : sources) {
    const double turned = frame.upwards ? s.angle + 90 : -s.angle - 90;
    script += fmt::format("{:.3f} {:.3f} {:.3f} {:.3f} {:.2f}\n", s.x + 0.5, s.y + 0.5,
                          kDrawnWidths * s.major, kDrawnWidths * s.minor, turned);
    numbers += fmt::format("{}\t{}\t{}\t{}\t{}\n", s.x, s.y, s.major, s.minor, s.angle);
  }
  script += fmt::format(
      "TESSERA_END\nset title {}\nset cblabel {}\nset cbrange [{:.6g}:{:.6g}]\n"
      "set xrange [0:{}]\nset yrange [{}:{}]\n"
      "plot $field matrix using (($1+0.5)*{}):(($2+0.5)*{}):3 with image{}\n",
      gnuplot_quoted(title), gnuplot_quoted(image.unit), low, high, frame.image_width,
      frame.upwards ? 0 : frame.image_height, frame.upwards ? frame.image_height : 0,
      1.0 * frame.image_width / frame.width, 1.0 * frame.image_height / frame.height,
      sources.empty() ? ""
                      : ", $sources using 1:2:3:4:5 with ellipses units xx fs empty border lc rgb "
                        "'#ff7f0e' lw 1.5");
  return {script, numbers};
}

}  // namespace tessera
