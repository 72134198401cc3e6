// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/spectrum_job.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <type_traits>

#include "core/folder.hpp"
#include "io/output.hpp"
#include "io/output_set.hpp"
#include "io/temporary.hpp"
#include "jobs/faraday/faraday_lists.hpp"
#include "jobs/picture.hpp"
#include "report/faraday_plot.hpp"
#include "report/json.hpp"

namespace tessera {
namespace {

using Values = std::vector<std::complex<double>>;

/// "key=value" lines, as Python prints the values.
template <class Measured>
std::string key_lines(const Measured& measured) {
  std::string text;
  for_each_option(measured, [&](const char* name, const auto& value, const Help&) {
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>)
      text += fmt::format("{}={}\n", name, python_number(value));
    else
      text += fmt::format("{}={}\n", name, value);
  });
  return text;
}

std::string depth_lines(const std::vector<double>& phi, const Values& values) {
  std::string text;
  for (std::size_t p = 0; p < phi.size(); ++p)
    text += fmt::format("{:.18e} {:.18e} {:.18e}\n", phi[p], values[p].real(), values[p].imag());
  return text;
}

std::string weight_lines(const FaradayAxes& axes) {
  std::string text;
  for (std::size_t k = 0; k < axes.weight.size(); ++k)
    text += fmt::format("{:.18e} {:.18e}\n", axes.frequency[k], axes.weight[k]);
  return text;
}

struct TextFile {
  std::string path, text;
};

std::vector<TextFile> text_files(const std::string& prefix, const SpectrumAnalysis& made,
                                 const FaradaySpectrumResult& result) {
  std::vector<TextFile> files{{prefix + "_FDFdirty.dat", depth_lines(made.axes.phi, made.dirty)},
                              {prefix + "_RMSF.dat", depth_lines(made.rmsf.phi, made.rmsf.value)},
                              {prefix + "_weight.dat", weight_lines(made.axes)},
                              {prefix + "_RMsynth.dat", key_lines(result.synth)},
                              {prefix + "_RMsynth.json", json_text(result.synth) + "\n"}};
  if (!made.cleaned) return files;
  files.push_back({prefix + "_FDFclean.dat", depth_lines(made.axes.phi, made.cleaned->value)});
  files.push_back({prefix + "_FDFmodel.dat", depth_lines(made.axes.phi, made.cleaned->components)});
  files.push_back({prefix + "_RMclean.dat", key_lines(*result.clean)});
  files.push_back({prefix + "_RMclean.json", json_text(*result.clean) + "\n"});
  return files;
}

/// Checked before anything is written: all files or none.
void check_absent(const std::vector<TextFile>& files) {
  for (const TextFile& file : files)
    if (path_exists(file.path)) throw exists_error(file.path);
}

PlottedSpectrum plotted(const SpectrumAnalysis& made, const std::string& unit) {
  PlottedSpectrum spectrum{.phi = made.axes.phi, .dirty = made.dirty, .unit = unit};
  spectrum.rm = made.cleaned ? made.cleaned->peak.rm : made.peak.rm;
  if (!made.cleaned) return spectrum;
  spectrum.clean = made.cleaned->value;
  spectrum.components = made.cleaned->components;
  spectrum.cutoff = made.cleaned->cutoff;
  return spectrum;
}

void note_picture(const Picture& picture, FaradaySpectrumResult& result) {
  if (!picture.path.empty()) result.files.push_back(picture.path);
  result.files.push_back(picture.numbers);
  if (!picture.note.empty()) result.notes.push_back(picture.note);
}

void draw(const FaradaySpectrumJob& job, const SpectrumAnalysis& made,
          FaradaySpectrumResult& result) {
  const std::string name = std::filesystem::path(job.input).filename().string();
  const SpectrumOutputs& to = job.outputs;
  if (!to.picture.empty())
    note_picture(draw_picture(plot_spectrum(name + ": Faraday spectrum", plotted(made, to.unit),
                                            picture_format(to.picture)),
                              to.picture, to.force),
                 result);
  if (!to.picture_rmsf.empty())
    note_picture(draw_picture(plot_rmsf(name + ": RMSF", made.rmsf.phi, made.rmsf.value,
                                        made.rmsf.fwhm, picture_format(to.picture_rmsf)),
                              to.picture_rmsf, to.force),
                 result);
}

}  // namespace

FaradaySpectrumResult FaradaySpectrumJob::run() const {
  check_pictures({outputs.picture, outputs.picture_rmsf}, outputs.force);
  const StokesSpectrum spectrum = read_stokes_spectrum(input);
  const SpectrumAnalysis made = analyse_spectrum(spectrum, options, choices);
  FaradaySpectrumResult result{.input = input,
                               .depths = made.axes.depths(),
                               .phi_min = made.axes.phi.front(),
                               .phi_max = made.axes.phi.back(),
                               .dphi = made.axes.dphi,
                               .max_scale = made.axes.max_scale,
                               .synth = synth_values(made, spectrum, outputs.unit),
                               .notes = made.notes};
  if (const std::string twice = duplicates_in(spectrum.frequency); !twice.empty())
    result.notes.push_back(twice);
  if (made.cleaned) result.clean = clean_values(made);
  const std::string prefix =
      output.empty() ? std::filesystem::path(input).replace_extension().string() : output;
  const std::vector<TextFile> files = text_files(prefix, made, result);
  if (!outputs.force) check_absent(files);
  OutputSet together;
  for (const TextFile& file : files) {
    write_text(file.path, file.text, outputs.force);
    result.files.push_back(file.path);
  }
  together.place();
  draw(*this, made, result);
  return result;
}

}  // namespace tessera
