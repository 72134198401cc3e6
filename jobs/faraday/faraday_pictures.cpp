// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_pictures.hpp"

#include <fmt/format.h>

#include "core/counted.hpp"
#include "io/output.hpp"
#include "jobs/faraday/faraday_planes.hpp"
#include "jobs/picture.hpp"
#include "report/faraday_plot.hpp"
#include "tessera/error.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

/// Replaces Q and U by those whose sum with the weights of channels has the weights of voxels.
void weigh_row(const FaradayVoxelInput& input, const FaradayAxes& axes, Image& both) {
  const int channels = axes.channels();
  const FaradayVoxels voxels = input.voxels(both.view());
  const FaradayBands plan(voxels.q.info(), axes, {.backend = Backend::cpu});
  plan.weigh(voxels, planes_of(both.view(), 0, channels),
             planes_of(both.view(), channels, channels));
}

/// The spectrum of one pixel's Q and U, by the definition.
std::vector<std::complex<double>> spectrum_at(FaradayVoxelInput& input, const FaradayAxes& axes,
                                              Point pixel) {
  ImageInfo row = input.info();
  row.size.height = 1;
  Image both(row);
  input.read({pixel.y, pixel.y + 1}, both.view());
  if (input.has_weights()) weigh_row(input, axes, both);
  const int channels = axes.channels(), depths = axes.depths();
  const ImageInfo one{{1, 1, 1, channels}, Type::f64, kHost};
  Image q(one), u(one), real({1, 1, 1, depths}, Type::f64), imaginary(real.info());
  for (int k = 0; k < channels; ++k) {
    q.as<double>().at(0, 0, 0, k) = both.as<float>().at(pixel.x, 0, 0, k);
    u.as<double>().at(0, 0, 0, k) = both.as<float>().at(pixel.x, 0, 0, channels + k);
  }
  FaradayOptions options;
  options.backend = Backend::cpu;
  options.method = "reference";
  FaradaySynth(one, axes, options)(q.view(), u.view(), real.view(), imaginary.view());
  std::vector<std::complex<double>> spectrum;
  for (int p = 0; p < depths; ++p)
    spectrum.emplace_back(real.as<double>().at(0, 0, 0, p), imaginary.as<double>().at(0, 0, 0, p));
  return spectrum;
}

void keep(const Picture& picture, FaradaySynthResult& result) {
  if (!picture.note.empty()) result.notes.push_back(picture.note);
  if (!picture.path.empty()) result.files.push_back(picture.path);
  result.files.push_back(picture.numbers);
}

PlottedSpectrum plotted_at(FaradayVoxelInput& input, const FaradayAxes& axes, Point pixel) {
  PlottedSpectrum plotted;
  plotted.phi = axes.phi;
  plotted.dirty = spectrum_at(input, axes, pixel);
  plotted.unit = input.cubes().q().header().text("BUNIT");
  return plotted;
}

void draw_spectrum(const FaradaySynthJob& job, const PlottedSpectrum& plotted, Point pixel,
                   FaradaySynthResult& result) {
  const std::string& path = job.choices.picture;
  const Plot plot = plot_spectrum(fmt::format("{}, pixel {}, {}", job.files.q, pixel.x, pixel.y),
                                  plotted, picture_format(path));
  const Picture picture = draw_picture(plot, path, job.writing.force);
  result.picture = picture.path;
  keep(picture, result);
}

}  // namespace

void check_plots(const FaradaySynthJob& job) {
  const FaradaySynthChoices& choices = job.choices;
  check_pictures({choices.picture, choices.picture_rmsf}, job.writing.force);
  if (choices.no_rmsf && !choices.picture_rmsf.empty())
    throw Error(ErrorKind::usage, fmt::format("faraday: {} should show the RMSF, but none is made; "
                                              "leave out --no-rmsf or --picture-rmsf",
                                              choices.picture_rmsf));
}

void check_picture_pixel(const FaradaySynthJob& job, const Size& size) {
  if (!job.choices.picture_pixel) return;
  const Point pixel = *job.choices.picture_pixel;
  if (pixel.x < 0 || pixel.y < 0 || pixel.x >= size.width || pixel.y >= size.height)
    throw Error(
        ErrorKind::usage,
        fmt::format("faraday: the pixel of the picture is {},{}; the image is {}x{}, counted from "
                    "0",
                    pixel.x, pixel.y, size.width, size.height));
}

void draw_pictures(const FaradaySynthJob& job, FaradayVoxelInput& input, const FaradayAxes& axes,
                   const FaradaySeen& seen, const FaradayRmsf* rmsf, FaradaySynthResult& result) {
  const FaradaySynthChoices& choices = job.choices;
  const Point pixel = choices.picture_pixel.value_or(seen.brightest);
  if (!choices.picture.empty() && pixel.x >= 0)
    draw_spectrum(job, plotted_at(input, axes, pixel), pixel, result);
  else if (!choices.picture.empty())
    result.notes.push_back(
        fmt::format("no pixel has a spectrum: {} is not drawn", choices.picture));
  if (!choices.picture_rmsf.empty() && rmsf)
    keep(draw_picture(
             plot_rmsf(fmt::format("RMSF of {}", counted(axes.channels(), "channel")), rmsf->phi,
                       rmsf->value, rmsf->fwhm, picture_format(choices.picture_rmsf)),
             choices.picture_rmsf, job.writing.force),
         result);
}

std::string write_rmsf_text(const FaradaySynthJob& job, const FaradayRmsf& rmsf) {
  std::string text;
  for (std::size_t p = 0; p < rmsf.phi.size(); ++p)
    text += fmt::format("{} {} {}\n", rmsf.phi[p], rmsf.value[p].real(), rmsf.value[p].imag());
  const std::string path = job.output + "rmsf.txt";
  write_text(path, text, job.writing.force);
  return path;
}

}  // namespace tessera
