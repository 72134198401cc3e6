// SPDX-License-Identifier: Apache-2.0
/// The inside of the grid's plan: its problems, and the work on rows of nodes and of cells.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>

#include "core/check.hpp"
#include "core/plan_impl.hpp"
#include "core/refuse.hpp"
#include "core/rows.hpp"
#include "ops/noise/grid/noise_draw.hpp"
#include "ops/noise/grid/noise_grid_methods.hpp"
#include "ops/noise/grid/noise_patches.hpp"
#include "ops/noise/noise_buffer.hpp"
#include "ops/noise/noise_check.hpp"
#include "ops/noise/noise_two_pass.hpp"

namespace tessera {

/// Every step-th position from 0 on, and the last.
inline std::vector<int> places(int size, int step) {
  std::vector<int> found;
  for (long long at = 0; at < size; at += step) found.push_back(static_cast<int>(at));
  if (size > 0 && found.back() != size - 1) found.push_back(size - 1);
  return found;
}

inline NoiseGridProblem make_grid_problem(const ImageInfo& image, const NoiseOptions& options) {
  if (options.mode != NoiseMode::grid)
    refuse("noise", fmt::format("a grid of nodes has no mode {}; Noise has it, or give mode grid",
                                name_of(options.mode)));
  NoiseGridProblem p;
  static_cast<NoiseProblem&>(p) = make_noise_problem(image, options);
  p.steps = noise_grid_steps(options);
  p.refine = options.refine;
  p.nodes.columns = places(image.size.width, p.steps.width);
  p.nodes.rows = places(image.size.height, p.steps.height);
  return p;
}

inline void check_nodes(const NoiseGridProblem& p, const NoiseNodes& nodes) {
  const std::size_t places = p.nodes.columns.size() * p.nodes.rows.size();
  const int planes = p.output.size.planes;
  if (nodes.columns == p.nodes.columns && nodes.rows == p.nodes.rows && nodes.planes == planes &&
      nodes.values.size() == places * static_cast<std::size_t>(planes))
    return;
  refuse(
      "noise",
      fmt::format("{}x{} nodes with {} planes and {} values do not fit the plan, which has {}x{} "
                  "with {} planes at its own positions; begin with the result of its nodes()",
                  nodes.columns.size(), nodes.rows.size(), nodes.planes, nodes.values.size(),
                  p.nodes.columns.size(), p.nodes.rows.size(), planes));
}

/// Boxes, the problem they are made for, and the maps [first, end) that its planes from `offset` on
/// become.
struct NoisePass {
  const NoiseBoxes& boxes;
  const NoiseProblem& problem;
  int first, end, offset = 0;
  int made() const { return problem.output.size.planes; }
};

/// The problem of the noise alone, for quantiles: their cells are compared with it.
inline NoiseProblem noise_alone(NoiseProblem p) {
  p.orders = {0.25, 0.75};
  p.planes = {{.low = 0, .high = 1, .divisor = kQuartilesToSigma}};
  p.output.size.planes = 1;
  return p;
}

/// The problem of the first or only pass. Cells of a background are compared with the noise of
/// this pass, which is then measured too.
inline NoiseProblem measured_first(const NoiseGridProblem& p) {
  if (p.two_pass && p.refine <= 0) return first_pass(p);
  NoiseProblem once = p;
  once.two_pass = false;
  return once;
}
/// That of the second pass, or of the noise next to quantiles.
inline NoiseProblem measured_second(const NoiseProblem& p, const NoiseOptions& options) {
  return options.quantiles.orders.empty() ? second_pass(p) : noise_alone(p);
}

/// The boxes of a pass: `of` is the problem of the grid, or of one of its two passes.
inline NoiseBoxesPointer make_boxes(const NoiseGridProblem& problem, const NoiseGridMethod& method,
                                    const NoiseProblem& of) {
  NoiseGridProblem own = problem;
  static_cast<NoiseProblem&>(own) = of;
  return method.make(own);
}

/// Its runner measures everything, or the first of two passes.
struct NoiseGridPlan final : ImagePlanOf<NoiseGridProblem, NoiseBoxes> {
  NoiseOptions options;
  bool quantiles;
  NoiseProblem first_problem, second_problem;
  NoiseBoxesPointer second;  ///< the second of two passes, or the noise next to quantiles

