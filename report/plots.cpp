// SPDX-License-Identifier: Apache-2.0
#include "report/plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "report/gnuplot.hpp"

namespace tessera {
namespace {

std::string beginning(const std::string& title, PictureFormat format) {
  const std::string terminal = gnuplot_terminal(format, 800, 640);
  return fmt::format("{}\nset encoding utf8\nset title {}\nset tics out nomirror\n{}", terminal,
                     gnuplot_quoted(title), kPalette);
}

// The grid's own sides: gnuplot's `with image` needs every field at even steps, and sizes may be
// missing.
struct Grid {
  std::set<int> widths, heights;
  std::map<std::pair<int, int>, double> values;
  std::set<std::pair<int, int>> interpolated;
};

Grid grid_of(const std::vector<FilterFigure>& figures) {
  Grid grid;
  for (const FilterFigure& figure : figures) {
    grid.widths.insert(figure.width);
    grid.heights.insert(figure.height);
    grid.values[{figure.width, figure.height}] = figure.value;
    if (!figure.measured) grid.interpolated.insert({figure.width, figure.height});
  }
  return grid;
}

// Half the smallest step: fields touch if sizes are complete, and do not overlap elsewhere.
double half_step(const std::set<int>& sides) {
  int step = 0, last = 0;
  for (const int side : sides) {
    if (last > 0 && (step == 0 || side - last < step)) step = side - last;
    last = side;
  }
  return step == 0 ? 0.5 : step / 2.0;
}

std::string axes(const Grid& grid) {
  if (grid.widths.empty()) return "";
  const double x = half_step(grid.widths), y = half_step(grid.heights);
  return fmt::format(
      "set xlabel 'filter width (pixels)'\nset ylabel 'filter height (pixels)'\n"
      "set xrange [{}:{}]\nset yrange [{}:{}]\nset size square\nunset key\n",
      *grid.widths.begin() - x, *grid.widths.rbegin() + x, *grid.heights.begin() - y,
      *grid.heights.rbegin() + y);
}

// x, y, the field's four sides, value: for `with boxxyerror`.
std::string block_of(const char* name, const Grid& grid, bool all) {
  const double x = half_step(grid.widths), y = half_step(grid.heights);
  std::string block = fmt::format("{} << TESSERA_END\n", name);
  for (const auto& [size, value] : grid.values)
    if (all || grid.interpolated.contains(size))
      block += fmt::format("{} {} {} {} {} {} {}\n", size.first, size.second, size.first - x,
                           size.first + x, size.second - y, size.second + y, value);
  return block + "TESSERA_END\n";
}

std::string fields_block(const Grid& grid) {
  std::string block = block_of("$fields", grid, true);
  if (!grid.interpolated.empty())
    block += block_of("$interpolated", grid, false) +
             "set xlabel 'filter width (pixels); hatched: interpolated, not measured'\n";
  return block;
}

std::string draw_fields(const Grid& grid) {
  std::string text =
      "$fields using 1:2:3:4:5:6:7 with boxxyerror fillstyle solid noborder linecolor palette";
  if (!grid.interpolated.empty())
    text +=
        ", $interpolated using 1:2:3:4:5:6 with boxxyerror fillstyle transparent pattern 4 "
        "noborder linecolor rgb '#ffffff'";
  return text;
}

std::string numbers_of(const char* name, const Grid& grid) {
  std::string text = fmt::format("filter_width\tfilter_height\t{}\tmeasured\n", name);
  for (const auto& [size, value] : grid.values)
    text += fmt::format("{}\t{}\t{}\t{}\n", size.first, size.second, value,
                        grid.interpolated.contains(size) ? "no" : "yes");
  return text;
}

// Sides of fields that lie on both sides of 1: the contour follows the fields, so that it is right
// for any set of sizes, and gnuplot interpolates nothing.
std::string contour_block(const Grid& grid) {
  const double x = half_step(grid.widths), y = half_step(grid.heights);
  std::string block = "$contour << TESSERA_END\n";
  for (const auto& [size, value] : grid.values) {
    const bool slower = value < 1;
    const auto crosses = [&, slower](int width, int height) {
      const auto other = grid.values.find({width, height});
      return other != grid.values.end() && (other->second < 1) != slower;
    };
    const double right = size.first + x, above = size.second + y;
    if (crosses(size.first + static_cast<int>(2 * x), size.second))
      block += fmt::format("{} {} 0 {}\n", right, size.second - y, 2 * y);
    if (crosses(size.first, size.second + static_cast<int>(2 * y)))
      block += fmt::format("{} {} {} 0\n", size.first - x, above, 2 * x);
  }
  return block + "TESSERA_END\n";
}

bool has_lines(const std::string& block) {
  return std::count(block.begin(), block.end(), '\n') > 2;
}

// gnuplot fails on a block without lines; an empty picture says so.
std::string nothing_drawn() {
  return "unset tics\nunset border\nunset key\nset label 'no figures' at screen 0.5,0.5 center\n"
         "plot [0:1][0:1] NaN\n";
}

}  // namespace

Plot plot_speed(const std::string& title, const std::vector<FilterFigure>& gflops,
                PictureFormat format) {
  const Grid grid = grid_of(gflops);
  const std::string numbers = numbers_of("gflops", grid);
  if (gflops.empty()) return {beginning(title, format) + nothing_drawn(), numbers};
  return {beginning(title, format) + axes(grid) + "set cblabel 'GFLOP/s'\n" + fields_block(grid) +
              "plot " + draw_fields(grid) + "\n",
          numbers};
}

Plot plot_tiles(const std::string& title, const std::vector<FilterFigure>& tiles,
                PictureFormat format) {
  const Grid grid = grid_of(tiles);
  const std::string numbers = numbers_of("tiles", grid);
  if (tiles.empty()) return {beginning(title, format) + nothing_drawn(), numbers};
  const auto [least, most] = std::minmax_element(
      tiles.begin(), tiles.end(), [](auto& a, auto& b) { return a.value < b.value; });
  // One colour per number, its name in the middle; dark fields get light letters.
  const double first = least->value - 0.5, last = most->value + 0.5;
  return {beginning(title, format) + axes(grid) +
              fmt::format("set cblabel 'tile factor'\nset cbtics 1\nset cbrange [{}:{}]\n"
                          "set palette maxcolors {}\n",
                          first, last, std::max(1, static_cast<int>(last - first))) +
              fields_block(grid) +
              fmt::format("plot {}, $fields using 1:2:(sprintf('%d', $7)):"
                          "($7 > {} ? 0x000000 : 0xffffff) with labels font ',8' "
                          "textcolor rgb variable\n",
                          draw_fields(grid), (first + last) / 2),
          numbers};
}

Plot plot_over_fft(const std::string& title, const std::vector<FilterFigure>& times,
                   PictureFormat format) {
  const Grid grid = grid_of(times);
  const std::string numbers = numbers_of("times_as_fast_as_fft", grid),
                    contour = contour_block(grid);
  if (times.empty()) return {beginning(title, format) + nothing_drawn(), numbers};
  std::string script = beginning(title, format) + axes(grid) +
                       "set cblabel 'times as fast as FFT; the line is 1.0'\nset logscale cb\n" +
                       fields_block(grid);
  if (has_lines(contour)) script += contour;
  script += "plot " + draw_fields(grid);
  if (has_lines(contour))
    script +=
        ", $contour using 1:2:3:4 with vectors nohead linewidth 5 linecolor rgb '#000000'"
        ", $contour using 1:2:3:4 with vectors nohead linewidth 2 linecolor rgb '#ffffff'";
  return {script + "\n", numbers};
}

Plot plot_shares(const std::string& title, const std::string& what,
                 const std::vector<NamedShare>& shares, PictureFormat format) {
  std::vector<NamedShare> sorted = shares;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  std::string numbers = what + "\tshare\n", block = "$bars << TESSERA_END\n";
  int place = 0;
  for (const NamedShare& one : sorted) {
    numbers += fmt::format("{}\t{}\n", one.name, one.share);
    std::string name = one.name;
    std::replace(name.begin(), name.end(), '"', '\'');
    block += fmt::format("{} \"{}\" {}\n", place++, name, 100 * one.share);
  }
  if (sorted.empty()) return {beginning(title, format) + nothing_drawn(), numbers};
  return {beginning(title, format) +
              fmt::format("set xlabel {}\nset ylabel 'share of filter sizes (%)'\n"
                          "set yrange [0:{}]\nset xrange [-0.6:{}]\nset xtics rotate by -45\n"
                          "set boxwidth 0.8\nset grid ytics\nunset key\n",
                          gnuplot_quoted(what), std::max(112 * sorted.front().share, 1.0),
                          static_cast<double>(sorted.size()) - 0.4) +
              block + "TESSERA_END\n" +
              "plot $bars using 1:3:xticlabels(2) with boxes fillstyle solid linecolor rgb "
              "'#2c718e', $bars using 1:3:(sprintf('%.1f', $3)) with labels offset 0,0.6\n",
          numbers};
}

}  // namespace tessera
