// SPDX-License-Identifier: Apache-2.0
// Filters a picture: convolve_example IN.png gauss:2.5 OUT.npy [BORDER]
#include <iostream>

#include "tessera/convolve.hpp"
#include "tessera/error.hpp"
#include "tessera/image_files.hpp"

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: convolve_example IN.png FILTER OUT.npy [BORDER]\n";
    return 2;
  }
  try {
    const tessera::Image in = tessera::read_image(argv[1]);
    const tessera::Image weights = tessera::filter_from_text(argv[2]);
    tessera::ConvolveOptions options;
    if (argc > 4) tessera::from_text("border", argv[4], options.border);

    const tessera::Convolve plan(in.info(), weights.view(), options);  // once
    tessera::Image out(plan.output());
    plan(in.view(), out.view());  // once per image

    tessera::write_image(argv[3], out.view(), {.force = true});
    std::cout << plan.describe() << "\n";
    return 0;
  } catch (const tessera::Error& error) {
    std::cerr << error.what() << "\n";
    return static_cast<int>(error.kind());
  }
}
