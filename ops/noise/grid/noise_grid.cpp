// SPDX-License-Identifier: Apache-2.0
// The grid's plan: nodes, the measurements at them, holes.
#include "tessera/noise_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/check.hpp"
#include "core/plan_impl.hpp"
#include "core/refuse.hpp"
#include "core/rows.hpp"
#include "ops/noise/grid/noise_draw.hpp"
#include "ops/noise/grid/noise_fill.hpp"
#include "ops/noise/grid/noise_grid_methods.hpp"
#include "ops/noise/noise_buffer.hpp"
#include "ops/noise/noise_check.hpp"
#include "ops/noise/noise_two_pass.hpp"

namespace tessera {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Every step-th position from 0 on, and the last.
std::vector<int> places(int size, int step) {
  std::vector<int> found;
  for (long long at = 0; at < size; at += step) found.push_back(static_cast<int>(at));
  if (size > 0 && found.back() != size - 1) found.push_back(size - 1);
  return found;
}

NoiseGridProblem make_grid_problem(const ImageInfo& image, const NoiseOptions& options) {
  if (options.mode != NoiseMode::grid)
    refuse("noise", fmt::format("a grid of nodes has no mode {}; Noise has it, or give mode grid",
                                name_of(options.mode)));
  NoiseGridProblem p;
  static_cast<NoiseProblem&>(p) = make_noise_problem(image, options);
  p.steps = noise_grid_steps(options);
  p.nodes.columns = places(image.size.width, p.steps.width);
  p.nodes.rows = places(image.size.height, p.steps.height);
  return p;
}

void check_nodes(const NoiseGridProblem& p, const NoiseNodes& nodes) {
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

void check_node_rows(const NoiseGridProblem& p, Rows node_rows) {
  const auto rows = static_cast<int>(p.nodes.rows.size());
  if (node_rows.count() <= 0 || (node_rows.first >= 0 && node_rows.end <= rows)) return;
  refuse("noise", fmt::format("rows {} to {} of nodes are requested; the plan has rows 0 to {}",
                              node_rows.first, node_rows.end, rows));
}

ImageInfo host_info(ImageInfo info) {
  info.device = kHost;
  return info;
}

/// Boxes, the number of planes they make, and the maps [first, end) that the last planes become.
struct NoisePass {
  const NoiseBoxes& boxes;
  int made, first, end;
};

/// The boxes of a pass: `of` is the problem of the grid, or of one of its two passes.
NoiseBoxesPointer make_boxes(const NoiseGridProblem& problem, const NoiseGridMethod& method,
                             const NoiseProblem& of) {
  NoiseGridProblem own = problem;
  static_cast<NoiseProblem&>(own) = of;
  return method.make(own);
}

/// Its runner measures everything, or the first of two passes.
struct NoiseGridPlan final : ImagePlanOf<NoiseGridProblem, NoiseBoxes> {
  bool quantiles;
  NoiseBoxesPointer second;  ///< the second pass, if there are two

  NoiseGridPlan(const ImageInfo& image, const NoiseOptions& options)
      : ImagePlanOf("noise", make_grid_problem(image, options), noise_grid_methods(), options,
                    {.make =
                         [](const NoiseGridProblem& p, const NoiseGridMethod& row) {
                           return p.two_pass ? make_boxes(p, row, first_pass(p)) : row.make(p);
                         }}),
        quantiles(!options.quantiles.orders.empty()),
        second(problem.two_pass ? make_boxes(problem, method, second_pass(problem)) : nullptr) {}

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
    std::vector<double> values(plane * static_cast<std::size_t>(by.made), kNan);
    by.boxes.at(in, part, values.data(), stream);
    for (int p = by.first; p < by.end; ++p)
      std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(plane) * (by.made - by.end + p),
                  plane, &to.at(p, node_rows.first, 0));
  }
};

}  // namespace

NoiseGrid::NoiseGrid(const ImageInfo& image, const NoiseOptions& options)
    : ImagePlan(std::make_shared<const NoiseGridPlan>(image, options)) {}

int NoiseGrid::node_rows() const {
  return static_cast<int>(impl<NoiseGridPlan>().problem.nodes.rows.size());
}
long long NoiseGrid::node_count() const {
  const NoiseLattice& nodes = impl<NoiseGridPlan>().problem.nodes;
  return std::ssize(nodes.columns) * std::ssize(nodes.rows);
}
bool NoiseGrid::two_pass() const { return impl<NoiseGridPlan>().problem.two_pass; }
int NoiseGrid::source_row(int row) const {
  return border_index(row, input().size.height, impl<NoiseGridPlan>().problem.border);
}