  NoiseGridPlan(const ImageInfo& image, const NoiseOptions& given)
      : ImagePlanOf("noise", make_grid_problem(image, given), noise_grid_methods(), given,
                    {.make =
                         [](const NoiseGridProblem& p, const NoiseGridMethod& row) {
                           return make_boxes(p, row, measured_first(p));
                         }}),
        options(given),
        quantiles(!given.quantiles.orders.empty()),
        first_problem(measured_first(problem)),
        second_problem(measured_second(problem, given)),
        second(make_boxes(problem, method, second_problem)) {}

  bool refines() const { return options.refine > 0; }
  bool two_pass() const { return problem.two_pass; }
  /// Everything, or the first of two passes.
  NoisePass first() const {
    const int planes = problem.output.size.planes;
    return {*runner, first_problem, 0, std::min(planes, first_problem.output.size.planes)};
  }
  /// The maps of that pass which are kept: of two passes, the background.
  NoisePass first_maps() const {
    NoisePass pass = first();
    if (two_pass()) pass.end = 1;
    return pass;
  }
  /// The noise of the image minus its background.
  NoisePass rms() const {
    return {*second, second_problem, 1, 2, second_problem.output.size.planes - 1};
  }

  std::string problem_text() const override {
    return fmt::format(
        "noise {}, box {}x{}, {}x{} nodes, {}{}", image_text(problem.image), problem.box.width,
        problem.box.height, problem.nodes.columns.size(), problem.nodes.rows.size(),
        quantiles ? "quantiles" : name_of(problem.estimator), problem.two_pass ? ", two-pass" : "");
  }

  NoiseLattice lattice(Rows node_rows) const {
    const auto first = problem.nodes.rows.begin();
    return {problem.nodes.columns, {first + node_rows.first, first + node_rows.end}};
  }
  /// Image rows that rows of nodes read, inside or outside the image.
  Rows reads(Rows node_rows) const {
    if (node_rows.count() <= 0) return {0, 0};
    const NoiseLattice part = lattice(node_rows);
    return problem.reads({part.rows.front(), part.rows.back() + 1});
  }
  /// Checks that a call fits the plan.
  void check(const NoiseNodes& nodes, const Piece& in, Rows node_rows, Rows needs,
             const Stream& stream) const {
    check_piece("noise", "input", in.view.info(), problem.image);
    check_stream("noise", stream, device());
    check_nodes(problem, nodes);
    if (node_rows.count() > 0)
      find_rows("noise", needs, in.rows(), problem.image.size.height, problem.border);  // or throws
  }
  void measure(const NoisePass& by, NoiseNodes& to, const Piece& in, Rows node_rows,
               Stream& stream) const {
    const NoiseLattice part = lattice(node_rows);
    const std::size_t plane = part.columns.size() * part.rows.size();
    std::vector<double> values(plane * static_cast<std::size_t>(by.made()),
                               std::numeric_limits<double>::quiet_NaN());
    by.boxes.at(in, part, values.data(), stream);
    const auto copy = [&](int made, double* where) {
      std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(plane) * made, plane, where);
    };
    for (int p = by.first; p < by.end; ++p)
      copy(by.offset + p - by.first, &to.at(p, node_rows.first, 0));
    if (!to.noise.empty())
      second->at(in, part,
                 &to.noise[part.columns.size() * static_cast<std::size_t>(node_rows.first)],
                 stream);
  }

