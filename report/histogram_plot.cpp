// SPDX-License-Identifier: Apache-2.0
#include "report/histogram_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "report/gnuplot.hpp"

namespace tessera {
namespace {

constexpr int kHistogramWidth = 900, kHistogramHeight = 380;
constexpr std::size_t kMostBins = 256;

// Counts of consecutive groups of `values` values.
std::vector<std::uint64_t> in_bins(const std::vector<std::uint64_t>& counts, std::size_t values) {
  std::vector<std::uint64_t> bins;
  for (std::size_t first = 0; first < counts.size(); first += values)
    bins.push_back(
        std::accumulate(counts.begin() + static_cast<long>(first),
                        counts.begin() + static_cast<long>(std::min(first + values, counts.size())),
                        std::uint64_t{0}));
  return bins;
}

struct Binned {
  std::size_t values;  // in a bin
  std::vector<std::uint64_t> before, after;
};

Binned binned(const PlottedHistogram& histogram) {
  const std::size_t values = std::max<std::size_t>(1, histogram.before.size() / kMostBins);
  return {values, in_bins(histogram.before, values), in_bins(histogram.after, values)};
}

std::string data_block(const Binned& bins, std::size_t index) {
  std::string block = fmt::format("$counts{} << TESSERA_END\n", index);
  for (std::size_t i = 0; i < bins.before.size(); ++i)
    block += fmt::format("{} {} {}\n", i * bins.values, bins.before[i],
                         i < bins.after.size() ? bins.after[i] : 0);
  return block + "TESSERA_END\n";
}

std::string mark(const char* what, const std::optional<int>& value, int tag) {
  if (!value) return "";
  return fmt::format(
      "set arrow {0} from {1}, graph 0 to {1}, graph 1 nohead dashtype 2 linewidth 1.5 linecolor "
      "rgb '#333333' front\n"
      "set label {0} '{2} {1}' at {1}, graph 0.96 offset character {3}, 0 {4} front\n",
      tag, *value, what, tag == 1 ? "0.6" : "-0.6", tag == 1 ? "left" : "right");
}

// Slightly above the largest count, for the names of low and high.
double top(const Binned& bins) {
  std::uint64_t most = 1;
  for (const auto* counts : {&bins.before, &bins.after})
    for (const std::uint64_t count : *counts) most = std::max(most, count);
  return 1.25 * static_cast<double>(most);
}

std::string panel(const PlottedHistogram& histogram, const Binned& bins, std::size_t index) {
  const std::string title = histogram.name.empty()
                                ? "unset title\n"
                                : fmt::format("set title {}\n", gnuplot_quoted(histogram.name));
  const std::string unit = bins.values > 1 ? fmt::format("pixels ({} values per bin)", bins.values)
                                           : "pixels with this value";
  std::string text = fmt::format(
      "unset arrow\nunset label\n{}set xlabel 'value'\nset ylabel {}\nset xrange [0:{}]\n"
      "set yrange [0:{}]\n{}{}plot $counts{} using 1:2 with steps linewidth 2 linecolor rgb "
      "'#31688e' title 'before'",
      title, gnuplot_quoted(unit), std::max<std::size_t>(1, histogram.before.size() - 1), top(bins),
      mark("low", histogram.low, 1), mark("high", histogram.high, 2), index);
  if (!bins.after.empty())
    text += fmt::format(
        ", $counts{} using 1:3 with steps linewidth 2 linecolor rgb '#d95f02' title 'after'",
        index);
  return text + "\n";
}

std::string numbers_of(const std::vector<PlottedHistogram>& histograms) {
  std::string text = "histogram\tvalue\tbefore\tafter\n";
  for (const PlottedHistogram& one : histograms)
    for (std::size_t v = 0; v < one.before.size(); ++v)
      text += fmt::format("{}\t{}\t{}\t{}\n", one.name, v, one.before[v],
                          v < one.after.size() ? std::to_string(one.after[v]) : "");
  return text;
}

}  // namespace

Plot plot_histograms(const std::string& title, const std::vector<PlottedHistogram>& histograms,
                     PictureFormat format) {
  const int panels = static_cast<int>(std::max<std::size_t>(1, histograms.size()));
  std::string script =
      gnuplot_terminal(format, kHistogramWidth, kHistogramHeight * panels + 40) +
      "\nset encoding utf8\nset tics out nomirror\nset grid\n"
      "set key outside bottom center horizontal\nset bmargin 6\nset format y '%.0f'\n"
      "set nonlinear y via sqrt(y) inverse y*y\n";
  std::string panels_text;
  for (std::size_t i = 0; i < histograms.size(); ++i) {
    const Binned bins = binned(histograms[i]);
    script += data_block(bins, i);
    panels_text += panel(histograms[i], bins, i);
  }
  script += fmt::format("set multiplot layout {},1 title {}\n", panels, gnuplot_quoted(title));
  return {script + panels_text + "unset multiplot\n", numbers_of(histograms)};
}

}  // namespace tessera
