// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_pictures.hpp"

#include <fmt/format.h>

#include "io/output.hpp"
#include "jobs/faraday/faraday_outputs.hpp"
#include "jobs/picture.hpp"
#include "report/faraday_plot.hpp"
#include "tessera/error.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

/// Q and U of one pixel through the definition.
std::vector<std::complex<double>> spectrum_at(FaradayInput& input, const FaradayAxes& axes,
                                              Point pixel) {
  ImageInfo row = input.info();
  row.size.height = 1;
  Image both(row);
  input.read({pixel.y, pixel.y + 1}, both.view());
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

Point pixel_of(const FaradaySynthJob& job, const FaradayInput& input, const FaradaySeen& seen) {
  const Point pixel = job.choices.plot_pixel.value_or(seen.brightest);
  const Size size = input.cube().size;
  if (pixel.x < 0 || pixel.y < 0 || pixel.x >= size.width || pixel.y >= size.height)
    throw Error(ErrorKind::usage,
                fmt::format("faraday: the pixel to plot is {},{}; the image is {}x{}, counted from "
                            "0",
                            pixel.x, pixel.y, size.width, size.height));
  return pixel;
}

void keep(const Picture& picture, FaradaySynthResult& result) {
  if (!picture.note.empty()) result.notes.push_back(picture.note);
  if (!picture.path.empty()) result.files.push_back(picture.path);
  result.files.push_back(picture.numbers);
}

}  // namespace

void check_pictures(const FaradaySynthJob& job) {
  for (const std::string& path : {job.choices.plot, job.choices.plot_rmsf}) {
    if (path.empty()) continue;
    picture_format(path);
    check_output_name(path, job.writing.force);
  }
}

void draw_pictures(const FaradaySynthJob& job, FaradayInput& input, const FaradayAxes& axes,
                   const FaradaySeen& seen, const FaradayRmsf* rmsf, FaradaySynthResult& result) {
  const FaradaySynthChoices& choices = job.choices;
  if (!choices.plot.empty()) {
    const Point pixel = pixel_of(job, input, seen);
    PlottedSpectrum plotted;
    plotted.phi = axes.phi;
    plotted.dirty = spectrum_at(input, axes, pixel);
    plotted.unit = input.q().header().text("BUNIT");
    const Plot plot = plot_spectrum(fmt::format("{}, pixel {}, {}", job.files.q, pixel.x, pixel.y),
                                    plotted, picture_format(choices.plot));
    const Picture picture = draw_picture(plot, choices.plot, job.writing.force);
    result.picture = picture.path;
    keep(picture, result);
  }
  if (!choices.plot_rmsf.empty() && rmsf)
    keep(draw_picture(plot_rmsf(fmt::format("RMSF of {} channels", axes.channels()), rmsf->phi,
                                rmsf->value, rmsf->fwhm, picture_format(choices.plot_rmsf)),
                      choices.plot_rmsf, job.writing.force),
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
