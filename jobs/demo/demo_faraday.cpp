// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/formats.hpp"
#include "jobs/demo/demo_part.hpp"
#include "jobs/demo/faraday_films.hpp"
#include "jobs/demo/faraday_truth.hpp"
#include "jobs/demo/find_demo_means.hpp"

namespace tessera {
namespace {

constexpr double kNoise = 0.005, kSigma = 5;
/// Noise alone gives 1 or a little less.
constexpr double kMostErrors = 1.2;
/// In units of the cutoff: the remainder is below 1, and components made from noise may add to it.
constexpr double kMostSideLobe = 1.5;

const char* const kFaradayStory =
    "Magnetised plasma in front of a source rotates its plane of polarisation, more so at longer "
    "wavelengths: in cubes of Stokes Q and U, sources flicker from channel to channel. Rotation "
    "measure synthesis turns these cubes into spectra over Faraday depth, in which each source is "
    "bright at its own depth. RM-CLEAN removes the side lobes caused by the limited band, so that "
    "a second component next to a strong one can be distinguished from them.";

FaradayScene scene_of(const DemoOptions& options) {
  FaradayScene scene{.ending = map_ending(),
                     .channels = 120,
                     .phi_max = 480,
                     .dphi = 8,
                     .rm_max = 300,
                     .brightest = 0.1,
                     .cutoff = 0.002,
                     .zoom = 3,
                     .film_step = 2};
  if (options.quick) scene.channels = 60, scene.zoom = 2, scene.film_step = 15;
  return scene;
}

std::vector<DemoCommand> commands_of(const FaradayScene& scene, const DemoOptions& options) {
  const std::string size =
      options.quick ? "--size 120x80 --sources 6" : "--size 300x200 --sources 30";
  // NPY has no header for the distance between depths.
  const std::string step = scene.ending == ".npy" ? fmt::format(" --dphi {}", scene.dphi) : "";
  return {
      {fmt::format("tessera sample polarised sky{} {} --channels {} --rm-max {} --flux-low 0.02 "
                   "--flux-high {} --second 0.3 --thick 0 --noise {} --sigma {} --separation 30 "
                   "--seed {}",
                   scene.ending, size, scene.channels, scene.rm_max, scene.brightest, kNoise,
                   kSigma, options.seed)},
      {fmt::format("tessera faraday synth sky_Q{0} sky_U{0} sky_freqs.txt -o sky_ -l {1} -d {2} "
                   "--maps rm,rm-error,pi{3}",
                   scene.ending, scene.phi_max, scene.dphi, options.backend_words()),
       true},
      {fmt::format("tessera faraday clean sky_ sky_ -c {}{} -o sky_{}", scene.cutoff, step,
                   options.backend_words()),
       true}};
}

std::string python_of(const FaradayScene& scene, const DemoOptions& options) {
  return fmt::format(R"(import numpy as np
import tessera

q, u = tessera.read("sky_Q{0}"), tessera.read("sky_U{0}")
spectra = tessera.faraday_synth(q, u, np.loadtxt("sky_freqs.txt"), phi_max={1}, dphi={2}{4})
rmsf = tessera.faraday_rmsf(spectra.axes)
maps = tessera.faraday_maps(spectra.fdf, spectra.axes, fwhm=rmsf.fwhm{4})
cleaned = tessera.faraday_clean(spectra.fdf, rmsf, {3}{4})

y, x = np.unravel_index(np.nanargmax(maps["pi"]), maps["pi"].shape)
print(f"the brightest pixel is {{x}}, {{y}}: {{maps['pi'][y, x]:.4f}} at a rotation measure of "
      f"{{maps['rm'][y, x]:.2f}} +- {{maps['rm-error'][y, x]:.2f}} rad/m^2")
)",
                     scene.ending, scene.phi_max, scene.dphi, scene.cutoff,
                     options.backend_argument());
}

/// The largest side lobe of the brightest thin source, in a cube of magnitudes.
double side_lobe(const std::string& cube, const FaradayScene& scene,
                 const std::vector<PolarisedSource>& truth, double fwhm) {
  const PolarisedSource& source = *std::ranges::max_element(
      truth, {}, [](const PolarisedSource& s) { return is_thin(s) ? s.first.flux : 0; });
  const auto spectrum =
      spectrum_of(read_image(cube + scene.ending), static_cast<int>(std::lround(source.x)),
                  static_cast<int>(std::lround(source.y)));
  return largest_side_lobe(spectrum, scene.depths(), source.first.rm, fwhm);
}

DemoCheck check_faraday(const FaradayScene& scene, const Json& synth) {
  const std::vector<PolarisedSource> truth = read_polarised_truth("sky_truth.csv");
  const Image rm = read_image("sky_phiPeakPIfit_rm2" + scene.ending),
              pi = read_image("sky_ampPeakPIfit" + scene.ending);
  draw_faraday_films(scene);
  draw_rotation_measures(scene, rm, pi);
  draw_cleaned_spectrum(scene, truth);
  const double fwhm = synth.at("fwhm"), noise = kNoise / std::sqrt(scene.channels);
  const FaradayDistance distance = distance_of_maps(rm, pi, truth, {kSigma, noise, fwhm});
  const double before = side_lobe("sky_FDF_tot_dirty", scene, truth, fwhm),
               after = side_lobe("sky_FDF_clean_tot", scene, truth, fwhm),
               most = kMostSideLobe * scene.cutoff;
  return {distance.pixels > 0 && distance.rm_errors < kMostErrors &&
              distance.pi_errors < kMostErrors && after < most,
          fmt::format(
              "{} bright pixels: rotation measures differ from the truth by {:.2f} rad/m² (rms), "
              "{:.2f} times their error, intensities by {:.2f} times the noise ({} allowed); the "
              "brightest source's side lobes are {:.4f}, {:.4f} before ({} allowed)",
              distance.pixels, distance.rm, distance.rm_errors, distance.pi_errors, kMostErrors,
              after, before, most)};
}

}  // namespace

DemoPart demo_faraday(const DemoOptions& options) {
  const FaradayScene scene = scene_of(options);
  return {
      .operation = "faraday",
      .field = "Polarised radio surveys",
      .title = "Rotation measures of a field of sources, and RM-CLEAN",
      .story = kFaradayStory,
      .commands = commands_of(scene, options),
      .python = python_of(scene, options),
      .inputs = {{scene.frequency_frames(),
                  "Stokes Q from the lowest frequency to the highest: red above zero, blue below",
                  4}},
      .outputs = {{{"rm.png"},
                   "Rotation measures from -300 (blue) through 0 (white) to 300 rad/m² (red); "
                   "brightness is the polarised intensity"},
                  {scene.depth_frames(),
                   "The cleaned cube from a Faraday depth of -300 to 300 rad/m²: each source "
                   "lights up at its own depth",
                   6},
                  {{"spectrum.png"},
                   "Spectrum of one pixel before (grey) and after RM-CLEAN (black); the title has "
                   "the true depths of the source"}},
      .check = [scene](const std::vector<Json>& said) { return check_faraday(scene, said.at(1)); },
  };
}

}  // namespace tessera
