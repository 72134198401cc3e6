// SPDX-License-Identifier: Apache-2.0
// The grid's plan: nodes, the measurements at them, holes.
#include "tessera/noise_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/check.hpp"
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

}  // namespace

/// Boxes, how many planes they give, and which of the maps the last of these are.
struct NoisePass {
  NoiseBoxesPointer boxes;
  int made = 0;
  int first = 0, end = 0;
};

struct NoiseGrid::Impl {
  NoiseGridProblem problem;
  bool quantiles;
  const NoiseGridMethod* method;
  NoisePass all;         ///< or the first of two
  NoisePass difference;  ///< the second

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
             const Stream& stream) const;
  NoisePass pass(const NoiseProblem& of, int first, int end) const;
  void measure(const NoisePass& by, NoiseNodes& to, const Piece& in, Rows node_rows,
               Stream& stream) const;
};

NoisePass NoiseGrid::Impl::pass(const NoiseProblem& of, int first, int end) const {
  NoiseGridProblem own = problem;
  static_cast<NoiseProblem&>(own) = of;
  return {method->make(own), of.output.size.planes, first, end};
}

void NoiseGrid::Impl::measure(const NoisePass& by, NoiseNodes& to, const Piece& in, Rows node_rows,
                              Stream& stream) const {
  const NoiseLattice part = lattice(node_rows);
  const std::size_t plane = part.columns.size() * part.rows.size();
  std::vector<double> values(plane * static_cast<std::size_t>(by.made), kNan);
  by.boxes->at(in, part, values.data(), stream);
  for (int p = by.first; p < by.end; ++p)
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(plane) * (by.made - by.end + p), plane,
                &to.at(p, node_rows.first, 0));
}

NoiseGrid::NoiseGrid(const ImageInfo& image, const NoiseOptions& options) {
  auto impl = std::make_shared<Impl>();
  impl->problem = make_grid_problem(image, options);
  impl->quantiles = !options.quantiles.orders.empty();
  impl->method = &choose("noise", noise_grid_methods(), impl->problem,
                         wanted_backend(options.backend), options.method, this_machine());
  if (impl->problem.two_pass) {
    const NoiseProblem first = first_pass(impl->problem);
    impl->all = impl->pass(first, 0, first.output.size.planes);
    impl->difference = impl->pass(second_pass(impl->problem), 1, 2);
  } else {
    impl->all = impl->pass(impl->problem, 0, impl->problem.output.size.planes);
  }
  impl_ = std::move(impl);
}

const ImageInfo& NoiseGrid::input() const { return impl_->problem.image; }
const ImageInfo& NoiseGrid::output() const { return impl_->problem.output; }
int NoiseGrid::node_rows() const { return static_cast<int>(impl_->problem.nodes.rows.size()); }
long long NoiseGrid::node_count() const {
  return std::ssize(impl_->problem.nodes.columns) * std::ssize(impl_->problem.nodes.rows);
}
bool NoiseGrid::two_pass() const { return impl_->problem.two_pass; }
Backend NoiseGrid::backend() const { return impl_->method->backend; }
std::string NoiseGrid::method() const { return impl_->method->name; }
int NoiseGrid::device() const {
  return impl_->method->backend == Backend::cuda ? impl_->problem.device : kHost;
}
int NoiseGrid::source_row(int row) const {
  return border_index(row, impl_->problem.image.size.height, impl_->problem.border);
}

NoiseNodes NoiseGrid::nodes() const {
  const NoiseLattice& all = impl_->problem.nodes;
  const int planes = impl_->problem.output.size.planes;
  return {all.columns, all.rows, planes,
          std::vector<double>(all.columns.size() * all.rows.size() * planes, kNan)};
}

Rows NoiseGrid::needs(Rows node_rows) const {
  check_node_rows(impl_->problem, node_rows);
  const Rows read = impl_->reads(node_rows);
  if (!two_pass() || read.count() <= 0) return read;
  const Rows inside = impl_->problem.rows_inside(read);
  return {std::min(read.first, inside.first), std::max(read.end, inside.end)};
}

void NoiseGrid::Impl::check(const NoiseNodes& nodes, const Piece& in, Rows node_rows, Rows needs,
                            const Stream& stream) const {
  check_piece("noise", "input", in.view.info(), problem.image);
  check_stream("noise", stream, method->backend == Backend::cuda ? problem.device : kHost);
  check_nodes(problem, nodes);
  if (node_rows.count() > 0)
    find_rows("noise", needs, in.rows(), problem.image.size.height, problem.border);  // or throws
}

void NoiseGrid::measure(NoiseNodes& nodes, const Piece& in, Rows node_rows, Stream& stream) const {
  impl_->check(nodes, in, node_rows, needs(node_rows), stream);
  if (node_rows.count() <= 0 || nodes.columns.empty()) return;
  impl_->measure(impl_->all, nodes, in, node_rows, stream);
}

void NoiseGrid::measure_rms(NoiseNodes& nodes, const Piece& in, Rows node_rows,
                            Stream& stream) const {
  impl_->check(nodes, in, node_rows, needs(node_rows), stream);
  if (!two_pass())
    refuse("noise",
           "only the noise is requested, which the plan's options do not allow; give two-pass");
  if (node_rows.count() <= 0 || nodes.columns.empty()) return;
  const NoiseProblem second = second_pass(impl_->problem);
  const Rows rows = impl_->problem.rows_inside(impl_->reads(node_rows));
  Image background({input().size.width, rows.count()}, output().type);
  draw_noise_plane(nodes, 0, rows.first, background.view(), stream);
  const NoiseBuffer difference(second.image, rows, stream);
  subtract_background(impl_->problem, in.view.rows(rows.first - in.first_row, rows.count()),
                      background.view(), difference.plane(0), stream);
  impl_->measure(impl_->difference, nodes, {difference.plane(0), rows.first}, node_rows, stream);
}

void NoiseGrid::settle(NoiseNodes& nodes) const { settle(nodes, Stream()); }

void NoiseGrid::settle(NoiseNodes& nodes, const Stream& stream) const {
  check_nodes(impl_->problem, nodes);
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
  check_nodes(impl_->problem, nodes);
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
  if (!impl_->problem.nomask) mask_blanks(impl_->problem.blanks, in, maps, stream);
}

std::string NoiseGrid::describe() const {
  const NoiseGridProblem& p = impl_->problem;
  return fmt::format("noise {}, box {}x{}, {}x{} nodes, {}{}: {} {}, {}", image_text(p.image),
                     p.box.width, p.box.height, p.nodes.columns.size(), p.nodes.rows.size(),
                     impl_->quantiles ? "quantiles" : name_of(p.estimator),
                     p.two_pass ? ", two-pass" : "", name_of(impl_->method->backend),
                     impl_->method->name, impl_->all.boxes->describe());
}

}  // namespace tessera
