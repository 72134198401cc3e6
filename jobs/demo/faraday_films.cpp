// SPDX-License-Identifier: Apache-2.0
#include "jobs/demo/faraday_films.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>

#include "io/formats.hpp"
#include "jobs/demo/draw_colours.hpp"
#include "jobs/demo/faraday_truth.hpp"
#include "jobs/picture.hpp"
#include "report/faraday_plot.hpp"

namespace tessera {
namespace {

constexpr int kFrequencyFrames = 12;
/// Two components nearer than this are one peak in the band of these skies, rad/m^2.
constexpr double kApart = 80;
/// The share of the brightest flux that is drawn in full colour.
constexpr double kFullLight = 0.4;

std::vector<std::string> frame_names(const char* what, int count) {
  std::vector<std::string> names;
  for (int k = 0; k < count; ++k) names.push_back(fmt::format("{}_{:02}.png", what, k));
  return names;
}

/// The plane of the lowest depth that a source may have.
int first_depth(const FaradayScene& scene) {
  return static_cast<int>((scene.phi_max - scene.rm_max) / scene.dphi);
}

struct Planes {
  int first, step;
};

void draw_film(const Image& cube, const Planes& planes, const std::vector<std::string>& names,
               int zoom, const std::function<DrawnColour(double)>& colour) {
  const auto values = cube.as<float>();
  for (int plane = planes.first; const std::string& name : names) {
    draw_colours(name, values.size.width * zoom, values.size.height * zoom,
                 [&](int x, int y) { return colour(values.at(x / zoom, y / zoom, 0, plane)); });
    plane += planes.step;
  }
}

std::vector<std::complex<double>> complex_spectrum(const std::string& real,
                                                   const std::string& imaginary, int x, int y) {
  const std::vector<double> re = spectrum_of(read_image(real), x, y),
                            im = spectrum_of(read_image(imaginary), x, y);
  std::vector<std::complex<double>> values;
  for (std::size_t k = 0; k < re.size(); ++k) values.emplace_back(re[k], im[k]);
  return values;
}

double second_shown(const PolarisedSource& source) {
  return std::abs(source.first.rm - source.second.rm) < kApart ? 0 : source.second.flux;
}

std::string title_of(const PolarisedSource& source) {
  const std::string first = fmt::format("a source at {:.0f}", source.first.rm);
  if (source.second.flux == 0) return first + " rad/m²";
  return fmt::format("{} and {:.0f} rad/m²", first, source.second.rm);
}

}  // namespace

std::vector<double> FaradayScene::depths() const {
  std::vector<double> phi;
  const int count = 2 * static_cast<int>(std::lround(phi_max / dphi)) + 1;
  for (int k = 0; k < count; ++k) phi.push_back(k * dphi - phi_max);
  return phi;
}

std::vector<std::string> FaradayScene::frequency_frames() const {
  return frame_names("frequency", kFrequencyFrames);
}

std::vector<std::string> FaradayScene::depth_frames() const {
  return frame_names("depth", static_cast<int>(2 * rm_max / dphi) / film_step + 1);
}

void draw_faraday_films(const FaradayScene& scene) {
  const double full = kFullLight * scene.brightest;
  draw_film(read_image("sky_Q" + scene.ending), {0, scene.channels / kFrequencyFrames},
            scene.frequency_frames(), scene.zoom,
            [&](double q) { return signed_colour(in_steps(q / full, 10)); });
  draw_film(read_image("sky_FDF_clean_tot" + scene.ending), {first_depth(scene), scene.film_step},
            scene.depth_frames(), scene.zoom, [&](double f) {
              const double light = std::max(0.0, f - scene.cutoff) / full;
              return heat_colour(in_steps(std::sqrt(light), 32));
            });
}

void draw_rotation_measures(const FaradayScene& scene, const Image& rm, const Image& pi) {
  const auto depths = rm.as<float>(), intensities = pi.as<float>();
  const int zoom = scene.zoom;
  const double full = kFullLight * scene.brightest;
  draw_colours("rm.png", depths.size.width * zoom, depths.size.height * zoom, [&](int x, int y) {
    const double light = std::max(0.0, intensities.at(x / zoom, y / zoom) - scene.cutoff) / full;
    return signed_colour(in_steps(depths.at(x / zoom, y / zoom) / scene.rm_max, 32),
                         in_steps(std::sqrt(light), 32));
  });
}

void draw_cleaned_spectrum(const FaradayScene& scene, const std::vector<PolarisedSource>& truth) {
  const PolarisedSource& source = *std::ranges::max_element(truth, {}, second_shown);
  const int x = static_cast<int>(std::lround(source.x)),
            y = static_cast<int>(std::lround(source.y));
  const auto spectrum = [&](const char* real, const char* imaginary) {
    return complex_spectrum(real + scene.ending, imaginary + scene.ending, x, y);
  };
  PlottedSpectrum plotted;
  plotted.phi = scene.depths();
  plotted.dirty = spectrum("sky_FDF_real_dirty", "sky_FDF_im_dirty");
  plotted.clean = spectrum("sky_FDF_clean_real", "sky_FDF_clean_im");
  plotted.components = spectrum("sky_FDF_CC_real", "sky_FDF_CC_im");
  plotted.cutoff = scene.cutoff;
  draw_picture(plot_spectrum(fmt::format("pixel {}, {}: {}", x, y, title_of(source)), plotted,
                             PictureFormat::png),
               "spectrum.png", true);
}

}  // namespace tessera
