// SPDX-License-Identifier: Apache-2.0
#include "report/cells_plot.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/gnuplot.hpp"

namespace tessera {
namespace {

constexpr int kWidth = 720, kHeight = 440;

std::string cells_beginning(const std::string& title, PictureFormat format) {
  return fmt::format(
      "{}\nset encoding utf8\nset title {}\nset tics out nomirror\nset border 3\nunset key\n",
      gnuplot_terminal(format, kWidth, kHeight), gnuplot_quoted(title));
}

std::string numbers_of(const std::string& unit, const std::vector<PlottedSpeeds>& bins) {
  std::string text = fmt::format("from ({0})\tto ({0})\ttracks\tspots\n", unit);
  for (const PlottedSpeeds& bin : bins)
    text += fmt::format("{:.6g}\t{:.6g}\t{}\t{}\n", bin.from, bin.to, bin.tracks, bin.spots);
  return text;
}

// Centre, half width smaller than the bin's so that bars do not touch, count.
std::string bars(const std::vector<PlottedSpeeds>& bins) {
  std::string block = "$bars << TESSERA_END\n";
  for (const PlottedSpeeds& bin : bins)
    block +=
        fmt::format("{} {} {}\n", (bin.from + bin.to) / 2, 0.92 * (bin.to - bin.from), bin.tracks);
  return block + "TESSERA_END\n";
}

std::string mark(const std::optional<double>& median, const std::string& unit) {
  if (!median) return "";
  return fmt::format(
      "set arrow from {0}, graph 0 to {0}, graph 1 nohead dashtype 2 linewidth 1.5 linecolor rgb "
      "'#333333' front\nset label {1} at {0}, graph 0.97 offset character 0.6, 0 front\n",
      *median, gnuplot_quoted(fmt::format("median {:.3g} {}", *median, unit)));
}

}  // namespace

Plot plot_speeds(const std::string& title, const std::string& unit,
                 const std::vector<PlottedSpeeds>& bins, std::optional<double> median,
                 PictureFormat format) {
  const std::string numbers = numbers_of(unit, bins);
  // gnuplot fails on a block without lines; an empty picture says so.
  if (bins.empty())
    return {cells_beginning(title, format) +
                "unset tics\nunset border\nset label 'no track has a speed' at screen 0.5,0.5 "
                "center\nplot [0:1][0:1] NaN\n",
            numbers};
  int most = 1;
  for (const PlottedSpeeds& bin : bins) most = std::max(most, bin.tracks);
  const std::string axes = fmt::format(
      "set xlabel {}\nset ylabel 'tracks'\nset xrange [{}:{}]\nset yrange [0:{}]\n"
      "set grid ytics linecolor rgb '#dddddd'\nset style fill solid noborder\n",
      gnuplot_quoted(fmt::format("mean speed ({})", unit)), bins.front().from, bins.back().to,
      1.15 * most);
  return {cells_beginning(title, format) + axes + mark(median, unit) + bars(bins) +
              "plot $bars using 1:3:2 with boxes linecolor rgb '#31688e'\n",
          numbers};
}

}  // namespace tessera
