// SPDX-License-Identifier: Apache-2.0
// Smoothing and sharpening with SciPy's and scikit-image's names.
#include <fmt/format.h>
#include <nanobind/nanobind.h>

#include <algorithm>

#include "python/doors.hpp"
#include "python/filter_words.hpp"
#include "python/noise_arguments.hpp"
#include "tessera/error.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

constexpr const char* kAnyNumber = "float | tuple[float, float]";

nb::sig signature(const std::string& name, const std::string& own, const std::string& options) {
  return nb::sig(kept("def " + name + "(image: typing.Any, " + own + "*" + options));
}

// Orders along rows and columns; for a line only the second counts.
NoiseBox orders_of(const Word& word, nb::handle order) {
  NoiseBox orders;
  window_from_python(word.what("order"), order, word.line, 0, orders);
  return orders;
}

nb::object gaussian_filter(const WordCall& call, nb::handle sigma, nb::handle order,
                           double truncate, nb::handle radius) {
  const Word word(call, {});
  const GaussianSize size = gaussian_size(word, "sigma", sigma, truncate, radius);
  const NoiseBox orders = orders_of(word, order);
  return word.filtered(gaussian_derivative(size, orders.width, orders.height),
                       orders.width > 0 || orders.height > 0);
}

constexpr const char* kGaussianAbout =
    R"(A Gaussian mean, or a derivative of one: the values of scipy.ndimage.gaussian_filter.

sigma: the standard deviation in pixels, a number or (rows, columns); 0 smooths nothing.
order: 0, or the order of the derivative, a whole number or (rows, columns).
truncate, radius: the filter ends int(truncate * sigma + 0.5) pixels from its middle, or at radius.)";

void add_gaussian(nb::module_& module, const char* name) {
  module.def(
      name,
      [name](nb::handle image, nb::handle sigma, nb::handle order, double truncate,
             nb::handle radius, nb::handle out, nb::handle output, const nb::kwargs& keywords) {
        return gaussian_filter({name, image, out, output, keywords}, sigma, order, truncate,
                               radius);
      },
      "image"_a, "sigma"_a, "order"_a = 0, nb::kw_only(), "truncate"_a = 4.0,
      "radius"_a = nb::none(), "out"_a = nb::none(), "output"_a = nb::none(), "options"_a,
      signature(name, std::string("sigma: ") + kAnyNumber + ", order: int | tuple[int, int] = 0, ",
                ", truncate: float = 4.0, radius: int | tuple[int, int] | None = None" +
                    word_parameters<WordOptions>()),
      kept(kGaussianAbout + std::string(kWordArrays) + "\n\n>>> soft = tessera." + name +
           "(image, 2)\n>>> slope = tessera." + name +
           "(image, 1.5, order=(0, 1), output_type=\"float32\")" + word_help<WordOptions>()));
}

// SciPy's origin counts from the centre.
Point anchor_at(const Word& word, NoiseBox size, nb::handle given) {
  NoiseBox origin;
  window_from_python(word.what("origin"), given, word.line, 0, origin);
  const Point anchor{size.width / 2 + origin.width, size.height / 2 + origin.height};
  const bool inside =
      anchor.x >= 0 && anchor.x < size.width && anchor.y >= 0 && anchor.y < size.height;
  if (!inside)
    throw Error(ErrorKind::usage,
                fmt::format("{}: origin {} moves the centre out of the window; it must stay inside",
                            word.name, PythonValue<NoiseBox>::text(origin)));
  return anchor;
}

void add_uniform(nb::module_& module) {
  module.def(
      "uniform_filter",
      [](nb::handle image, nb::handle size, nb::handle origin, nb::handle out, nb::handle output,
         const nb::kwargs& keywords) {
        const Word word({"uniform_filter", image, out, output, keywords}, {});
        NoiseBox box;
        window_from_python(word.what("size"), size, word.line, 1, box);
        if (word.line && box.height != 1)
          throw Error(ErrorKind::usage,
                      fmt::format("{}: size has {} rows; an image of one axis needs one row",
                                  word.name, box.height));
        const Image weights = tessera::box(box.width, box.height);
        return word.filtered(weights, false, anchor_at(word, box, origin));
      },
      "image"_a, "size"_a = 3, nb::kw_only(), "origin"_a = 0, "out"_a = nb::none(),
      "output"_a = nb::none(), "options"_a,
      signature("uniform_filter", "size: int | tuple[int, ...] = 3, ",
                ", origin: int | tuple[int, ...] = 0" + word_parameters<WordOptions>()),
      kept("The mean of a box around every pixel: the values of scipy.ndimage.uniform_filter.\n\n"
           "size: of the box, a whole number or (rows, columns).\n"
           "origin: moves the box against its centre, a whole number or (rows, columns)." +
           std::string(kWordArrays) + "\n\n>>> mean = tessera.uniform_filter(image, 5)" +
           word_help<WordOptions>()));
}

