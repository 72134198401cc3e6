// SPDX-License-Identifier: Apache-2.0
// Derivatives and their magnitudes with SciPy's and scikit-image's names.
#include <fmt/format.h>
#include <nanobind/nanobind.h>

#include "python/doors.hpp"
#include "python/filter_words.hpp"
#include "python/image_plan.hpp"
#include "tessera/edges.hpp"
#include "tessera/error.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

nb::object magnitude(const Word& word, const EdgeFilters& filters) {
  EdgesOptions all{.border = word.options.border(),
                   .constant = word.options.cval,
                   .scale = word.options.scale * filters.scale,
                   .output_type = word.options.output_type,
                   .backend = word.options.backend,
                   .method = word.options.method,
                   .device = word.options.device};
  ImagePlan<Edges> plan(
      word.name, word.image, word.run,
      [&](const ImageInfo& info) {
        return kept_plan<Edges>(info, filters.x.view(), filters.y.view(), all);
      },
      Channels::apart, !all.output_type);
  return plan(word.image, word.out);
}

/// A function that has derivatives and magnitudes.
struct EdgeWord {
  const char* name;
  Image (*weights)(char axis);
  double scale;  ///< of a derivative: SciPy's words are sums, skimage's are means
};

nb::object edges_of(const EdgeWord& edge, const WordCall& call, nb::handle axis) {
  Word word(call, {});
  const std::optional<char> along = axis_argument(word, axis);
  if (!along && word.line)
    throw Error(ErrorKind::usage,
                fmt::format("{}: an image of one axis has no magnitude; give axis -1", edge.name));
  if (!along) return magnitude(word, edge_filters(edge.name));
  word.options.scale *= edge.scale;
  return word.filtered(word.line ? outer({-1, 0, 1}, {1}) : edge.weights(*along), true);
}

void add_edges(nb::module_& module, const EdgeWord& edge, nb::object axis, const char* axis_text,
               const std::string& about) {
  module.def(
      edge.name,
      [edge](nb::handle image, nb::handle axis, nb::handle out, nb::handle output,
             const nb::kwargs& keywords) {
        return edges_of(edge, {edge.name, image, out, output, keywords}, axis);
      },
      "image"_a, "axis"_a.none() = axis, nb::kw_only(), "out"_a = nb::none(),
      "output"_a = nb::none(), "options"_a,
      nb::sig(kept("def " + std::string(edge.name) + "(image: typing.Any, axis: int | None = " +
                   axis_text + ", *" + word_parameters<WordOptions>())),
      kept(
          about +
          "\n\naxis: 0 is from row to row, 1 or -1 from column to column, counted without the axes "
          "of\n    channels and images; None is the magnitude, the root of the mean of both "
          "squares with\n    weights as in skimage.filters." +
          edge.name + ", within the range of the image." + kWordArrays +
          "\n\n>>> slope = tessera." + edge.name +
          "(image, axis=0, output_type=\"float32\")\n>>> steep = tessera." + edge.name +
          "(image, axis=None)" + word_help<WordOptions>()));
}

void add_gradient_magnitude(nb::module_& module) {
  module.def(
      "gaussian_gradient_magnitude",
      [](nb::handle image, nb::handle sigma, double truncate, nb::handle radius, nb::handle out,
         nb::handle output, const nb::kwargs& keywords) {
        const Word word({"gaussian_gradient_magnitude", image, out, output, keywords}, {});
        const GaussianSize size = gaussian_size(word, "sigma", sigma, truncate, radius);
        EdgeFilters filters{gaussian_derivative(size, 1, 0), {}, 1};
        const Size weights = filters.x.info().size;
        // A line has one derivative: the other is that of zeros.
        filters.y = word.line ? Image(weights, Type::f64) : gaussian_derivative(size, 0, 1);
        return magnitude(word, filters);
      },
      "image"_a, "sigma"_a, nb::kw_only(), "truncate"_a = 4.0, "radius"_a = nb::none(),
      "out"_a = nb::none(), "output"_a = nb::none(), "options"_a,
      nb::sig(kept("def gaussian_gradient_magnitude(image: typing.Any, sigma: float | tuple[float, "
                   "float], *, truncate: float = 4.0, radius: int | tuple[int, int] | None = None" +
                   word_parameters<WordOptions>())),
      kept("The magnitude of the derivatives of a Gaussian mean: the values of\n"
           "scipy.ndimage.gaussian_gradient_magnitude.\n\nsigma, truncate, radius: as for "
           "gaussian_filter." +
           std::string(kWordArrays) +
           "\n\n>>> steep = tessera.gaussian_gradient_magnitude(image, 2)" +
           word_help<WordOptions>()));
}

}  // namespace

void add_edge_words(nb::module_& module) {
  add_edges(module, {"sobel", sobel, 1}, nb::int_(-1), "-1",
            "The derivative -1 0 1 along an axis, summed across by 1 2 1: the values of\n"
            "scipy.ndimage.sobel.");
  add_edges(module, {"prewitt", prewitt, 1}, nb::int_(-1), "-1",
            "The derivative -1 0 1 along an axis, summed across by 1 1 1: the values of\n"
            "scipy.ndimage.prewitt.");
  add_edges(module, {"scharr", scharr, 1.0 / 16}, nb::none(), "None",
            "The derivative -1 0 1 along an axis, averaged across by 3 10 3: the values of\n"
            "skimage.filters.scharr of a float image.");
  add_gradient_magnitude(module);
}

}  // namespace tessera::python
