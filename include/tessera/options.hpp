// SPDX-License-Identifier: Apache-2.0
/// Options are declared once, as fields over member pointers. The command line, Python signatures
/// and stubs, the documentation and tuning keys are all generated from them:
///
///     struct BlurOptions {
///       double sigma = 1;
///       static constexpr auto fields() {
///         return std::tuple{field("sigma", &BlurOptions::sigma, "width in pixels", Range{0.1})};
///       }
///     };
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tessera/border.hpp"
#include "tessera/export.hpp"
#include "tessera/range.hpp"

namespace tessera {

/// Where an operation runs. `automatic` picks by measurement and cost.
enum class Backend : unsigned char { automatic, cpu, cuda };

/// A position in a filter or an image, width before height.
struct Point {
  int x = 0, y = 0;
  bool operator==(const Point&) const = default;
  static constexpr const char* kPart = "each number";
  constexpr std::array<int, 2> numbers() const { return {x, y}; }
};

/// The names users type for the values of an enum.
template <class E>
struct Names;
template <>
struct Names<Border> {
  static constexpr std::array<std::pair<std::string_view, Border>, 7> list{
      {{"valid", Border::valid},
       {"constant", Border::constant},
       {"replicate", Border::replicate},
       {"reflect", Border::reflect},
       {"reflect-101", Border::reflect_101},
       {"wrap", Border::wrap},
       {"inside", Border::inside}}};
};
/// Names that other libraries have for the same values. They are read, but listed nowhere.
template <class E>
struct OtherNames;
/// Those of SciPy, numpy.pad and OpenCV. numpy.pad calls reflect_101 "reflect"; that word keeps the
/// meaning that it has in SciPy and OpenCV.
template <>
struct OtherNames<Border> {
  static constexpr std::array<std::pair<std::string_view, Border>, 9> list{
      {{"mirror", Border::reflect_101},
       {"nearest", Border::replicate},
       {"grid-mirror", Border::reflect},
       {"grid-wrap", Border::wrap},
       {"grid-constant", Border::constant},
       {"edge", Border::replicate},
       {"symmetric", Border::reflect},
       {"reflect101", Border::reflect_101},
       {"reflect_101", Border::reflect_101}}};
};
template <>
struct Names<Backend> {
  static constexpr std::array<std::pair<std::string_view, Backend>, 3> list{
      {{"auto", Backend::automatic}, {"cpu", Backend::cpu}, {"cuda", Backend::cuda}}};
};
template <>
struct Names<Type> {
  static constexpr std::array<std::pair<std::string_view, Type>, 6> list{{{"u8", Type::u8},
                                                                          {"u16", Type::u16},
                                                                          {"f32", Type::f32},
                                                                          {"f64", Type::f64},
                                                                          {"i16", Type::i16},
                                                                          {"i32", Type::i32}}};
};

template <class E>
concept Named = requires {
  Names<E>::list;
};

/// The name of a value.
template <Named E>
constexpr std::string_view name_of(E value) {
  for (const auto& [name, candidate] : Names<E>::list)
    if (candidate == value) return name;
  return "?";
}

/// All names of an enum, in order.
template <Named E>
std::vector<std::string> names_of() {
  std::vector<std::string> names;
  for (const auto& [name, value] : Names<E>::list) names.emplace_back(name);
  return names;
}

/// Throws Error(usage): "what: 'text' is not known; it can be a, b or c" with a suggestion.
[[noreturn]] TESSERA_API void throw_unknown(std::string_view what, std::string_view text,
                                            const std::vector<std::string>& known);

/// The known word closest to a misspelt one; empty if none is close.
TESSERA_API std::string nearest_word(std::string_view text, const std::vector<std::string>& known);

/// The American spelling of a word of this library, "equalize" for "equalise"; other words stay as
/// they are. Wherever a name of the library is read, its American spelling is read too.
TESSERA_API std::string american_spelling(std::string_view word);

/// Whether a user's word stands for a name: it is the name, or its American spelling.
inline bool same_word(std::string_view text, std::string_view name) {
  return text == name || text == american_spelling(name);
}

template <Named E>
E parse_named(std::string_view what, std::string_view text) {
  for (const auto& [name, value] : Names<E>::list)
    if (name == text) return value;
  if constexpr (requires { OtherNames<E>::list; })
    for (const auto& [name, value] : OtherNames<E>::list)
      if (name == text) return value;
  for (const auto& [name, value] : Names<E>::list)
    if (same_word(text, name)) return value;
  throw_unknown(what, text, names_of<E>());
}

/// The use of an option and the values it can have. As a text: "bins of mode binned; 8 to 65535".
struct Help {
  const char* text;
  std::optional<Range> range = {};
  TESSERA_API operator std::string() const;  // NOLINT(google-explicit-constructor)
};

template <class Owner, class Value>
struct Field {
  const char* name;
  Value Owner::*member;
  Help help;
};
template <class Owner, class Value>
constexpr Field<Owner, Value> field(const char* name, Value Owner::*member, const char* help) {
  return {name, member, {help}};
}
template <class Owner, class Value>
constexpr Field<Owner, Value> field(const char* name, Value Owner::*member, const char* help,
                                    Range range) {
  range.part = part_name<Value>();
  return {name, member, {help, range}};
}

/// The help text of --force in every command.
inline constexpr const char* kForceHelp = "replace outputs that exist";

/// The options that every operation has: where and how it runs.
template <class Options>
constexpr auto run_fields() {
  return std::tuple{
      field("backend", &Options::backend, "where to run"),
      field("method", &Options::method, "how to run: auto, or a method by name"),
      field("device", &Options::device, "which GPU, counted from 0"),
  };
}

/// Calls visit(name, value, help) for every option; `value` is a reference into `options`, `help`
/// a Help.
template <class Options, class Visit>
void for_each_option(Options& options, Visit visit) {
  std::apply([&](const auto&... f) { (visit(f.name, options.*(f.member), f.help), ...); },
             std::remove_const_t<Options>::fields());
}

/// Values as users type them: "3", "0.5", "yes", "reflect-101", "2,1"; an optional without a value
/// is "auto".
TESSERA_API std::string to_text(bool value);
TESSERA_API std::string to_text(int value);
TESSERA_API std::string to_text(long long value);
TESSERA_API std::string to_text(double value);
TESSERA_API std::string to_text(const std::string& value);
TESSERA_API std::string to_text(Point value);
template <Named E>
std::string to_text(E value) {
  return std::string(name_of(value));
}
template <class T>
std::string to_text(const std::optional<T>& value) {
  return value ? to_text(*value) : "auto";
}

/// The inverse; throws Error(usage) naming `what` and what would be right.
TESSERA_API void from_text(std::string_view what, std::string_view text, bool& value);
TESSERA_API void from_text(std::string_view what, std::string_view text, int& value);
TESSERA_API void from_text(std::string_view what, std::string_view text, long long& value);
TESSERA_API void from_text(std::string_view what, std::string_view text, double& value);
TESSERA_API void from_text(std::string_view what, std::string_view text, std::string& value);
TESSERA_API void from_text(std::string_view what, std::string_view text, Point& value);
template <Named E>
void from_text(std::string_view what, std::string_view text, E& value) {
  value = parse_named<E>(what, text);
}
template <class T>
void from_text(std::string_view what, std::string_view text, std::optional<T>& value) {
  if (text == "auto") return value.reset();
  T inner{};
  from_text(what, text, inner);
  value = inner;
}

/// Throws Error(usage) for the first option outside its range, with what would be right. Plans and
/// jobs do so before anything else, so the ranges are the same for all callers.
template <class Options>
void check_ranges(std::string_view operation, const Options& options) {
  for_each_option(options, [&](const char* name, const auto& value, const Help& help) {
    if (help.range && !is_within(*help.range, value))
      throw_outside(operation, name, to_text(value), *help.range);
  });
}

/// The values a user may type: "yes|no", "number", "auto|u8|u16|f32|f64" …
template <class T>
std::string value_hint() {
  if constexpr (Named<T>) {
    std::string hint;
    for (const auto& name : names_of<T>()) hint += (hint.empty() ? "" : "|") + name;
    return hint;
  } else if constexpr (std::is_same_v<T, bool>) {
    return "yes|no";
  } else if constexpr (std::is_same_v<T, int> || std::is_same_v<T, long long>) {
    return "integer";
  } else if constexpr (std::is_same_v<T, double>) {
    return "number";
  } else if constexpr (std::is_same_v<T, Point>) {
    return "X,Y";
  } else if constexpr (std::is_same_v<T, std::string>) {
    return "text";
  } else if constexpr (requires { T::kHint; }) {
    return T::kHint;
  } else {
    return "auto|" + value_hint<typename T::value_type>();
  }
}

/// The options that differ from their defaults, "border=wrap scale=2", as recorded by describe()
/// and file histories.
template <class Options>
std::string changed_options(const Options& options) {
  const Options defaults{};
  std::string text;
  std::apply(
      [&](const auto&... f) {
        ((options.*(f.member) == defaults.*(f.member)
              ? void()
              : void(text += (text.empty() ? "" : " ") + std::string(f.name) + "=" +
                             to_text(options.*(f.member)))),
         ...);
      },
      Options::fields());
  return text;
}

}  // namespace tessera
