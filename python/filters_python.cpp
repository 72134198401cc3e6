// SPDX-License-Identifier: Apache-2.0
#include "tessera/filters.hpp"

#include <nanobind/nanobind.h>

#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "jobs/convolve/convolve_job.hpp"
#include "jobs/image_job.hpp"
#include "python/array_checks.hpp"
#include "python/doors.hpp"
#include "python/filter_argument.hpp"
#include "python/filter_words.hpp"
#include "python/long_call.hpp"
#include "python/options_python.hpp"
#include "python/raw_arrays.hpp"
#include "python/text.hpp"
#include "tessera/error.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

// CuPy's and torch's arrays on a device do not become NumPy's by themselves.
nb::object on_host(const std::string& what, nb::handle filter) {
  if (nb::hasattr(filter, "detach")) return filter.attr("detach")().attr("cpu")().attr("numpy")();
  if (nb::hasattr(filter, "__cuda_array_interface__"))
    return nb::module_::import_("cupy").attr("asnumpy")(filter);
  return unmasked_array(what, filter);
}

template <class T>
void copy_weights(const RawArray& raw, double* to) {
  for (long long y = 0; y < raw.shape[0]; ++y)
    for (long long x = 0; x < raw.shape[1]; ++x) {
      T weight;
      std::memcpy(&weight, static_cast<const char*>(raw.data) + y * raw.steps[0] + x * raw.steps[1],
                  sizeof weight);
      *to++ = static_cast<double>(weight);
    }
}

/// The usual small arrays, without a copy by NumPy, which is a part of a small image's call that
/// can be felt (bench/calls.py).
std::optional<Image> small_weights(const RawArray& raw) {
  constexpr long long kMost = 64;
  if (raw.shape.size() != 2) return std::nullopt;
  for (const long long side : raw.shape)
    if (side < 1 || side > kMost) return std::nullopt;
  ImageInfo info;
  info.type = Type::f64;
  info.size = {static_cast<int>(raw.shape[1]), static_cast<int>(raw.shape[0])};
  Image weights(info);
  double* const to = weights.as<double>().data;
  if (raw.dtype == "float64")
    copy_weights<double>(raw, to);
  else if (raw.dtype == "float32")
    copy_weights<float>(raw, to);
  else if (raw.dtype == "uint8" || raw.dtype == "bool")
    copy_weights<unsigned char>(raw, to);
  else
    return std::nullopt;
  return weights;
}

// NumPy's own arrays of numbers first: a call on a small image takes less time than asking an
// object what it is.
nb::object as_doubles(const std::string& what, nb::handle filter) {
  if (is_plain_ndarray(filter)) {
    const std::string dtype = look_at_raw(filter, what).dtype;
    if (dtype == "float64") return nb::borrow(filter);
    if (dtype == "float32" || dtype == "uint8" || dtype == "bool")
      return filter.attr("astype")(numpy("float64"));
  }
  const nb::object given = on_host(what, filter);
  const std::string kind = shown(given.attr("dtype").attr("kind"));
  if (kind.find_first_of("biuf") == std::string::npos)
    throw nb::type_error(
        (what + " has dtype " + shown(given.attr("dtype")) + "; weights must be real numbers")
            .c_str());
  return given.attr("astype")("float64");
}

/// Large filters take seconds.
template <class Make>
nb::object made(const Make& make) {
  Image weights;
  {
    const LongCall unlocked;
    weights = make();
  }
  return to_numpy(std::move(weights));
}

/// "def name(parameters) -> an array of weights"
nb::sig makes_weights(const std::string& head) {
  return nb::sig(kept("def " + head + " -> numpy.typing.NDArray[numpy.float64]"));
}

/// The weights, if the first argument is the name of an axis, not an image (edge_words_python.cpp).
void add_derivative(nb::module_& module, const char* name, Image (*weights)(char),
                    const std::string& across) {
  module.def(
      name,
      [name, weights](nb::handle axis) {
        if (!nb::isinstance<nb::str>(axis)) throw nb::next_overload();
        const std::string text = name_text(std::string(name) + ": axis", axis);
        return made([&] { return weights(text.size() == 1 ? text[0] : '?'); });
      },
      "axis"_a, makes_weights(std::string(name) + "(axis: typing.Literal[\"x\", \"y\"])"),
      kept("The weights of the 3x3 derivative along \"x\" or \"y\", " + across + "."));
}

}  // namespace

nb::list usage_list(const std::vector<FilterUsage>& usages) {
  nb::list list;
  for (const FilterUsage& usage : usages) list.append(nb::make_tuple(usage.form, usage.help));
  return list;
}