  /// The rows that nodes read, minus the background: an image of its own.
  struct Difference {
    NoiseBuffer rows;
    int first_row;
    Piece piece() const { return {rows.plane(0), first_row}; }
  };
  Difference difference(const NoiseNodes& nodes, const Piece& in, Rows node_rows,
                        Stream& stream) const {
    const Rows rows = problem.rows_inside(reads(node_rows));
    Image background({problem.image.size.width, rows.count()}, problem.output.type);
    draw_noise_plane(nodes, 0, rows.first, background.view(), stream);
    Difference made{NoiseBuffer(second_problem.image, rows, stream), rows.first};
    subtract_background(problem, in.view.rows(rows.first - in.first_row, rows.count()),
                        background.view(), made.rows.plane(0), stream);
    return made;
  }

  /// Every pixel's own maps in columns and rows of an image, by a plan for the columns that they
  /// need: its edges are the image's, or too far away to matter.
  Image pixels(const NoisePass& by, const Piece& in, Rows columns, Rows rows,
               Stream& stream) const {
    const int left = std::max(0, columns.first - problem.box.left());
    const int right = std::min(problem.image.size.width, columns.end + problem.box.right());
    ImageInfo part = by.problem.image;
    part.size.width = right - left;
    const Noise plan(part, pixel_options(by));
    const Piece from{in.view.region(left, 0, right - left, in.view.size.height), in.first_row};
    const NoiseBuffer made(plan.output(), rows, stream);
    plan(from, made.piece(), stream);
    stream.wait();
    Image image({columns.count(), rows.count(), 1, plan.output().size.planes}, plan.output().type);
    for (int p = 0; p < plan.output().size.planes; ++p)
      copy_anywhere(made.plane(p).region(columns.first - left, 0, columns.count(), rows.count()),
                    image.view().only_plane(p), stream);
    stream.wait();
    return image;
  }
  NoiseOptions pixel_options(const NoisePass& by) const {
    NoiseOptions exact = options;
    exact.mode = NoiseMode::exact;
    exact.grid.reset();
    exact.refine = NoiseOptions().refine;
    exact.two_pass = false;
    exact.nomask = true;
    exact.zero_is_blank = by.problem.blanks.zero;
    exact.backend = method.backend;
    exact.method = "auto";
    return exact;
  }

  bool refines_to_pixels() const { return problem.estimator == NoiseEstimator::iqr; }
  /// Rows of cells that are refined together: one by one, or if every pixel is made several,
  /// because rows of boxes reach beyond them and are read for each group.
  std::vector<Rows> groups(Rows cell_rows) const {
    const int least = refines_to_pixels() ? 2 * problem.box.height : 1;
    const auto row = [&](int node) { return problem.nodes.rows[static_cast<std::size_t>(node)]; };
    std::vector<Rows> all;
    for (int first = cell_rows.first; first < cell_rows.end; first = all.back().end) {
      int end = first + 1;
      while (end < cell_rows.end && row(end) - row(first) < least) ++end;
      all.push_back({first, end});
    }
    return all;
  }

  /// Adds patches for the cells of a group of rows of cells, from rows of the image or of the
  /// difference.
  void refine_cells(const NoisePass& by, NoiseNodes& nodes, std::span<const NoiseCell> cells,
                    const Piece& in, Stream& stream) const {
    // Half: these cells are known not to be smooth.
    PatchMaps maps{by.made(), by.offset, by.first, by.end, options.refine / 2};
    if (refines_to_pixels()) {
      // Planes as the public plan makes them: background and noise, or the quantiles.
      maps.offset = by.first;
      add(nodes, pixel_patches(nodes, cells, maps, problem.box.width, [&](Rows columns, Rows rows) {
            return pixels(by, in, columns, rows, stream);
          }));
    } else {
      add(nodes, halved_patches(nodes, cells, maps,
                                [&](const std::vector<int>& columns, const std::vector<int>& rows,
                                    double* values) {
                                  by.boxes.at(in, {columns, rows}, values, stream);
                                }));
    }
  }
  static void add(NoiseNodes& nodes, std::vector<NoisePatch> more) {
    nodes.patches.insert(nodes.patches.end(), std::make_move_iterator(more.begin()),
                         std::make_move_iterator(more.end()));
  }
};

}  // namespace tessera