void add_laplace(nb::module_& module) {
  module.def(
      "laplace",
      [](nb::handle image, nb::handle out, nb::handle output, const nb::kwargs& keywords) {
        const Word word({"laplace", image, out, output, keywords}, {});
        return word.filtered(word.line ? outer({1, -2, 1}, {1}) : laplacian(), true);
      },
      "image"_a, nb::kw_only(), "out"_a = nb::none(), "output"_a = nb::none(), "options"_a,
      signature("laplace", "", word_parameters<WordOptions>()),
      kept("The sum of second differences: the values of scipy.ndimage.laplace.\n" +
           std::string(kWordArrays) +
           "\n\n>>> spots = tessera.laplace(image, output_type=\"float32\")" +
           word_help<WordOptions>()));
  module.def(
      "gaussian_laplace",
      [](nb::handle image, nb::handle sigma, double truncate, nb::handle radius, nb::handle out,
         nb::handle output, const nb::kwargs& keywords) {
        const Word word({"gaussian_laplace", image, out, output, keywords}, {});
        const GaussianSize size = gaussian_size(word, "sigma", sigma, truncate, radius);
        return word.filtered(laplacian_of_gaussian(size), true);
      },
      "image"_a, "sigma"_a, nb::kw_only(), "truncate"_a = 4.0, "radius"_a = nb::none(),
      "out"_a = nb::none(), "output"_a = nb::none(), "options"_a,
      signature("gaussian_laplace", std::string("sigma: ") + kAnyNumber + ", ",
                ", truncate: float = 4.0, radius: int | tuple[int, int] | None = None" +
                    word_parameters<WordOptions>()),
      kept("The sum of second derivatives of a Gaussian mean: the values of\n"
           "scipy.ndimage.gaussian_laplace.\n\nsigma, truncate, radius: as for gaussian_filter." +
           std::string(kWordArrays) +
           "\n\n>>> spots = tessera.gaussian_laplace(image, 3, output_type=\"float32\")" +
           word_help<WordOptions>()));
}

void add_differences(nb::module_& module) {
  module.def(
      "difference_of_gaussians",
      [](nb::handle image, nb::handle low, nb::handle high, double truncate, nb::handle out,
         nb::handle output, const nb::kwargs& keywords) {
        const Word word({"difference_of_gaussians", image, out, output, keywords},
                        NearestWordOptions());
        const GaussianSize narrow = gaussian_size(word, "low_sigma", low, truncate);
        GaussianSize wide{1.6 * narrow.sigma_x, 1.6 * narrow.sigma_y};
        wide.radius_x = gaussian_radius(wide.sigma_x, truncate);
        wide.radius_y = gaussian_radius(wide.sigma_y, truncate);
        if (!high.is_none()) wide = gaussian_size(word, "high_sigma", high, truncate);
        return word.filtered(tessera::difference_of_gaussians(narrow, wide), true);
      },
      "image"_a, "low_sigma"_a, "high_sigma"_a = nb::none(), nb::kw_only(), "truncate"_a = 4.0,
      "out"_a = nb::none(), "output"_a = nb::none(), "options"_a,
      signature("difference_of_gaussians",
                std::string("low_sigma: ") + kAnyNumber + ", high_sigma: " + kAnyNumber +
                    " | None = None, ",
                ", truncate: float = 4.0" + word_parameters<NearestWordOptions>()),
      kept("A Gaussian mean minus a wider one: the values of\n"
           "skimage.filters.difference_of_gaussians of a float image.\n\n"
           "low_sigma, high_sigma: a number or (rows, columns); high_sigma is 1.6 low_sigma.\n"
           "truncate: as for gaussian_filter." +
           std::string(kWordArrays) +
           "\n\n>>> band = tessera.difference_of_gaussians(image, 1, 8, output_type=\"float32\")" +
           word_help<NearestWordOptions>()));
}

void add_unsharp(nb::module_& module) {
  module.def(
      "unsharp_mask",
      [](nb::handle image, nb::handle radius, double amount, nb::handle out, nb::handle output,
         const nb::kwargs& keywords) {
        const Word word({"unsharp_mask", image, out, output, keywords}, {});
        return word.filtered(unsharp(gaussian_size(word, "radius", radius), amount), false);
      },
      "image"_a, "radius"_a = 1.0, "amount"_a = 1.0, nb::kw_only(), "out"_a = nb::none(),
      "output"_a = nb::none(), "options"_a,
      signature("unsharp_mask",
                std::string("radius: ") + kAnyNumber + " = 1.0, amount: float = 1.0, ",
                word_parameters<WordOptions>()),
      kept("Sharpens: image + amount (image - Gaussian mean), the values of\n"
           "skimage.filters.unsharp_mask with preserve_range=True.\n\n"
           "radius: the standard deviation of the Gaussian, a number or (rows, columns).\n"
           "amount: how much is added." +
           std::string(kWordArrays) +
           "\n\n>>> sharp = tessera.unsharp_mask(photo, 2, "
           "channel_axis=-1)" +
           word_help<WordOptions>()));
}

}  // namespace

void add_smooth_words(nb::module_& module) {
  add_clipped_warning(module);
  add_gaussian(module, "gaussian_filter");
  add_gaussian(module, "gaussian");
  add_uniform(module);
  add_laplace(module);
  add_differences(module);
  add_unsharp(module);
}

}  // namespace tessera::python
