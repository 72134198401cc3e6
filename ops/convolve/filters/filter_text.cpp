// SPDX-License-Identifier: Apache-2.0
// Filters as users type them: a name, a colon, numbers.
#include <fmt/format.h>

#include <algorithm>

#include "tessera/error.hpp"
#include "tessera/filters.hpp"
#include "tessera/options.hpp"

namespace tessera {
namespace {

using Words = std::vector<std::string>;

Words split(std::string_view text, char at) {
  Words words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(at), text.size());
    words.emplace_back(text.substr(0, end));
    if (end + 1 == text.size()) words.emplace_back();  // "5x" lacks its second word
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

struct NamedFilter {
  FilterUsage usage;
  std::size_t least, most;  ///< how many values follow the colon
  char separator;
  Image (*make)(const Words&);
};

double number(const Words& words, std::size_t k) {
  double value = 0;
  from_text("filter", words[k], value);
  return value;
}
int integer(const Words& words, std::size_t k) {
  int value = 0;
  from_text("filter", words[k], value);
  return value;
}
int radius(const Words& words, std::size_t k) {
  if (k >= words.size()) return -1;
  const int value = integer(words, k);
  if (value < 0)
    throw Error(ErrorKind::usage,
                fmt::format("filter: a radius of {} is not offered; it can be 0 or more", value));
  return value;
}

/// SIGMA[,RADIUS], the same along x and y.
GaussianSize round_size(const Words& words) {
  const double sigma = number(words, 0);
  const int end = radius(words, 1);
  return {sigma, sigma, end, end};
}
char axis(const Words& words) { return words[0].size() == 1 ? words[0][0] : '?'; }

/// "1:2:1"
std::vector<double> numbers(const std::string& text) {
  std::vector<double> values;
  const Words words = split(text, ':');
  for (std::size_t k = 0; k < words.size(); ++k) values.push_back(number(words, k));
  return values;
}

const std::vector<NamedFilter>& named_filters() {
  static const std::vector<NamedFilter> filters{
      {{"gauss", "gauss:SIGMA[,RADIUS]", "Gaussian, summing to 1; the radius is ceil(4 sigma)",
        "gaussian"},
       1,
       2,
       ',',
       [](const Words& w) { return gaussian(number(w, 0), radius(w, 1)); }},
      {{"agauss", "agauss:ALONG,ACROSS,DEGREES[,RADIUS]", "Gaussian with two widths, rotated"},
       3,
       4,
       ',',
       [](const Words& w) {
         return anisotropic_gaussian(number(w, 0), number(w, 1), number(w, 2), radius(w, 3));
       }},
      {{"box", "box:WxH", "mean of W by H pixels; box:5 is box:5x5", "uniform"},
       1,
       2,
       'x',
       [](const Words& w) { return box(integer(w, 0), integer(w, w.size() - 1)); }},
      {{"triangle", "triangle:N", "1,2 ... 2,1 each way, summing to 1; N is odd"},
       1,
       1,
       ',',
       [](const Words& w) { return triangle(integer(w, 0)); }},
      {{"sobel", "sobel:x|y", "3x3 derivative, smoothed across by 1 2 1"},
       1,
       1,
       ',',
       [](const Words& w) { return sobel(axis(w)); }},
      {{"scharr", "scharr:x|y", "3x3 derivative, smoothed across by 3 10 3"},
       1,
       1,
       ',',
       [](const Words& w) { return scharr(axis(w)); }},
      {{"prewitt", "prewitt:x|y", "3x3 derivative, summed across by 1 1 1"},
       1,
       1,
       ',',
       [](const Words& w) { return prewitt(axis(w)); }},
      {{"laplacian", "laplacian", "3x3 sum of second differences", "laplace"},
       0,
       0,
       ',',
       [](const Words&) { return laplacian(); }},
      {{"gauss-x", "gauss-x:SIGMA[,RADIUS]",
        "derivative of a Gaussian along x; the radius is 4 sigma, rounded", "gaussian-x"},
       1,
       2,
       ',',
       [](const Words& w) { return gaussian_derivative(round_size(w), 1, 0); }},
      {{"gauss-y", "gauss-y:SIGMA[,RADIUS]", "the same along y", "gaussian-y"},
       1,
       2,
       ',',
       [](const Words& w) { return gaussian_derivative(round_size(w), 0, 1); }},
      {{"log", "log:SIGMA[,RADIUS]", "Laplacian of a Gaussian; the radius as for gauss-x",
        "gaussian-laplace"},
       1,
       2,
       ',',
       [](const Words& w) { return laplacian_of_gaussian(round_size(w)); }},
      {{"dog", "dog:LOW[,HIGH]", "Gaussian of sigma LOW minus one of HIGH, which is 1.6 LOW"},
       1,
       2,
       ',',
       [](const Words& w) {
         const double low = number(w, 0), high = w.size() > 1 ? number(w, 1) : 1.6 * low;
         return difference_of_gaussians({low, low}, {high, high});
       }},
      {{"unsharp", "unsharp:SIGMA[,AMOUNT]",
        "unsharp mask: adds AMOUNT (1) times the difference from a mean"},
       1,
       2,
       ',',
       [](const Words& w) {
         const double sigma = number(w, 0);
         return unsharp({sigma, sigma}, w.size() > 1 ? number(w, 1) : 1);
       }},
      {{"gabor", "gabor:WAVELENGTH,DEGREES,SIGMA[,RADIUS]", "cosine under a Gaussian"},
       3,
       4,
       ',',
       [](const Words& w) {
         return gabor(number(w, 0), number(w, 1), number(w, 2), radius(w, 3));
       }},
      {{"outer", "outer:ROW,COLUMN", "a row times a column: 1:2:1,-1:0:1, or two files of weights"},
       2,
       2,
       ',',
       [](const Words& w) { return outer(numbers(w[0]), numbers(w[1])); }},
  };
  return filters;
}

}  // namespace

const std::vector<FilterUsage>& filter_usages() {
  static const std::vector<FilterUsage> usages = [] {
    std::vector<FilterUsage> list;
    for (const NamedFilter& filter : named_filters()) list.push_back(filter.usage);
    return list;
  }();
  return usages;
}

Image filter_from_text(std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string name(text.substr(0, colon));
  const std::string_view rest = colon < text.size() ? text.substr(colon + 1) : "";
  std::vector<std::string> known;
  for (const NamedFilter& filter : named_filters()) {
    known.emplace_back(filter.usage.form);
    if (!filter.usage.is_called(name)) continue;
    const Words words = split(rest, filter.separator);
    const bool empty = std::ranges::count(words, "") != 0;
    if (empty || words.size() < filter.least || words.size() > filter.most)
      throw Error(ErrorKind::usage,
                  fmt::format("filter: '{}' is not complete; write {}", text, filter.usage.form));
    return filter.make(words);
  }
  throw_unknown("filter", text, known);
}

}  // namespace tessera
