// SPDX-License-Identifier: Apache-2.0
/// Options named as in SciPy, for functions that have SciPy's names.
#pragma once

#include <string>
#include <tuple>

#include "python/options_python.hpp"
#include "tessera/options.hpp"

namespace tessera {

/// SciPy's names of borders.
enum class ScipyMode : unsigned char { reflect, mirror, nearest, constant, wrap };
template <>
struct Names<ScipyMode> {
  static constexpr std::array<std::pair<std::string_view, ScipyMode>, 5> list{
      {{"reflect", ScipyMode::reflect},
       {"mirror", ScipyMode::mirror},
       {"nearest", ScipyMode::nearest},
       {"constant", ScipyMode::constant},
       {"wrap", ScipyMode::wrap}}};
};
template <>
struct OtherNames<ScipyMode> {
  static constexpr std::array<std::pair<std::string_view, ScipyMode>, 9> list{
      {{"grid-mirror", ScipyMode::reflect},
       {"grid-constant", ScipyMode::constant},
       {"grid-wrap", ScipyMode::wrap},
       {"reflect-101", ScipyMode::mirror},
       {"reflect101", ScipyMode::mirror},
       {"reflect_101", ScipyMode::mirror},
       {"replicate", ScipyMode::nearest},
       {"edge", ScipyMode::nearest},
       {"symmetric", ScipyMode::reflect}}};
};

}  // namespace tessera

namespace tessera::python {

struct ScipyOptions {
  ScipyMode mode = ScipyMode::reflect;
  double cval = 0;
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() {
    using O = ScipyOptions;
    return std::tuple_cat(
        std::tuple{field("mode", &O::mode,
                         "what lies outside: reflect (cba|abc), mirror (cb|abc), nearest, constant "
                         "or wrap"),
                   field("cval", &O::cval,
                         "the value outside, with mode constant; integer images take its whole "
                         "part, and nan, "
                         "which does not count, only floats")},
        run_fields<O>());
  }
  Border border() const {
    switch (mode) {
      case ScipyMode::mirror:
        return Border::reflect_101;
      case ScipyMode::nearest:
        return Border::replicate;
      case ScipyMode::constant:
        return Border::constant;
      case ScipyMode::wrap:
        return Border::wrap;
      default:
        return Border::reflect;
    }
  }
};

}  // namespace tessera::python