NoiseNodes NoiseGrid::nodes() const {
  const NoiseLattice& all = impl<NoiseGridPlan>().problem.nodes;
  const int planes = output().size.planes;
  return {all.columns, all.rows, planes,
          std::vector<double>(all.columns.size() * all.rows.size() * planes, kNan)};
}

Rows NoiseGrid::needs(Rows node_rows) const {
  const auto& plan = impl<NoiseGridPlan>();
  check_node_rows(plan.problem, node_rows);
  const Rows read = plan.reads(node_rows);
  if (!two_pass() || read.count() <= 0) return read;
  const Rows inside = plan.problem.rows_inside(read);
  return {std::min(read.first, inside.first), std::max(read.end, inside.end)};
}

void NoiseGrid::measure(NoiseNodes& nodes, const Piece& in, Rows node_rows, Stream& stream) const {
  const auto& plan = impl<NoiseGridPlan>();
  plan.check(nodes, in, node_rows, needs(node_rows), stream);
  if (node_rows.count() <= 0 || nodes.columns.empty()) return;
  const int planes = output().size.planes;
  const int made = two_pass() ? first_pass(plan.problem).output.size.planes : planes;
  plan.measure({*plan.runner, made, 0, made}, nodes, in, node_rows, stream);
}

void NoiseGrid::measure_rms(NoiseNodes& nodes, const Piece& in, Rows node_rows,
                            Stream& stream) const {
  const auto& plan = impl<NoiseGridPlan>();
  plan.check(nodes, in, node_rows, needs(node_rows), stream);
  if (!two_pass())
    refuse("noise",
           "only the noise is requested, which the plan's options do not allow; give two-pass");
  if (node_rows.count() <= 0 || nodes.columns.empty()) return;
  const NoiseProblem second = second_pass(plan.problem);
  const Rows rows = plan.problem.rows_inside(plan.reads(node_rows));
  Image background({input().size.width, rows.count()}, output().type);
  draw_noise_plane(nodes, 0, rows.first, background.view(), stream);
  const NoiseBuffer difference(second.image, rows, stream);
  subtract_background(plan.problem, in.view.rows(rows.first - in.first_row, rows.count()),
                      background.view(), difference.plane(0), stream);
  plan.measure({*plan.second, second.output.size.planes, 1, 2}, nodes,
               {difference.plane(0), rows.first}, node_rows, stream);
}

void NoiseGrid::settle(NoiseNodes& nodes) const { settle(nodes, Stream()); }

void NoiseGrid::settle(NoiseNodes& nodes, const Stream& stream) const {
  check_nodes(impl<NoiseGridPlan>().problem, nodes);
  const Size size{static_cast<int>(nodes.columns.size()), static_cast<int>(nodes.rows.size()), 1,
                  nodes.planes};
  if (!size.empty())
    fill_from_nearest(packed(nodes.values.data(), size), nodes.columns, nodes.rows,
                      stream.threads());
}

NoiseNodes NoiseGrid::measured(AnyView in, Stream& stream) const {
  NoiseNodes all = nodes();
  const Rows rows{0, node_rows()};
  measure(all, {in, 0}, rows, stream);
  settle(all, stream);
  if (!two_pass()) return all;
  measure_rms(all, {in, 0}, rows, stream);
  settle(all, stream);
  return all;
}

void NoiseGrid::draw(const NoiseNodes& nodes, Rows rows, AnyMutableView out,
                     const Stream& stream) const {
  const ImageInfo planned = host_info(output());
  check_nodes(impl<NoiseGridPlan>().problem, nodes);
  check_piece("noise", "output", out.info(), planned);
  if (out.size.height != rows.count() || rows.first < 0 || rows.end > planned.size.height)
    refuse("noise",
           fmt::format("rows {} to {} are to be drawn into {} rows; the maps have rows 0 to {}",
                       rows.first, rows.end, out.size.height, planned.size.height));
  for (int p = 0; p < nodes.planes && !out.size.empty(); ++p)
    draw_noise_plane(nodes, p, rows.first, out.only_plane(p), stream);
}

void NoiseGrid::mask(AnyView in, AnyMutableView maps) const { mask(in, maps, Stream()); }

void NoiseGrid::mask(AnyView in, AnyMutableView maps, const Stream& stream) const {
  check_piece("noise", "image", in.info(), host_info(input()));
  check_piece("noise", "output", maps.info(), host_info(output()));
  if (in.size.height != maps.size.height)
    refuse(
        "noise",
        fmt::format("{} rows of the image are to mask {} rows of the maps; give the same rows of "
                    "both",
                    in.size.height, maps.size.height));
  const NoiseProblem& p = impl<NoiseGridPlan>().problem;
  if (!p.nomask) mask_blanks(p.blanks, in, maps, stream);
}

}  // namespace tessera
