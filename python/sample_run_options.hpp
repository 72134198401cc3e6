// SPDX-License-Identifier: Apache-2.0
/// How samples of floats are made, beside what is in them.
#pragma once

#include <tuple>

#include "tessera/options.hpp"

namespace tessera::python {

struct SampleRunOptions {
  Type type = Type::f32;
  int threads = 0;

  static constexpr auto fields() {
    using R = SampleRunOptions;
    return std::tuple{
        field("dtype", &R::type, "float32 or float64"),
        field("threads", &R::threads, "CPU threads; 0: as many as the environment allows")};
  }
};

}  // namespace tessera::python
