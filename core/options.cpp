// SPDX-License-Identifier: Apache-2.0
#include "tessera/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

#include "tessera/error.hpp"

namespace tessera {
namespace {

/// British parts of names, and their American spellings.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kSpellings{
    {{"equalise", "equalize"},
     {"channelise", "channelize"},
     {"normalise", "normalize"},
     {"polaris", "polariz"},
     {"grey", "gray"},
     {"colour", "color"},
     {"centre", "center"},
     {"catalogue", "catalog"}}};

/// Letters to add, drop or change to turn one word into the other (Levenshtein).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

[[noreturn]] void throw_bad_value(std::string_view what, std::string_view text, const char* right) {
  throw Error(ErrorKind::usage, fmt::format("{}: '{}' is not {}", what, text, right));
}

template <class Number>
void parse_number(std::string_view what, std::string_view text, Number& value, const char* right) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) throw_bad_value(what, text, right);
}

}  // namespace

Help::operator std::string() const {
  return range ? fmt::format("{}; {}", text, range->text()) : text;
}

std::string american_spelling(std::string_view word) {
  std::string text(word);
  for (const auto& [british, american] : kSpellings)
    for (std::size_t at = text.find(british); at != std::string::npos;
         at = text.find(british, at + american.size()))
      text.replace(at, british.size(), american);
  return text;
}

std::string nearest_word(std::string_view text, const std::vector<std::string>& known) {
  std::string best;
  std::size_t least = std::max<std::size_t>(1, text.size() / 3) + 1;
  for (const std::string& word : known) {
    const std::size_t distance = edit_distance(text, word);
    if (distance < least) {
      least = distance;
      best = word;
    }
  }
  return best;
}

void throw_unknown(std::string_view what, std::string_view text,
                   const std::vector<std::string>& known) {
  std::string list;
  for (std::size_t i = 0; i < known.size(); ++i)
    list += (i == 0 ? "" : i + 1 == known.size() ? " or " : ", ") + known[i];
  const std::string near = nearest_word(text, known);
  throw Error(ErrorKind::usage,
              fmt::format("{}: '{}' is not known{}; it can be {}", what, text,
                          near.empty() ? "" : fmt::format(" (did you mean {}?)", near), list));
}

std::string to_text(bool value) { return value ? "yes" : "no"; }
std::string to_text(int value) { return fmt::format("{}", value); }
std::string to_text(long long value) { return fmt::format("{}", value); }
std::string to_text(double value) { return fmt::format("{}", value); }
std::string to_text(const std::string& value) { return value; }
std::string to_text(Point value) { return fmt::format("{},{}", value.x, value.y); }

void from_text(std::string_view what, std::string_view text, bool& value) {
  if (text == "yes" || text == "true" || text == "1")
    value = true;
  else if (text == "no" || text == "false" || text == "0")
    value = false;
  else
    throw_bad_value(what, text, "yes or no");
}
void from_text(std::string_view what, std::string_view text, int& value) {
  parse_number(what, text, value, "an integer");
}
void from_text(std::string_view what, std::string_view text, long long& value) {
  parse_number(what, text, value, "an integer");
}
void from_text(std::string_view what, std::string_view text, double& value) {
  parse_number(what, text, value, "a number");
  if (!std::isfinite(value)) throw_bad_value(what, text, "a finite number");
}
void from_text(std::string_view, std::string_view text, std::string& value) { value = text; }
void from_text(std::string_view what, std::string_view text, Point& value) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) throw_bad_value(what, text, "two integers X,Y");
  from_text(what, text.substr(0, comma), value.x);
  from_text(what, text.substr(comma + 1), value.y);
}

}  // namespace tessera
