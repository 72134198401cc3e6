// SPDX-License-Identifier: Apache-2.0
/// Options of an operation as Python keywords: values, signatures and help, all from fields().
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "python/arrays.hpp"
#include "python/text.hpp"
#include "tessera/options.hpp"

namespace tessera::python {

/// How much of the machine an operation may take.
struct HostOptions {
  int threads = 0;
  double memory_limit = 0;

  /// The library computes with signed numbers of bytes.
  std::size_t memory_bytes() const {
    return memory_limit < 0x1p63 ? static_cast<std::size_t>(memory_limit) : INT64_MAX;
  }

  static constexpr auto fields() {
    using O = HostOptions;
    return std::tuple{
        field("threads", &O::threads,
              "CPU threads, for arrays in host memory; 0: as many as the environment allows",
              Range{0}),
        field("memory_limit", &O::memory_limit,
              "bytes of scratch memory, for arrays in host memory; 0: a share of what is free",
              Range{0})};
  }
};

/// How an operation on images runs, besides its own options.
struct RunOptions : HostOptions {
  std::optional<int> channel_axis, batch_axis;

  /// For arrays that have an axis more.
  RunOptions with_axis(int added, int axes) const {
    const auto moved = [&](std::optional<int> axis) {
      if (axis && *axis < 0) *axis += axes;
      return axis && *axis >= added ? std::optional(*axis + 1) : axis;
    };
    RunOptions run = *this;
    run.channel_axis = moved(channel_axis);
    run.batch_axis = moved(batch_axis);
    return run;
  }
  static constexpr auto fields() {
    using O = RunOptions;
    return std::tuple_cat(
        std::tuple{
            field("channel_axis", &O::channel_axis, "the axis that holds the channels; None: grey"),
            field("batch_axis", &O::batch_axis, "the axis that counts images; None: one image")},
        HostOptions::fields());
  }
};

/// Where and by which method an operation runs whose other options are given otherwise.
struct MethodOptions {
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() { return run_fields<MethodOptions>(); }
};

/// The whole number an object stands for, as a Python int; not valid if it stands for none.
nb::object index_of(nb::handle given);

/// Values as Python gives them; TypeError or ValueError name `what`. Points are (row, column).
void from_python(const std::string& what, nb::handle given, bool& value);
void from_python(const std::string& what, nb::handle given, int& value);
void from_python(const std::string& what, nb::handle given, long long& value);
void from_python(const std::string& what, nb::handle given, double& value);
void from_python(const std::string& what, nb::handle given, std::string& value);
void from_python(const std::string& what, nb::handle given, Point& value);
void from_python(const std::string& what, nb::handle given, Type& value);
template <Named E>
void from_python(const std::string& what, nb::handle given, E& value) {
  std::string text;
  from_python(what, given, text);
  from_text(what, text, value);
}
/// How an operation's own type of option is given in Python: kType and text() for signatures,
/// take(). Specialise it before the options that hold such a type are taken.
template <class T>
struct PythonValue;
template <class T>
concept OwnPythonValue = requires {
  PythonValue<T>::kType;
};
template <OwnPythonValue T>
void from_python(const std::string& what, nb::handle given, T& value) {
  PythonValue<T>::take(what, given, value);
}
template <class T>
void from_python(const std::string& what, nb::handle given, std::optional<T>& value) {
  const bool open =
      given.is_none() || (nb::isinstance<nb::str>(given) && given.equal(nb::str("auto")));
  if (open) return value.reset();
  from_python(what, given, value.emplace());
}

/// The Python type of an option, as signatures and stubs write it.
template <class T>
std::string python_type() {
  if constexpr (std::is_same_v<T, Type>) {
    return "numpy.typing.DTypeLike";
  } else if constexpr (Named<T>) {
    std::string names;
    for (const auto& name : names_of<T>()) names += (names.empty() ? "\"" : ", \"") + name + "\"";
    return "typing.Literal[" + names + "]";
  } else if constexpr (std::is_same_v<T, bool>) {
    return "bool";
  } else if constexpr (std::is_same_v<T, int> || std::is_same_v<T, long long>) {
    return "int";
  } else if constexpr (std::is_same_v<T, double>) {
    return "float";
  } else if constexpr (std::is_same_v<T, std::string>) {
    return "str";
  } else if constexpr (std::is_same_v<T, Point>) {
    return "tuple[int, int]";
  } else if constexpr (OwnPythonValue<T>) {
    return PythonValue<T>::kType;
  } else {
    return python_type<typename T::value_type>() + " | None";
  }
}

/// The default of an option as Python text.
template <class T>
std::string python_text(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "True" : "False";
  } else if constexpr (std::is_same_v<T, std::string> || Named<T>) {
    return '"' + to_text(value) + '"';
  } else if constexpr (std::is_arithmetic_v<T>) {
    return to_text(value);
  } else if constexpr (std::is_same_v<T, Point>) {
    return "(" + to_text(value.y) + ", " + to_text(value.x) + ")";
  } else if constexpr (OwnPythonValue<T>) {
    return PythonValue<T>::text(value);
  } else {
    return value ? python_text(*value) : "None";
  }
}

