// SPDX-License-Identifier: Apache-2.0
#include "python/filter_words.hpp"

#include <fmt/format.h>

#include "python/doors.hpp"
#include "python/image_plan.hpp"
#include "python/noise_arguments.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera::python {
namespace {

/// Lives as long as the process.
PyObject* clipped_warning = nullptr;

void warn_of_clipping(const std::string& name, const Array& image) {
  const bool bytes = image.items.plain();  // uint8 or uint16
  const std::string text = fmt::format(
      "{}: negative results are clipped to 0, because {} has none; output_type=\"{}\" keeps them",
      name, dtype_name(image.items), bytes ? "int16" : "float32");
  if (PyErr_WarnEx(clipped_warning, text.c_str(), 1) != 0) nb::raise_python_error();
}

bool has_negative_values(const Items& items) {
  return items.kind == ItemKind::floating || std::string_view(dtype_name(items)).starts_with("int");
}

/// SciPy's output is a dtype or an array.
nb::object take_output(const WordCall& call, nb::kwargs& keywords) {
  if (call.output.is_none()) return nb::borrow(call.out);
  if (is_dtype(call.output)) {
    if (keywords.contains("output_type"))
      throw nb::type_error(
          fmt::format("{}: output and output_type are both given; leave out one", call.name)
              .c_str());
    keywords["output_type"] = call.output;
    return nb::borrow(call.out);
  }
  if (!call.out.is_none())
    throw nb::type_error(
        fmt::format("{}: out and output are both given; leave out one of them", call.name).c_str());
  return nb::borrow(call.output);
}

/// One number, or one for rows and one for columns; for a line only the second counts.
struct Pair {
  double rows, columns;
};
Pair pair_argument(const std::string& what, nb::handle given, bool line) {
  Pair pair{};
  if (is_number(given)) {
    from_python(what, given, pair.columns);
    pair.rows = line ? 0 : pair.columns;
    return pair;
  }
  const bool sequence = nb::isinstance<nb::sequence>(given) && !nb::isinstance<nb::str>(given);
  const std::size_t count = line ? 1 : 2;
  if (!sequence || nb::len(given) != count)
    throw nb::type_error((what + " is " + shown_as_code(given) + "; it must be a number" +
                          (line ? "" : " or (rows, columns)"))
                             .c_str());
  if (!line) from_python(what, given[0], pair.rows);
  from_python(what, given[count - 1], pair.columns);
  return pair;
}

int radius_along(const Word& word, nb::handle radius, double sigma, double truncate, bool rows) {
  if (radius.is_none()) return gaussian_radius(sigma, truncate);
  NoiseBox both;
  window_from_python(word.what("radius"), radius, word.line, 0, both);
  const int wanted = rows ? both.height : both.width;
  if (wanted < 0)
    throw Error(ErrorKind::usage,
                fmt::format("{}: radius is {}; it can be 0 or more", word.name, wanted));
  return wanted;
}

}  // namespace

const char* const kWordArrays =
    R"(
image: (rows, columns), or (columns,), with channel_axis or batch_axis more; dtypes and libraries as
    for convolve.
out, output: an array of the result's shape and dtype to fill; output may also be a dtype, as
    output_type.
Returns out, or a new array of the image's library, of its dtype unless output_type says otherwise:
integers are rounded to nearest even and saturated.)";

bool is_number(nb::handle given) {
  if (nb::isinstance<nb::bool_>(given)) return false;
  if (nb::isinstance(given, numpy("ndarray"))) return nb::cast<int>(given.attr("ndim")) == 0;
  return PyFloat_Check(given.ptr()) || PyLong_Check(given.ptr()) ||
         nb::isinstance(given, numpy("number"));
}

Word::Word(const WordCall& call, WordOptions defaults) : name(call.name), options(defaults) {
  image = look_at_numbers(call.image, what("image"), ItemUse::values);
  nb::kwargs keywords = nb::borrow<nb::kwargs>(call.keywords.attr("copy")());
  out = take_output(call, keywords);
  if (keywords.contains("output_type") && names_own_dtype(image, keywords["output_type"])) {
    nb::del(keywords["output_type"]);
    own_type_ = true;
  }
  take_options(call.name, keywords, options, run);
  check_constant(what("cval"), image, options.border(), options.cval);
  line = filtered_axes(what("image"), image, run, false, kNoVolumeHint) == 1;
}

ConvolveOptions Word::own() const {
  return {.border = options.border(),
          .constant = options.cval,
          .scale = options.scale,
          .output_type = options.output_type,
          .backend = options.backend,
          .method = options.method,
          .device = options.device};
}

nb::object Word::filtered(const Image& weights, bool clips, std::optional<Point> anchor) const {
  if (clips && !asks_for_type() && !has_negative_values(image.items)) warn_of_clipping(name, image);
  ConvolveOptions all = own();
  all.anchor = anchor;
  ImagePlan<Convolve> plan(
      name, image, run,
      [&](const ImageInfo& info) { return kept_plan<Convolve>(info, weights.view(), all); },
      Channels::apart, !all.output_type);
  return plan(image, out);
}

GaussianSize gaussian_size(const Word& word, const char* argument, nb::handle sigma,
                           double truncate, nb::handle radius) {
  const Pair pair = pair_argument(word.what(argument), sigma, word.line);
  for (const double value : {pair.rows, pair.columns})
    if (!(value >= 0 && value < 1e9))
      throw Error(ErrorKind::usage, fmt::format("{}: {} is {}; it must be 0 or more", word.name,
                                                argument, shown_as_code(sigma)));
  GaussianSize size{pair.columns, pair.rows, 0, 0};
  size.radius_x = radius_along(word, radius, pair.columns, truncate, false);
  if (!word.line) size.radius_y = radius_along(word, radius, pair.rows, truncate, true);
  return size;
}

std::optional<char> axis_argument(const Word& word, nb::handle axis) {
  if (axis.is_none()) return std::nullopt;
  int which = 0;
  from_python(word.what("axis"), axis, which);
  const int axes = word.line ? 1 : 2;
  if (which < -axes || which >= axes)
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: axis is {}; {}, counted without channels and images", word.name, which,
                    word.line ? "an image of one axis has only 0"
                              : "it can be 0 (from row to row) or 1 (from column to "
                                "column)"));
  return which == -1 || which == axes - 1 ? 'x' : 'y';
}

void add_clipped_warning(nb::module_& module) {
  clipped_warning = PyErr_NewExceptionWithDoc(
      "tessera.ClippedWarning",
      "Negative results are lost, because the image's dtype has none; output_type keeps them.",
      PyExc_UserWarning, nullptr);
  if (!clipped_warning) nb::raise_python_error();
  module.attr("ClippedWarning") = nb::borrow(clipped_warning);
}

}  // namespace tessera::python
