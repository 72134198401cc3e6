// SPDX-License-Identifier: Apache-2.0
/// What all synthetic images and films take.
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
    return std::tuple{field("size", &O::size, "pixels of the image"),
                      field("seed", &O::seed, "every number gives another image"),
                      field("type", &O::type, "type of the samples")};
  }
};

}  // namespace tessera
