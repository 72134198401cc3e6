// SPDX-License-Identifier: Apache-2.0
#include "python/options_python.hpp"

#include <nanobind/stl/string.h>

#include <list>
#include <utility>

#include "python/text.hpp"

namespace tessera::python {
namespace {

[[noreturn]] void throw_type(const std::string& what, nb::handle given, const char* right) {
  throw nb::type_error((what + " is " + shown_as_code(given) + "; it must be " + right).c_str());
}

template <class Whole>
void take_whole(const std::string& what, nb::handle given, Whole& value) {
  const nb::object index = nb::isinstance<nb::bool_>(given) ? nb::object() : index_of(given);
  if (!index.is_valid() || !nb::try_cast(index, value)) throw_type(what, given, "a whole number");
}

}  // namespace

nb::object index_of(nb::handle given) {
  nb::object index = nb::steal(PyNumber_Index(given.ptr()));
  if (index.is_valid()) return index;
  if (!PyErr_ExceptionMatches(PyExc_TypeError)) nb::raise_python_error();
  PyErr_Clear();
  return index;
}

void from_python(const std::string& what, nb::handle given, bool& value) {
  if (!nb::isinstance<nb::bool_>(given) && !nb::isinstance(given, numpy("bool_")))
    throw_type(what, given, "True or False");
  value = nb::cast<bool>(nb::bool_(given));
}

void from_python(const std::string& what, nb::handle given, int& value) {
  take_whole(what, given, value);
}

void from_python(const std::string& what, nb::handle given, long long& value) {
  take_whole(what, given, value);
}

void from_python(const std::string& what, nb::handle given, double& value) {
  const double number = PyFloat_AsDouble(given.ptr());
  if (PyErr_Occurred()) {
    const bool no_number =
        PyErr_ExceptionMatches(PyExc_TypeError) || PyErr_ExceptionMatches(PyExc_OverflowError);
    if (!no_number) nb::raise_python_error();
    PyErr_Clear();
    throw_type(what, given, "a number");
  }
  value = number;
}

void from_python(const std::string& what, nb::handle given, std::string& value) {
  if (!nb::try_cast(given, value)) throw_type(what, given, "text");
}

void from_python(const std::string& what, nb::handle given, Point& value) {
  if (!nb::isinstance<nb::sequence>(given) || nb::isinstance<nb::str>(given) || nb::len(given) != 2)
    throw_type(what, given, "(row, column)");
  from_python(what, given[0], value.y);
  from_python(what, given[1], value.x);
}

void from_python(const std::string& what, nb::handle given, Type& value) {
  value = type_from_python(what, given, true);  // options are about results
}

nb::kwargs own_border_names(const char* operation, const nb::kwargs& given) {
  nb::kwargs own = given;
  for (const auto& [scipy, ours] : {std::pair{"mode", "border"}, std::pair{"cval", "constant"}}) {
    if (!given.contains(scipy)) continue;
    if (own.is(given)) own = nb::borrow<nb::kwargs>(given.attr("copy")());
    const nb::object value = nb::borrow(given[scipy]);
    nb::del(own[scipy]);
    if (value.is_none()) continue;
    if (own.contains(ours))
      throw nb::type_error((std::string(operation) + ": " + ours + " and " + scipy +
                            ", SciPy's word for it, are both given; leave out one of them")
                               .c_str());
    own[ours] = value;
  }
  return own;
}

void throw_unknown_option(const char* operation, nb::handle name,
                          const std::vector<std::string>& known) {
  const std::string text = shown(name);
  const std::string near = nearest_word(text, known);
  std::string right = "did you mean '" + near + "'?";
  if (near.empty()) {
    right = "there are";
    for (const auto& word : known) right += (word == known.front() ? " " : ", ") + word;
  }
  throw nb::type_error(
      (std::string(operation) + "() has no option '" + text + "'; " + right).c_str());
}

const char* kept(std::string text) {
  static std::list<std::string> texts;
  return texts.emplace_back(std::move(text)).c_str();
}

}  // namespace tessera::python
