// SPDX-License-Identifier: Apache-2.0
// A pass from its options: the element is checked, rotated and trimmed.
#include "ops/morphology/morphology_problem.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/check.hpp"
#include "core/refuse.hpp"
#include "core/value_outside.hpp"

namespace tessera {
namespace {

/// One value per pixel: whether it belongs to the element.
std::vector<bool> read_members(const char* operation, AnyView element) {
  const Size s = element.size;
  check_stencil(operation, "element", "pixel", element);
  const std::vector<double> values = samples_as_double(element);
  std::vector<bool> members;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (std::isnan(values[k]))
      refuse(operation,
             fmt::format("the element's pixel at column {}, row {} is nan; it must be 0 or "
                         "not",
                         k % s.width, k / s.width));
    members.push_back(values[k] != 0);
  }
  if (std::find(members.begin(), members.end(), true) == members.end())
    refuse(operation, fmt::format("all {} pixels of the element are 0; at least one must not be",
                                  members.size()));
  return members;
}

std::vector<ElementRun> find_runs(const std::vector<bool>& members, int width) {
  std::vector<ElementRun> runs;
  for (int k = 0; k < std::ssize(members); ++k) {
    if (!members[k]) continue;
    if (k % width != 0 && members[k - 1])
      ++runs.back().length;
    else
      runs.push_back({k / width, k % width, 1});
  }
  return runs;
}

/// Cuts empty rows and columns off the element's sides; the anchor moves along.
void trim(MorphologyProblem& p) {
  int left = p.element.width, right = 0;
  const int top = p.runs.front().row, bottom = p.runs.back().row + 1;
  for (const ElementRun& run : p.runs) {
    left = std::min(left, run.first);
    right = std::max(right, run.first + run.length);
  }
  for (ElementRun& run : p.runs) {
    run.row -= top;
    run.first -= left;
  }
  p.width = right - left;
  p.height = bottom - top;
  p.anchor = {p.anchor.x - left, p.anchor.y - top};
}

}  // namespace

CheckedElement check_element(const char* operation, AnyView element,
                             const MorphologyOptions& options) {
  return {element.size, read_members(operation, element),
          anchor_in(operation, "element", options.anchor, element.size)};
}

MorphologyProblem make_morphology_pass(MorphologyKind kind, const ImageInfo& image,
                                       const CheckedElement& element,
                                       const MorphologyOptions& options) {
  MorphologyProblem p;
  p.kind = kind;
  p.image = p.output = image;
  p.element = element.size;
  std::vector<bool> members = element.members;
  p.anchor = element.anchor;
  if ((kind == MorphologyKind::dilate) != options.flip) {
    std::reverse(members.begin(), members.end());
    p.anchor = {p.element.width - 1 - p.anchor.x, p.element.height - 1 - p.anchor.y};
  }
  p.runs = find_runs(members, p.element.width);
  p.border = options.border;
  // All NaN are one: a sign would make it smaller than every number.
  p.constant = std::isnan(options.constant) ? std::numeric_limits<double>::quiet_NaN()
                                            : value_outside(image.type, options.constant);
  if (p.border == Border::valid) {
    p.output.size.width = std::max(0, image.size.width - p.element.width + 1);
    p.output.size.height = std::max(0, image.size.height - p.element.height + 1);
    p.first_pixel = p.anchor;
    p.anchor = {0, 0};
  }
  trim(p);
  p.device = image.device == kHost ? options.device : image.device;
  return p;
}

}  // namespace tessera
