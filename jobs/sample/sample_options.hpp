// SPDX-License-Identifier: Apache-2.0
/// Options of all synthetic images and films.
#pragma once

#include <tuple>

#include "jobs/pixel_size.hpp"
#include "tessera/options.hpp"
#include "tessera/view.hpp"

namespace tessera {

struct SampleOptions {
  PixelSize size;
  int seed = 1;
  Type type = Type::u8;

  static constexpr auto fields() {
    using O = SampleOptions;
    return std::tuple{field("size", &O::size, "width and height in pixels"),
                      field("seed", &O::seed, "seed of the random numbers"),
                      field("type", &O::type, "type of the samples")};
  }
};

}  // namespace tessera