/// Options of more than one word have dashes on the command line and underlines in Python.
inline std::string python_name(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// The options that a function takes: all, unless it says which.
inline constexpr auto kEveryOption = [](std::string_view) { return true; };

/// ", border: typing.Literal[…] = \"reflect-101\", …" for a signature.
template <class Options, class Takes = decltype(kEveryOption)>
std::string option_parameters(Takes takes = kEveryOption) {
  std::string text;
  Options defaults;
  for_each_option(defaults, [&](const char* name, auto& value, const Help&) {
    if (!takes(name)) return;
    using T = std::remove_reference_t<decltype(value)>;
    text += ", " + python_name(name) + ": " + python_type<T>() + " = " + python_text(value);
  });
  return text;
}

/// One line per option, for a docstring.
template <class Options, class Takes = decltype(kEveryOption)>
std::string option_help(Takes takes = kEveryOption) {
  std::string text;
  Options defaults;
  for_each_option(defaults, [&](const char* name, auto& value, const Help& help) {
    if (!takes(name)) return;
    text +=
        "    " + python_name(name) + " (" + python_text(value) + "): " + std::string(help) + "\n";
  });
  return text;
}

/// TypeError: operation() has no option 'bordr'; did you mean 'border'?
[[noreturn]] void throw_unknown_option(const char* operation, nb::handle name,
                                       const std::vector<std::string>& known);

/// Whether a keyword is the Python name of an option.
inline bool is_python_name(const char* keyword, const char* option) {
  for (; *keyword && *option; ++keyword, ++option)
    if (*keyword != (*option == '-' ? '_' : *option)) return false;
  return *keyword == *option;
}

/// The same with American spelling; for keywords that no option matched exactly.
inline bool is_american_name(const char* keyword, const char* option) {
  return is_python_name(keyword, american_spelling(option).c_str());
}

/// SciPy's keywords for borders, as they follow the options that have ours.
inline constexpr const char* kScipyParameters =
    ", mode: str | None = None, cval: float | None = None";
inline constexpr const char* kScipyHelp =
    "    mode, cval (None): SciPy's words for border and constant, \"mirror\" for "
    "\"reflect-101\"\n";

/// The keywords with border and constant instead of mode and cval. TypeError if both are given.
nb::kwargs own_border_names(const char* operation, const nb::kwargs& given);

/// Fills options from keywords and checks the ranges of those given; every keyword must be an
/// option's name. Only those options of `first` are known that `takes` names.
template <class Takes, class First, class... Rest>
void take_some_options(const char* operation, const nb::kwargs& given, Takes takes, First& first,
                       Rest&... rest) {
  // Names as texts are made only for messages: small calls would take twice as long.
  for (const auto& [name, value] : given) {
    const char* const keyword = PyUnicode_AsUTF8(name.ptr());
    if (!keyword) PyErr_Clear();
    bool found = false;
    auto is_name = is_python_name;
    const auto take = [&, taken = value](const char* option, auto& member, const Help& help) {
      if (found || !keyword || !is_name(keyword, option)) return;
      found = true;
      from_python(std::string(operation) + ": " + keyword, taken, member);
      if (help.range && !is_within(*help.range, member))
        throw_outside(operation, keyword, python_text(member), *help.range);
    };
    for (const auto spelling : {is_python_name, is_american_name}) {
      is_name = spelling;
      for_each_option(first, [&](const char* option, auto& member, const Help& help) {
        if (takes(option)) take(option, member, help);
      });
      (for_each_option(rest, take), ...);
      if (found) break;
    }
    if (found) continue;
    std::vector<std::string> known;
    const auto list = [&](const char* option, const auto&, const Help&) {
      known.push_back(python_name(option));
    };
    for_each_option(first, [&](const char* option, const auto& member, const Help& help) {
      if (takes(option)) list(option, member, help);
    });
    (for_each_option(rest, list), ...);
    throw_unknown_option(operation, name, known);
  }
}

template <class... Options>
void take_options(const char* operation, const nb::kwargs& given, Options&... options) {
  take_some_options(operation, given, kEveryOption, options...);
}

/// Keeps a text for as long as the module lives: nanobind stores signatures by address.
const char* kept(std::string text);

}  // namespace tessera::python
