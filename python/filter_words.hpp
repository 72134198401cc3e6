// SPDX-License-Identifier: Apache-2.0
/// What the functions with SciPy's and scikit-image's names share: an image, their options, and a
/// call of convolve.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <tuple>

#include "python/arrays.hpp"
#include "python/options_python.hpp"
#include "python/scipy_options.hpp"
#include "tessera/convolve.hpp"
#include "tessera/filters.hpp"

namespace tessera::python {

struct WordOptions : ScipyOptions {
  double scale = 1;
  std::optional<Type> output_type;

  static constexpr auto fields() {
    using O = WordOptions;
    return std::tuple_cat(
        std::tuple{field("mode", &O::mode,
                         "what lies outside: reflect (cba|abc), mirror (cb|abc), nearest, constant "
                         "or wrap"),
                   field("cval", &O::cval, "the value outside, with mode constant"),
                   field("scale", &O::scale, "factor of the result", Range{}),
                   field("output_type", &O::output_type,
                         "dtype of the result: float32, float64, the image's own or, of uint8 and "
                         "uint16, int16; None is the image's own")},
        run_fields<O>());
  }
};

/// With scikit-image's border.
struct NearestWordOptions : WordOptions {
  NearestWordOptions() { mode = ScipyMode::nearest; }
};

/// The arguments of a call as Python gives them.
struct WordCall {
  const char* name;
  nb::handle image, out, output;
  const nb::kwargs& keywords;
};

/// A call whose image and options are known, but not yet its weights.
struct Word {
  std::string name;
  Array image;
  WordOptions options;
  RunOptions run;
  nb::object out;
  bool line = false;  ///< the image has one axis besides channels and images

  Word(const WordCall& call, WordOptions defaults);

  /// The image filtered by weights. Warns if the result's dtype has no negative values, nobody
  /// asked for it, and the weights have such values (`clips`).
  nb::object filtered(const Image& weights, bool clips,
                      std::optional<Point> anchor = std::nullopt) const;
  ConvolveOptions own() const;
  std::string what(const char* argument) const { return name + ": " + argument; }
  bool asks_for_type() const { return options.output_type || !out.is_none() || own_type_; }

 private:
  bool own_type_ = false;  ///< output_type names the image's own dtype
};

/// ", mode: … = \"reflect\", …) -> typing.Any" and the lines of the docstring.
template <class Options>
std::string word_parameters() {
  return ", out: typing.Any = None, output: typing.Any = None" + option_parameters<Options>() +
         option_parameters<RunOptions>() + ") -> typing.Any";
}
template <class Options>
std::string word_help() {
  return "\n\nOptions:\n" + option_help<Options>() + option_help<RunOptions>();
}

/// The part of the docstrings about images and results.
extern const char* const kWordArrays;

/// The widths of a Gaussian: sigma is a number or (rows, columns), radius None, a whole number or
/// (rows, columns).
GaussianSize gaussian_size(const Word& word, const char* argument, nb::handle sigma,
                           double truncate = 4, nb::handle radius = nb::none());

/// "the axis of the difference": 'x' for columns, 'y' for rows; nothing for None.
std::optional<char> axis_argument(const Word& word, nb::handle axis);

/// tessera.ClippedWarning: negative results are lost.
void add_clipped_warning(nb::module_& module);

/// Whether Python gave a number, where a function takes either an image or numbers.
bool is_number(nb::handle given);

}  // namespace tessera::python
