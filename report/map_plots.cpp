// SPDX-License-Identifier: Apache-2.0
#include "report/map_plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/gnuplot.hpp"

namespace tessera {
namespace {

constexpr int kMapWidth = 1100, kRowHeight = 440;
constexpr std::size_t kMostBars = 20;  // error bars of a curve: more would hide it

constexpr const char* kLineColours[] = {"#440154", "#31688e", "#35b779", "#d95f02",
                                        "#7570b3", "#e7298a", "#666666", "#a6761d"};

// One line per row of the map. Value by value: fmt::join of doubles makes g++ 13 see bounds
// overrun.
std::string map_block(const PlottedMap& map, std::size_t index) {
  std::string block = fmt::format("$map{} << TESSERA_END\n", index);
  const double* value = map.values.data();
  for (int y = 0; y < map.height; ++y)
    for (int x = 0; x < map.width; ++x)
      block += fmt::format("{:.6g}{}", *value++, x + 1 < map.width ? ' ' : '\n');
  return block + "TESSERA_END\n";
}

// Lines of position, value and error, from `first` on in steps.
std::string curve_block(const PlottedCurve& curve, const std::string& name, std::size_t first,
                        std::size_t step) {
  std::string block = fmt::format("${} << TESSERA_END\n", name);
  for (std::size_t i = first; i < curve.values.size(); i += step)
    block += fmt::format("{} {:.8g} {:.8g}\n", i, curve.values[i],
                         std::isfinite(curve.errors[i]) ? curve.errors[i] : 0);
  return block + "TESSERA_END\n";
}

std::string heat_map(const PlottedMap& map, const std::string& what, std::size_t index) {
  return fmt::format(
      "set title {}\nset xlabel 'dx (pixels)'\nset ylabel 'dy (pixels)'\nset cblabel {}\n"
      "set size ratio -1\nset bmargin -1\nset xrange [{}:{}]\nset yrange [{}:{}]\nunset key\nunset "
      "grid\n"
      "set xtics {}\nplot $map{} matrix using ($1+{}):($2+{}):3 with image\n",
      gnuplot_quoted(map.name), gnuplot_quoted(what), map.first_x - 0.5,
      map.first_x + map.width - 0.5, map.first_y + map.height - 0.5, map.first_y - 0.5,
      map.width > 300 ? "100" : "autofreq", index, map.first_x, map.first_y);
}

std::string curves(const PlottedMap& map, const std::string& what, std::size_t index) {
  std::string text = fmt::format(
      "set title {}\nset xlabel 'shift (pixels)'\nset ylabel {}\nset size noratio\n"
      "set autoscale x\nset autoscale y\nset xtics autofreq\nset bmargin 7\n"
      "set key outside bottom center horizontal\nset grid\nplot ",
      gnuplot_quoted(map.name + ", mean and standard error"), gnuplot_quoted(what));
  for (std::size_t k = 0; k < map.curves.size(); ++k) {
    const char* const colour = kLineColours[k % std::size(kLineColours)];
    text += fmt::format(
        "{}$line{}_{} using 1:2 with lines linewidth 2 linecolor rgb '{}' title {}, "
        "$bars{}_{} using 1:($2-$3):(0):(2*$3) with vectors heads size screen 0.003,90 "
        "linecolor rgb '{}' notitle",
        k > 0 ? ", " : "", index, k, colour, gnuplot_quoted(map.curves[k].name), index, k, colour);
  }
  return text + "\n";
}

std::string numbers_of(const std::vector<PlottedMap>& maps) {
  std::string text = "map\tprofile\tshift\tmean\tstandard_error\n";
  for (const PlottedMap& map : maps)
    for (const PlottedCurve& curve : map.curves)
      for (std::size_t i = 0; i < curve.values.size(); ++i)
        text += fmt::format("{}\t{}\t{}\t{}\t{}\n", map.name, curve.name, i, curve.values[i],
                            curve.errors[i]);
  return text;
}

}  // namespace

Plot plot_maps(const std::string& title, const std::string& what,
               const std::vector<PlottedMap>& maps, PictureFormat format) {
  const int rows = static_cast<int>(std::max<std::size_t>(maps.size(), 1));
  std::string script = gnuplot_terminal(format, kMapWidth, kRowHeight * rows + 30) +
                       "\nset encoding utf8\nset tics out nomirror\n" + kPalette;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    script += map_block(maps[i], i);
    for (std::size_t k = 0; k < maps[i].curves.size(); ++k) {
      const PlottedCurve& curve = maps[i].curves[k];
      const std::size_t step = std::max<std::size_t>(1, curve.values.size() / kMostBars);
      const std::size_t first = k * step / maps[i].curves.size();  // bars next to each other
      script += curve_block(curve, fmt::format("line{}_{}", i, k), 0, 1) +
                curve_block(curve, fmt::format("bars{}_{}", i, k), first, step);
    }
  }
  script += fmt::format("set multiplot layout {},2 title {}\n", rows, gnuplot_quoted(title));
  for (std::size_t i = 0; i < maps.size(); ++i)
    script += heat_map(maps[i], what, i) + curves(maps[i], what, i);
  return {script + "unset multiplot\n", numbers_of(maps)};
}

}  // namespace tessera
