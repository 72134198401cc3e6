// SPDX-License-Identifier: Apache-2.0
// Finds small bright spots (stars, cells, beads) with a custom filter: spots_example IN [SIGMA]
//
//     tessera sample points stars.npy --size 1024x768 --noise 1 --truth truth.csv
//     spots_example stars.npy 1.5 >spots.csv
//
// The filter is the difference of two Gaussians: it responds to spots of its own size and not to
// flat or slowly varying parts. A spot is a pixel that no neighbour exceeds and that is at least
// five times the noise of the filtered image around it.
#include <cmath>
#include <iostream>

#include "tessera/convolve.hpp"
#include "tessera/elements.hpp"
#include "tessera/error.hpp"
#include "tessera/image_files.hpp"
#include "tessera/morphology.hpp"
#include "tessera/noise.hpp"

namespace {

/// A Gaussian of `sigma` minus one that is 1.6 times as wide; the weights sum to 0.
tessera::Image spot_filter(double sigma) {
  const int radius = static_cast<int>(std::ceil(5 * sigma));
  tessera::Image filter = tessera::gaussian(sigma, radius);
  const tessera::Image wide = tessera::gaussian(1.6 * sigma, radius);
  for (int y = 0; y <= 2 * radius; ++y)
    for (int x = 0; x <= 2 * radius; ++x)
      filter.as<double>().at(x, y) -= wide.as<double>().at(x, y);
  return filter;
}

void print_spots(const tessera::Image& in, double sigma) {
  const tessera::Image filter = spot_filter(sigma), disk = tessera::disk_element(2 * sigma);
  const tessera::Image filtered =
      tessera::convolve(in.view(), filter.view(), {.output_type = tessera::Type::f32});
  const tessera::Image highest = tessera::dilate(filtered.view(), disk.view());
  const tessera::NoiseMaps noise = tessera::noise(filtered.view(), {.box = {64, 64}});

  std::cout << "x,y,signal_to_noise\n";
  const tessera::Size size = filtered.info().size;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const float value = filtered.as<float>().at(x, y);
      const float rms = noise.rms.as<float>().at(x, y);
      if (rms > 0 && value > 5 * rms && value == highest.as<float>().at(x, y))
        std::cout << x << "," << y << "," << value / rms << "\n";
    }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: spots_example IN [SIGMA]\n";
    return 2;
  }
  try {
    double sigma = 1.5;
    if (argc > 2) tessera::from_text("SIGMA", argv[2], sigma);
    print_spots(tessera::read_image(argv[1]), sigma);
    return 0;
  } catch (const tessera::Error& error) {
    std::cerr << error.what() << "\n";
    return static_cast<int>(error.kind());
  }
}
