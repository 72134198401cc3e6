// SPDX-License-Identifier: Apache-2.0
#include "report/visibility_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "report/gnuplot.hpp"

namespace tessera {
namespace {

constexpr int kVisibilityWidth = 1100, kMatrixHeight = 520, kCurveHeight = 300;
constexpr const char* kColours[] = {"#440154", "#31688e", "#35b779", "#d95f02"};
/// Phase is cyclic: so is its palette.
constexpr const char* kRoundPalette =
    "set palette defined (0 '#2f1436', 1 '#6276ba', 2 '#e2d9e2', 3 '#b25652', 4 '#2f1436')\n";

using Value = std::complex<double>;

double degrees(Value value) { return std::arg(value) * 180 / std::numbers::pi; }
template <class Of>
std::string matrix_block(const char* name, const PlottedVisibilities& v, Of of) {
  std::string block = fmt::format("${} << TESSERA_END\n", name);
  const Value* value = v.matrix.data();
  for (int i = 0; i < v.inputs; ++i)
    for (int j = 0; j < v.inputs; ++j)
      block += gnuplot_number(of(*value++)) + (j + 1 < v.inputs ? ' ' : '\n');
  return block + "TESSERA_END\n";
}

/// Position, amplitude, phase.
std::string curve_block(const std::string& name, const std::vector<double>& places,
                        const std::vector<Value>& values) {
  std::string block = fmt::format("${} << TESSERA_END\n", name);
  for (std::size_t k = 0; k < values.size(); ++k)
    block += fmt::format("{} {} {}\n", places[k], gnuplot_number(std::abs(values[k])),
                         gnuplot_number(degrees(values[k])));
  return block + "TESSERA_END\n";
}

std::string matrix_panel(const char* block, const std::string& title, const char* range, int n) {
  return fmt::format(
      "set title {}\nset xlabel 'input j'\nset ylabel 'input i'\nset cbrange {}\nset size ratio 1\n"
      "set xrange [-0.5:{}]\nset yrange [{}:-0.5]\nunset key\nunset grid\nset xtics autofreq\n"
      "set ytics autofreq\nplot ${} matrix with image\n",
      gnuplot_quoted(title), range, n - 0.5, n - 0.5, block);
}

std::string curve_panel(const PlottedVisibilities& v, const char* blocks, const std::string& x_name,
                        bool phase) {
  std::string text = fmt::format(
      "unset title\nset xlabel {}\nset ylabel '{}'\nset size noratio\nset autoscale x\n{}\n"
      "set key outside top center horizontal\nset grid\nplot ",
      gnuplot_quoted(x_name), phase ? "phase (degrees)" : "|correlation|",
      phase ? "set yrange [-180:180]\nset ytics 90" : "set yrange [0:*]\nset ytics autofreq");
  for (std::size_t k = 0; k < v.fringes.size(); ++k)
    text += fmt::format("{}${}{} using 1:{} with {} linecolor rgb '{}' title {}", k > 0 ? ", " : "",
                        blocks, k, phase ? 3 : 2,
                        phase ? "points pointtype 7 pointsize 0.4" : "lines linewidth 2",
                        kColours[k % std::size(kColours)], gnuplot_quoted(v.fringes[k].name));
  return text + "\n";
}

std::string numbers_of(const PlottedVisibilities& v) {
  std::string text = "what\tname\tplace\tamplitude\tphase_degrees\n";
  const auto add = [&](const char* what, const std::string& name, double place, Value value) {
    text += fmt::format("{}\t{}\t{}\t{}\t{}\n", what, name, place, gnuplot_number(std::abs(value)),
                        gnuplot_number(degrees(value)));
  };
  for (int i = 0; i < v.inputs; ++i)
    for (int j = 0; j <= i; ++j)
      add("matrix", fmt::format("{}", i), j,
          v.matrix[static_cast<std::size_t>(i) * static_cast<std::size_t>(v.inputs) +
                   static_cast<std::size_t>(j)]);
  for (const PlottedFringe& fringe : v.fringes) {
    for (std::size_t k = 0; k < fringe.over_frequency.size(); ++k)
      add("frequency", fringe.name, v.frequency[k], fringe.over_frequency[k]);
    for (std::size_t k = 0; k < fringe.over_time.size(); ++k)
      add("time", fringe.name, v.time[k], fringe.over_time[k]);
  }
  return text;
}

}  // namespace

Plot plot_visibilities(const std::string& title, const PlottedVisibilities& v,
                       PictureFormat format) {
  const bool over_time = v.time.size() > 1;
  const int rows = over_time ? 3 : 2;
  std::string script =
      gnuplot_terminal(format, kVisibilityWidth, kMatrixHeight + (rows - 1) * kCurveHeight) +
      "\nset encoding utf8\nset datafile missing 'NaN'\nset tics out nomirror\n";
  script += matrix_block("amplitude", v, [](Value value) { return std::abs(value); }) +
            matrix_block("phase", v, degrees);
  for (std::size_t k = 0; k < v.fringes.size(); ++k) {
    script += curve_block(fmt::format("band{}", k), v.frequency, v.fringes[k].over_frequency);
    if (over_time) script += curve_block(fmt::format("time{}", k), v.time, v.fringes[k].over_time);
  }
  script += fmt::format("set multiplot layout {},2 title {}\n", rows, gnuplot_quoted(title));
  script += kPalette + matrix_panel("amplitude", "|correlation|, " + v.channel, "[0:1]", v.inputs);
  script += kRoundPalette +
            matrix_panel("phase", "phase (degrees), " + v.channel, "[-180:180]", v.inputs);
  for (const bool phase : {false, true}) script += curve_panel(v, "band", v.frequency_name, phase);
  if (over_time)
    for (const bool phase : {false, true}) script += curve_panel(v, "time", v.time_name, phase);
  return {script + "unset multiplot\n", numbers_of(v)};
}

}  // namespace tessera
