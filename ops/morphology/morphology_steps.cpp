// SPDX-License-Identifier: Apache-2.0
// The passes of every kind, and the rows that two passes need.
#include "ops/morphology/morphology_steps.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "core/rows.hpp"
#include "tessera/border.hpp"

namespace tessera {
namespace {

Rows both_rows(Rows a, Rows b) { return {std::min(a.first, b.first), std::max(a.end, b.end)}; }

/// The passes of a kind, and the difference at its end.
struct Recipe {
  std::vector<MorphologyKind> passes;
  MorphologyDifference difference = MorphologyDifference::none;
};

Recipe recipe_of(MorphologyKind kind) {
  constexpr auto kErode = MorphologyKind::erode, kDilate = MorphologyKind::dilate;
  switch (kind) {
    case MorphologyKind::opening:
      return {{kErode, kDilate}};
    case MorphologyKind::closing:
      return {{kDilate, kErode}};
    case MorphologyKind::white_tophat:
      return {{kErode, kDilate}, MorphologyDifference::input_minus_output};
    case MorphologyKind::black_tophat:
      return {{kDilate, kErode}, MorphologyDifference::output_minus_input};
    case MorphologyKind::gradient:
      return {{kErode, kDilate}, MorphologyDifference::output_minus_middle};
    default:
      return {{kind}};
  }
}

/// Cuts both outputs of a gradient to the pixels that both passes have.
void cut_to_common(MorphologyProblem& a, MorphologyProblem& b) {
  const Point first{std::max(a.first_pixel.x, b.first_pixel.x),
                    std::max(a.first_pixel.y, b.first_pixel.y)};
  const auto end = [](int first_a, int count_a, int first_b, int count_b) {
    return std::min(first_a + count_a, first_b + count_b);
  };
  Size size = a.output.size;
  size.width = std::max(
      0, end(a.first_pixel.x, a.output.size.width, b.first_pixel.x, b.output.size.width) - first.x);
  size.height = std::max(
      0,
      end(a.first_pixel.y, a.output.size.height, b.first_pixel.y, b.output.size.height) - first.y);
  for (MorphologyProblem* p : {&a, &b}) {
    p->output.size = size;
    p->anchor = {p->anchor.x - (first.x - p->first_pixel.x),
                 p->anchor.y - (first.y - p->first_pixel.y)};
    p->first_pixel = first;
  }
}

}  // namespace

MorphologySteps make_morphology_steps(MorphologyKind kind, const ImageInfo& image, AnyView element,
                                      const MorphologyOptions& options, MorphologySamples samples) {
  const char* name = name_of(kind).data();
  check_image(name, image);
  check_constant(name, options.border, options.constant, image.type);
  const CheckedElement checked = check_element(name, element, options);
  const Recipe recipe = recipe_of(kind);
  MorphologySteps steps;
  steps.kind = kind;
  steps.image = image;
  steps.element = element.size;
  steps.border = options.border;
  steps.samples = samples;
  steps.difference = recipe.difference;
  for (const MorphologyKind pass : recipe.passes) {
    const bool reads_middle = !steps.passes.empty() && !steps.subtracts_middle();
    steps.passes.push_back(make_morphology_pass(
        pass, reads_middle ? steps.passes.back().output : image, checked, options));
  }
  if (steps.subtracts_middle()) cut_to_common(steps.passes.front(), steps.passes.back());
  steps.output = steps.passes.back().output;
  steps.first_pixel = steps.passes.front().first_pixel;
  if (steps.chained()) {
    steps.first_pixel.x += steps.passes.back().first_pixel.x;
    steps.first_pixel.y += steps.passes.back().first_pixel.y;
  }
  steps.device = steps.passes.front().device;
  return steps;
}

Rows MorphologySteps::middle_rows(Rows out) const {
  const MorphologyProblem& second = passes.back();
  const int height = second.image.size.height;
  const Rows wanted = second.needs(out);
  if (border == Border::wrap) return wanted.count() >= height ? Rows{0, height} : wanted;
  // Reflection turns the first pass upside down as well, so its rows outside are not computed
  // there: those that the rule names are.
  Rows rows{std::clamp(wanted.first, 0, height), std::clamp(wanted.end, 0, height)};
  const auto take = [&](int row) {
    const int stand_in = border_index(row, height, border);
    if (stand_in != kNoPixel) rows = both_rows(rows, {stand_in, stand_in + 1});
  };
  for (int row = wanted.first; row < std::min(wanted.end, 0); ++row) take(row);
  for (int row = std::max(wanted.first, height); row < wanted.end; ++row) take(row);
  return rows;
}

Rows MorphologySteps::needs(Rows out) const {
  if (passes.size() == 1) return passes.front().needs(out);
  const Rows own{out.first + first_pixel.y, out.end + first_pixel.y};
  if (!chained())
    return both_rows(own, both_rows(passes.front().needs(out), passes.back().needs(out)));
  if (passes.back().image.size.empty()) return own;
  return both_rows(own, passes.front().needs(middle_rows(out)));
}

void MorphologySteps::check_rows(const Piece& in, Rows out) const {
  const auto check = [&](Rows rows) {
    find_rows(name_of(kind).data(), rows, in.rows(), image.size.height, border);
  };
  if (chained()) {
    check(passes.front().reads(middle_rows(out)));
  } else {
    for (const MorphologyProblem& pass : passes) check(pass.reads(out));
  }
  if (subtracts_image()) check({out.first + first_pixel.y, out.end + first_pixel.y});
}

std::pair<AnyView, AnyView> MorphologySteps::operands(const Piece& in, const AnyView& middle,
                                                      const MutablePiece& out) const {
  const Size size = out.view.size;
  const AnyView under = in.view.rows(out.first_row + first_pixel.y - in.first_row, size.height)
                            .region(first_pixel.x, 0, size.width, size.height);
  switch (difference) {
    case MorphologyDifference::input_minus_output:
      return {under, out.view};
    case MorphologyDifference::output_minus_input:
      return {out.view, under};
    default:
      return {out.view, middle};
  }
}

}  // namespace tessera
