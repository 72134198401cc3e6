// SPDX-License-Identifier: Apache-2.0
#include "report/faraday_plot.hpp"

#include <fmt/format.h>

#include <cmath>

#include "report/gnuplot.hpp"

namespace tessera {
namespace {

constexpr int kSpectrumWidth = 900, kSpectrumHeight = 330;
constexpr const char* kRealColour = "#31688e";
constexpr const char* kImaginaryColour = "#d95f02";
constexpr const char* kDirtyColour = "#8c8c8c";
constexpr const char* kComponentColour = "#21908d";

using Values = std::vector<std::complex<double>>;

/// Gnuplot's notation for a gap.
std::string full_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "NaN";
}

/// phi, |F|, Re, Im.
std::string data_block(const char* name, const std::vector<double>& phi, const Values& values) {
  std::string block = fmt::format("${} << TESSERA_END\n", name);
  for (std::size_t p = 0; p < values.size(); ++p)
    block += fmt::format("{} {} {} {}\n", full_number(phi[p]), full_number(std::abs(values[p])),
                         full_number(values[p].real()), full_number(values[p].imag()));
  return block + "TESSERA_END\n";
}

std::string beginning(const std::string& title, int panels, PictureFormat format) {
  return gnuplot_terminal(format, kSpectrumWidth, kSpectrumHeight * panels + 60) +
         "\nset encoding utf8\nset datafile missing 'NaN'\nset tics out nomirror\nset grid\n"
         "set key outside top right horizontal\nset xlabel 'Faraday depth (rad/m²)'\n" +
         fmt::format("set multiplot layout {},1 title {}\n", panels, gnuplot_quoted(title));
}

/// One depth, or none at all, has no range.
std::string x_range(const std::vector<double>& phi) {
  if (phi.size() < 2 || phi.front() == phi.back()) return "";
  return fmt::format("set xrange [{}:{}]\n", phi.front(), phi.back());
}

std::string line(const char* block, int column, const char* colour, const char* name, int width) {
  return fmt::format("${} using 1:{} with lines linewidth {} linecolor rgb '{}' title '{}'", block,
                     column, width, colour, name);
}

std::string parts(const char* block) {
  return line(block, 3, kRealColour, "real", 1) + ", " +
         line(block, 4, kImaginaryColour, "imaginary", 1);
}

std::string marks(const PlottedSpectrum& spectrum) {
  std::string text;
  if (spectrum.rm && std::isfinite(*spectrum.rm))
    text += fmt::format(
        "set arrow 1 from {0}, graph 0 to {0}, graph 1 nohead dashtype 2 linecolor rgb '#333333'\n"
        "set label 1 '{0:.4f} rad/m²' at {0}, graph 0.93 offset character 0.8, 0 left\n",
        *spectrum.rm);
  if (spectrum.cutoff)
    text += fmt::format(
        "set arrow 2 from graph 0, first {0} to graph 1, first {0} nohead dashtype 3 linecolor rgb "
        "'#b30000'\n",
        *spectrum.cutoff);
  return text;
}

std::string numbers_of(const PlottedSpectrum& s) {
  std::string text = "phi_rad_m2\tdirty_real\tdirty_imaginary";
  if (!s.clean.empty()) text += "\tclean_real\tclean_imaginary";
  if (!s.components.empty()) text += "\tcomponents_real\tcomponents_imaginary";
  text += '\n';
  for (std::size_t p = 0; p < s.phi.size(); ++p) {
    text += fmt::format("{}", s.phi[p]);
    for (const Values* values : {&s.dirty, &s.clean, &s.components})
      if (!values->empty())
        text += fmt::format("\t{}\t{}", (*values)[p].real(), (*values)[p].imag());
    text += '\n';
  }
  return text;
}

}  // namespace

Plot plot_spectrum(const std::string& title, const PlottedSpectrum& spectrum,
                   PictureFormat format) {
  const bool cleaned = !spectrum.clean.empty();
  std::string script = data_block("dirty", spectrum.phi, spectrum.dirty);
  if (cleaned) script += data_block("clean", spectrum.phi, spectrum.clean);
  if (!spectrum.components.empty())
    script += data_block("components", spectrum.phi, spectrum.components);
  script += beginning(title, 2, format) + x_range(spectrum.phi) + marks(spectrum) +
            fmt::format("set ylabel {}\n", gnuplot_quoted("|F| (" + spectrum.unit + "/RMSF)")) +
            "plot " +
            line("dirty", 2, cleaned ? kDirtyColour : "#000000", "dirty", cleaned ? 1 : 2);
  if (cleaned) script += ", " + line("clean", 2, "#000000", "clean", 2);
  if (!spectrum.components.empty())
    script += fmt::format(
        ", $components using 1:($2 > 0 ? $2 : NaN) with impulses linewidth 2 linecolor rgb '{}' "
        "title 'components'",
        kComponentColour);
  script += fmt::format(
      "\nunset arrow\nunset label\nset ylabel {}\nplot {}\nunset multiplot\n",
      gnuplot_quoted(fmt::format("{} F ({}/RMSF)", cleaned ? "clean" : "dirty", spectrum.unit)),
      parts(cleaned ? "clean" : "dirty"));
  return {script, numbers_of(spectrum)};
}

Plot plot_rmsf(const std::string& title, const std::vector<double>& phi, const Values& value,
               double fwhm, PictureFormat format) {
  std::string numbers = "phi_rad_m2\treal\timaginary\n";
  for (std::size_t p = 0; p < value.size(); ++p)
    numbers += fmt::format("{}\t{}\t{}\n", phi[p], value[p].real(), value[p].imag());
  const std::string width = fmt::format(
      "set arrow 1 from {0}, 0.5 to {1}, 0.5 heads linecolor rgb '#333333' front\n"
      "set label 1 '{2:.4g} rad/m²' at {1}, 0.5 offset character 1, 0 left front\n",
      -fwhm / 2, fwhm / 2, fwhm);
  return {data_block("rmsf", phi, value) + beginning(title, 1, format) + x_range(phi) + width +
              "set ylabel 'RMSF'\nset yrange [-1.05:1.05]\nplot " + parts("rmsf") + ", " +
              line("rmsf", 2, "#000000", "|R|", 2) + "\nunset multiplot\n",
          numbers};
}

}  // namespace tessera
