// SPDX-License-Identifier: Apache-2.0
// A study as bars and lines. Axes are logarithmic: a ladder spans several powers of ten.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/gnuplot.hpp"
#include "report/plots.hpp"

namespace tessera {
namespace {

constexpr int kStudyWidth = 940, kHead = 64, kAbove = 34, kBelow = 52;  // pixels
constexpr int kBarPixels = 17, kGapPixels = 9, kLinesPixels = 330;
constexpr int kNames = 230, kRightEdge = 30, kKey = 210;
constexpr const char *kHere = "#2c718e", *kThere = "#d95f02";
constexpr const char* kHereColours[] = {"#440154", "#2c718e", "#27ad81", "#9e9ac8",
                                        "#5cc863", "#1f3b8b", "#56b4e9", "#666666",
                                        "#006d2c", "#7a0177", "#000000"};
constexpr int kHerePoints[] = {7, 5, 13, 11, 4, 6, 12, 10};
constexpr const char* kThereColours[] = {"#d95f02", "#e6a000", "#a6500d", "#e7298a"};

int bars_of(const StudyBar& bar) { return bar.here && bar.published ? 2 : 1; }

int height_of(const StudyPanel& panel) {
  int inside = panel.lines.empty() ? 0 : kLinesPixels;
  for (const StudyBar& bar : panel.bars) inside += kBarPixels * bars_of(bar) + kGapPixels;
  return kAbove + inside + kBelow;
}

struct Extremes {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  void add(double value) {
    if (!(value > 0) || !std::isfinite(value)) return;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  bool empty() const { return most == 0; }
};

/// In the double quotes of a data block or a list of tics.
std::string quoted_word(const std::string& text) {
  std::string quoted = gnuplot_quoted(text);
  std::string out = "\"";
  for (const char letter : quoted.substr(1, quoted.size() - 2))
    out += letter == '"' ? std::string("'") : letter == '\\' ? "\\\\" : std::string(1, letter);
  return out + "\"";
}

std::string short_figure(double value) {
  return value >= 1e3 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

/// The place of a panel's axes on the picture, from the top.
std::string panel_frame(int above, int height, int all, int right) {
  const auto down = [&](int pixels) { return 1.0 - static_cast<double>(pixels) / all; };
  return fmt::format(
      "set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\nset tmargin at screen {:.5f}\n"
      "set bmargin at screen {:.5f}\n",
      static_cast<double>(kNames) / kStudyWidth, 1 - static_cast<double>(right) / kStudyWidth,
      down(above + kAbove), down(above + height - kBelow));
}

std::string panel_heading(const StudyPanel& panel) {
  return fmt::format("unset label\nset title {} offset 0,-0.4\n", gnuplot_quoted(panel.title));
}

/// One line of the block per bar: left, right, below, above, colour, text.
std::string bar_line(double left, double value, double from, const char* colour,
                     const std::string& text) {
  return fmt::format("{} {} {} {} {} {} {}\n", left, value, from, from + kBarPixels,
                     std::stoul(std::string(colour).substr(1), nullptr, 16), quoted_word(text),
                     from + kBarPixels / 2.0);
}

std::string bars_script(const StudyPanel& panel, std::size_t index) {
  Extremes span;
  for (const StudyBar& bar : panel.bars) {
    span.add(bar.here.value_or(0));
    span.add(bar.published.value_or(0));
  }
  if (span.empty()) span.add(1);
  const double left = span.least / 2, room = std::pow(span.most / left, 0.3);
  std::string block = fmt::format("$bars{} << TESSERA_END\n", index), tics;
  double y = kGapPixels / 2.0;
  for (const StudyBar& bar : panel.bars) {
    const double middle = y + kBarPixels * bars_of(bar) / 2.0;
    tics += fmt::format("{}{} {}", tics.empty() ? "" : ", ", quoted_word(bar.name), middle);
    if (bar.here) block += bar_line(left, *bar.here, y, kHere, short_figure(*bar.here));
    if (bar.published)
      block +=
          bar_line(left, *bar.published, bar.here ? y + kBarPixels : y, kThere,
                   short_figure(*bar.published) + (bar.device.empty() ? "" : "  " + bar.device));
    y += kBarPixels * bars_of(bar) + kGapPixels;
  }
  return block + "TESSERA_END\n" + panel_heading(panel) +
         fmt::format(
             "set xlabel {} offset 0,0.4\nunset ylabel\nset logscale x\nunset logscale y\n"
             "set xrange [{}:{}]\nset yrange [{}:0]\nset xtics nomirror auto\nset format x '%g'\n"
             "set ytics nomirror ({}) scale 0\nset grid xtics noytics\nunset key\n"
             "plot $bars{} using 1:7:1:2:3:4:5 with boxxyerror fillstyle solid noborder linecolor "
             "rgb variable, $bars{} using 2:7:6 with labels left offset 0.6,0\n",
             gnuplot_quoted(panel.unit), left, span.most * room, y - kGapPixels / 2.0, tics, index,
             index);
}

std::string x_axis(const StudyPanel& panel) {
  if (panel.x_names.empty()) {
    Extremes span;
    for (const StudyLine& line : panel.lines)
      for (const auto& [x, value] : line.points) span.add(x);
    if (span.empty()) span.add(1);
    // Powers of two, because threads and sizes double.
    std::string tics;
    for (int x = 1; x <= 4096; x *= 2)
      if (x >= span.least / 1.2 && x <= span.most * 1.2)
        tics += fmt::format("{}'{}' {}", tics.empty() ? "" : ", ", x, x);
    return fmt::format("set logscale x\nset xrange [{}:{}]\nset xtics nomirror ({})\n",
                       span.least / 1.12, span.most * 1.12, tics);
  }
  std::string tics;
  for (std::size_t k = 0; k < panel.x_names.size(); ++k)
    tics += fmt::format("{}{} {}", k == 0 ? "" : ", ", quoted_word(panel.x_names[k]), k);
  return fmt::format("unset logscale x\nset xrange [-0.4:{}]\nset xtics nomirror ({})\n",
                     static_cast<double>(panel.x_names.size()) - 0.6, tics);
}

std::string lines_script(const StudyPanel& panel, std::size_t index) {
  std::string blocks, plots;
  std::size_t here = 0, there = 0;
  for (std::size_t k = 0; k < panel.lines.size(); ++k) {
    const StudyLine& line = panel.lines[k];
    blocks += fmt::format("$line{}x{} << TESSERA_END\n", index, k);
    for (const auto& [x, value] : line.points)
      blocks += fmt::format("{} {}\n", x, gnuplot_number(value));
    blocks += "TESSERA_END\n";
    const char* const colour = line.published ? kThereColours[there++ % std::size(kThereColours)]
                                              : kHereColours[here++ % std::size(kHereColours)];
    plots += fmt::format(
        "{}$line{}x{} using 1:2 with linespoints linewidth 2 pointtype {} pointsize {} "
        "dashtype {} linecolor rgb '{}' title {}",
        k == 0 ? "" : ", ", index, k, line.published ? 9 : kHerePoints[k % std::size(kHerePoints)],
        line.published ? 1.0 : 0.6, line.published ? 2 : 1, colour, gnuplot_quoted(line.name));
  }
  return blocks + panel_heading(panel) + x_axis(panel) +
         fmt::format(
             "set xlabel {} offset 0,0.4\nset ylabel {} offset -1,0\nset logscale y\n"
             "set yrange [*:*]\nset ytics nomirror auto scale 1\nset format x '%g'\nset format y "
             "'%g'\n"
             "set grid xtics ytics\nset key at graph 1.02,1 left top Left reverse samplen 2\n"
             "plot {}\n",
             gnuplot_quoted(panel.over), gnuplot_quoted(panel.unit), plots);
}

std::string picture_head(const std::string& title, int height, bool published) {
  const auto at = [&](int pixels) { return 1.0 - static_cast<double>(pixels) / height; };
  std::string text = fmt::format(
      "set label 901 {} at screen 0.5,{:.5f} center font ',14'\n"
      "set label 902 'here' at screen 0.40,{:.5f} left textcolor rgb '{}'\n",
      gnuplot_quoted(title), at(20), at(44), kHere);
  if (published)
    text += fmt::format(
        "set label 903 'published, on the machine named' at screen 0.48,{:.5f} left textcolor rgb "
        "'{}'\n",
        at(44), kThere);
  return text +
         "unset border\nunset tics\nunset key\nunset title\nset lmargin at screen 0\n"
         "set rmargin at screen 1\nset tmargin at screen 1\nset bmargin at screen 0\n"
         "plot [0:1][0:1] NaN notitle\nset border 3\nset tics out nomirror\n"
         "unset mxtics\nunset mytics\n";
}

bool has_published(const StudyPanel& panel) {
  return std::ranges::any_of(panel.bars, [](const StudyBar& bar) { return !!bar.published; }) ||
         std::ranges::any_of(panel.lines, [](const StudyLine& line) { return line.published; });
}

std::string numbers_of(const std::vector<StudyPanel>& panels) {
  const auto cell = [](const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : "";
  };
  std::string text = "panel\tname\tx\there\tpublished\tdevice\n";
  for (const StudyPanel& panel : panels) {
    for (const StudyBar& bar : panel.bars)
      text += fmt::format("{}\t{}\t\t{}\t{}\t{}\n", panel.title, bar.name, cell(bar.here),
                          cell(bar.published), bar.device);
    for (const StudyLine& line : panel.lines)
      for (const auto& [x, value] : line.points) {
        const std::string at = panel.x_names.empty()
                                   ? fmt::format("{}", x)
                                   : panel.x_names.at(static_cast<std::size_t>(x));
        text += fmt::format("{}\t{}\t{}\t{}\t{}\t\n", panel.title, line.name, at,
                            line.published ? "" : fmt::format("{}", value),
                            line.published ? fmt::format("{}", value) : "");
      }
  }
  return text;
}

}  // namespace

Plot plot_study(const std::string& title, const std::vector<StudyPanel>& panels,
                PictureFormat format) {
  int height = kHead;
  for (const StudyPanel& panel : panels) height += height_of(panel);
  std::string script = gnuplot_terminal(format, kStudyWidth, height) +
                       " font 'sans,11'\nset encoding utf8\nset multiplot\n" +
                       picture_head(title, height, std::ranges::any_of(panels, has_published));
  int above = kHead;
  for (std::size_t k = 0; k < panels.size(); ++k) {
    const int own = height_of(panels[k]);
    const bool bars = panels[k].lines.empty();
    script += panel_frame(above, own, height, bars ? kRightEdge : kKey) +
              (bars ? bars_script(panels[k], k) : lines_script(panels[k], k));
    above += own;
  }
  return {script + "unset multiplot\n", numbers_of(panels)};
}

}  // namespace tessera
