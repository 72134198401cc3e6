// SPDX-License-Identifier: Apache-2.0
#include "jobs/demo/faraday_truth.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr double kBright = 20, kNearSigmas = 2, kLobeWidths = 1.5;
constexpr const char* kNames =
    "x,y,rm,flux,angle,thickness,second_rm,second_flux,second_angle,index,fraction";

PolarisedSource source_of(std::string line) {
  std::ranges::replace(line, ',', ' ');
  std::istringstream words(line);
  PolarisedSource s;
  words >> s.x >> s.y >> s.first.rm >> s.first.flux >> s.first.angle >> s.thickness >>
      s.second.rm >> s.second.flux >> s.second.angle >> s.index >> s.fraction;
  if (!words) throw Error(ErrorKind::input, "a polarised truth: this is not a source: " + line);
  return s;
}

void add_pixel(FaradayDistance& sums, double rm_difference, double pi_difference, double intensity,
               const PolarisedField& field) {
  ++sums.pixels;
  sums.rm += std::pow(rm_difference, 2);
  sums.rm_errors += std::pow(rm_difference * 2 * intensity / (field.fwhm * field.noise), 2);
  sums.pi_errors += std::pow(pi_difference / field.noise, 2);
}

}  // namespace

std::vector<PolarisedSource> read_polarised_truth(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || line != kNames)
    throw Error(ErrorKind::input, path + ": it is not the truth of a polarised sky");
  std::vector<PolarisedSource> sources;
  while (std::getline(file, line)) sources.push_back(source_of(line));
  return sources;
}

FaradayDistance distance_of_maps(const Image& rm, const Image& pi,
                                 const std::vector<PolarisedSource>& truth,
                                 const PolarisedField& field) {
  const auto rms = rm.as<float>(), intensities = pi.as<float>();
  FaradayDistance sums;
  for (const PolarisedSource& source : truth) {
    if (!is_thin(source)) continue;
    for (int y = 0; y < rms.size.height; ++y)
      for (int x = 0; x < rms.size.width; ++x) {
        const double sigmas = std::hypot(x - source.x, y - source.y) / field.sigma;
        const double intensity = source.first.flux * std::exp(-sigmas * sigmas / 2);
        if (sigmas > kNearSigmas || intensity < kBright * field.noise) continue;
        add_pixel(sums, rms.at(x, y) - source.first.rm, intensities.at(x, y) - intensity, intensity,
                  field);
      }
  }
  const auto root_mean = [&](double sum) { return std::sqrt(sum / sums.pixels); };
  return {sums.pixels, root_mean(sums.rm), root_mean(sums.rm_errors), root_mean(sums.pi_errors)};
}

std::vector<double> spectrum_of(const Image& magnitude, int x, int y) {
  std::vector<double> values;
  for (int p = 0; p < magnitude.info().size.planes; ++p)
    values.push_back(magnitude.as<float>().at(x, y, 0, p));
  return values;
}

double largest_side_lobe(const std::vector<double>& magnitude, const std::vector<double>& phi,
                         double rm, double fwhm) {
  double largest = 0;
  for (std::size_t k = 0; k < phi.size(); ++k)
    if (std::abs(phi[k] - rm) > kLobeWidths * fwhm) largest = std::max(largest, magnitude[k]);
  return largest;
}

}  // namespace tessera
