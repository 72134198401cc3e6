// SPDX-License-Identifier: Apache-2.0
// Blurs a point of light with an installed Tessera, and prints the method used and the result.
#include <iostream>
#include <tessera/convolve.hpp>
#include <tessera/error.hpp>

int main() {
  try {
    tessera::Image in({640, 480}, tessera::Type::f32);
    in.as<float>().at(320, 240) = 1;

    const tessera::Image blur = tessera::gaussian(2.5);
    const tessera::Convolve plan(in.info(), blur.view());
    tessera::Image out(plan.output());
    plan(in.view(), out.view());

    double light = 0;
    for (int y = 0; y < 480; ++y)
      for (int x = 0; x < 640; ++x) light += out.as<float>().at(x, y);
    std::cout << plan.describe() << "\n"
              << "light " << light << ", at the point " << out.as<float>().at(320, 240) << "\n";
    return 0;
  } catch (const tessera::Error& error) {
    std::cerr << error.what() << "\n";
    return static_cast<int>(error.kind());
  }
}
