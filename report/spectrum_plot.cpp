// SPDX-License-Identifier: Apache-2.0
#include "report/spectrum_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/gnuplot.hpp"

namespace tessera {
namespace {

constexpr int kBankWidth = 960, kBankHeight = 720;
constexpr double kLowestDecibels = -160;

std::string decibels(double power) {
  if (!(power >= 0)) return gnuplot_number(std::nan(""));
  return gnuplot_number(std::max(kLowestDecibels, 10 * std::log10(power)));
}

std::string bank_numbers(const PlottedBank& bank) {
  std::string text = "what\tx\tvalue\n";
  for (std::size_t i = 0; i < bank.offset.size(); ++i)
    text += fmt::format("response\t{}\t{}\n", gnuplot_number(bank.offset[i]),
                        gnuplot_number(bank.response[i]));
  for (const PlottedPower& spectrum : bank.spectra)
    for (std::size_t c = 0; c < spectrum.power.size(); ++c)
      text += fmt::format("{}\t{:.12g}\t{}\n", spectrum.name, bank.frequency[c],
                          gnuplot_number(spectrum.power[c]));
  return text;
}

std::string bank_blocks(const PlottedBank& bank) {
  std::string text = "$response << TESSERA_END\n";
  for (std::size_t i = 0; i < bank.offset.size(); ++i)
    text += gnuplot_number(bank.offset[i]) + " " + decibels(bank.response[i]) + "\n";
  text += "TESSERA_END\n";
  for (std::size_t s = 0; s < bank.spectra.size(); ++s) {
    text += fmt::format("$spectrum{} << TESSERA_END\n", s);
    for (std::size_t c = 0; c < bank.spectra[s].power.size(); ++c)
      text += fmt::format("{:.12g} {}\n", bank.frequency[c], decibels(bank.spectra[s].power[c]));
    text += "TESSERA_END\n";
  }
  return text;
}

}  // namespace

Plot plot_bank(const std::string& title, const PlottedBank& bank, PictureFormat format) {
  std::string script = gnuplot_terminal(format, kBankWidth, kBankHeight) +
                       "\nset encoding utf8\nset datafile missing 'NaN'\nset tics out nomirror\n"
                       "set grid lc rgb '#dddddd'\n" +
                       bank_blocks(bank);
  script += fmt::format(
      "set multiplot layout 2,1 title {}\n"
      "set title 'Response of a channel and its neighbours'\n"
      "set xlabel 'offset of a tone from the middle (channels)'\nset ylabel 'dB'\n"
      "set xrange [{:g}:{:g}]\nset yrange [-120:5]\nunset key\n"
      "plot $response using ($1-1):2 with lines lc rgb '#bbbbbb', "
      "$response using ($1+1):2 with lines lc rgb '#bbbbbb', "
      "$response using 1:2 with lines lw 2 lc rgb '#3b518b'\n",
      gnuplot_quoted(title), bank.offset.front(), bank.offset.back());
  script += fmt::format(
      "set title 'Mean power of the spectra, relative to a square unit'\nset xlabel {}\n"
      "set xrange [*:*]\nset yrange [*:*]\nset key top right\nplot ",
      gnuplot_quoted(bank.frequency_name));
  constexpr const char* kColours[] = {"#3b518b", "#5cc863", "#b5367a", "#e08214"};
  for (std::size_t s = 0; s < bank.spectra.size(); ++s)
    script +=
        fmt::format("{}$spectrum{} using 1:2 with lines lc rgb '{}' title {}", s > 0 ? ", " : "", s,
                    kColours[s % std::size(kColours)], gnuplot_quoted(bank.spectra[s].name));
  return {script + "\nunset multiplot\n", bank_numbers(bank)};
}

}  // namespace tessera