Image loaded_once(const std::string& text, Image (*load)(const std::string&)) {
  constexpr std::size_t kMostKept = 64;
  constexpr long long kMostWeights = 1 << 16;
  static auto& kept_images = *new std::map<std::pair<void*, std::string>, Image>;
  const std::pair key(reinterpret_cast<void*>(load), text);
  // A name that was one stays one: looking for a file takes longer than the rest of the call.
  if (const auto found = kept_images.find(key); found != kept_images.end()) return found->second;
  if (names_file(text) || text.starts_with("outer:")) return load(text);
  const Image made = load(text);
  if (made.info().size.samples() > kMostWeights) return made;
  if (kept_images.size() >= kMostKept) kept_images.clear();
  kept_images.emplace(key, made);
  return made;
}

Image named_weights(const std::string& what, Image weights, int axes) {
  const int rows = weights.info().size.height;
  if (axes == 1 && rows != 1)
    throw Error(ErrorKind::usage, what + " has " + std::to_string(rows) +
                                      " rows; an image of one axis needs one row: an array (n,)");
  return weights;
}

bool has_three_axes(nb::handle weights) {
  if (weights.is_none() || nb::isinstance<nb::str>(weights)) return false;
  return nb::cast<int>(is_plain_ndarray(weights) ? nb::object(weights.attr("ndim"))
                                                 : numpy("ndim")(weights)) == 3;
}

Image filter_argument(const std::string& what, nb::handle filter, int axes) {
  if (nb::isinstance<nb::str>(filter))
    return named_weights(what, loaded_once(name_text(what, filter), load_filter), axes);
  if (is_plain_ndarray(filter))
    if (std::optional<Image> weights = small_weights(look_at_raw(filter, what)))
      return named_weights(what, std::move(*weights), axes);
  Array weights = look_at(as_doubles(what, filter), what);
  if (axes == 1 && weights.shape.size() == 1) weights = with_row_axis(weights, 0);
  if (axes == 3 && weights.shape.size() == 3)
    return copy(view_of(what, weights, {.row = 1, .column = 2, .batch = 0}, false));
  if (weights.shape.size() != 2)
    throw Error(ErrorKind::usage,
                what + " has shape " + shape_text(weights.shape) + "; it must be (rows, columns)" +
                    (weights.shape.size() == 3 ? ", unless the image has the axes planes, rows and "
                                                 "columns, and no other"
                                               : ""));
  return named_weights(what, copy(view_of(what, weights, Axes{}, false)), axes);
}

void add_filters(nb::module_& module) {
  module.def(
      "filters", [] { return usage_list(filter_usages()); },
      nb::sig("def filters() -> list[tuple[str, str]]"),
      "The filters that have names: how each is written, and what it is.");
  module.def(
      "named_filter",
      [](const std::string& text) { return made([&] { return filter_from_text(text); }); },
      "text"_a, makes_weights("named_filter(text: str)"), "The weights of a named filter.");
  module.def(
      "gaussian",
      [](nb::handle sigma, int radius) {
        if (!is_number(sigma)) throw nb::next_overload();  // an image: smooth_words_python.cpp
        double width = 0;
        from_python("gaussian: sigma", sigma, width);
        return made([&] { return gaussian(width, radius); });
      },
      "sigma"_a, "radius"_a = -1, makes_weights("gaussian(sigma: float, radius: int = -1)"),
      "A Gaussian that sums to 1; radius -1 is ceil(4 sigma).");
  module.def(
      "anisotropic_gaussian",
      [](double along, double across, double degrees, int radius) {
        return made([&] { return anisotropic_gaussian(along, across, degrees, radius); });
      },
      "sigma_along"_a, "sigma_across"_a, "degrees"_a, "radius"_a = -1,
      makes_weights("anisotropic_gaussian(sigma_along: float, sigma_across: float, "
                    "degrees: float, radius: int = -1)"),
      "A Gaussian with two widths, the first along `degrees` counter-clockwise from x.");
  module.def(
      "box", [](int width, int height) { return made([&] { return box(width, height); }); },
      "width"_a, "height"_a, makes_weights("box(width: int, height: int)"),
      "The mean of width x height pixels.");
  module.def(
      "triangle", [](int n) { return made([&] { return triangle(n); }); }, "n"_a,
      makes_weights("triangle(n: int)"),
      "The outer product of 1, 2 ... (n+1)/2 ... 2, 1 with itself, summing to 1; n is odd.");
  add_derivative(module, "sobel", sobel, "smoothed across by 1 2 1");
  add_derivative(module, "scharr", scharr, "smoothed across by 3 10 3");
  add_derivative(module, "prewitt", prewitt, "summed across by 1 1 1");
  module.def(
      "laplacian", [] { return made([&] { return laplacian(); }); }, makes_weights("laplacian()"),
      "3x3 sum of second differences.");
  module.def(
      "gabor",
      [](double wavelength, double degrees, double sigma, int radius) {
        return made([&] { return gabor(wavelength, degrees, sigma, radius); });
      },
      "wavelength"_a, "degrees"_a, "sigma"_a, "radius"_a = -1,
      makes_weights("gabor(wavelength: float, degrees: float, sigma: float, "
                    "radius: int = -1)"),
      "A cosine under a Gaussian; radius -1 is ceil(3 sigma).");
}

}  // namespace tessera::python
