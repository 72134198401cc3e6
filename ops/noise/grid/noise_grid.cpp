// SPDX-License-Identifier: Apache-2.0
// The grid's plan: nodes, the measurements at them, holes.
#include "tessera/noise_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "ops/noise/grid/noise_cells.hpp"
#include "ops/noise/grid/noise_fill.hpp"
#include "ops/noise/grid/noise_grid_plan.hpp"

namespace tessera {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

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

/// The cells found in rows of cells.
std::span<const NoiseCell> cells_in_rows(const NoiseNodes& nodes, Rows rows) {
  const auto place = [&](int row) {
    return std::ranges::lower_bound(nodes.cells, row, {}, &NoiseCell::row);
  };
  return {place(rows.first), place(rows.end)};
}

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
int NoiseGrid::cell_rows() const { return std::max(0, node_rows() - 1); }
bool NoiseGrid::two_pass() const { return impl<NoiseGridPlan>().two_pass(); }
int NoiseGrid::source_row(int row) const {
  return border_index(row, input().size.height, impl<NoiseGridPlan>().problem.border);
}

NoiseNodes NoiseGrid::nodes() const {
  const NoiseLattice& all = impl<NoiseGridPlan>().problem.nodes;
  const int planes = output().size.planes;
  const auto& plan = impl<NoiseGridPlan>();
  const std::size_t plane = all.columns.size() * all.rows.size();
  const bool keeps_noise = plan.quantiles && plan.refines();
  return {all.columns,
          all.rows,
          planes,
          std::vector<double>(plane * static_cast<std::size_t>(planes), kNan),
          std::vector<double>(keeps_noise ? plane : 0, kNan),
          {},
          {}};
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
  plan.measure(plan.first(), nodes, in, node_rows, stream);
}

void NoiseGrid::measure_rms(NoiseNodes& nodes, const Piece& in, Rows node_rows,
                            Stream& stream) const {
  const auto& plan = impl<NoiseGridPlan>();
  plan.check(nodes, in, node_rows, needs(node_rows), stream);
  if (!two_pass())
    refuse("noise",
           "only the noise is requested, which the plan's options do not allow; give two-pass");
  if (node_rows.count() <= 0 || nodes.columns.empty()) return;
  const auto difference = plan.difference(nodes, in, node_rows, stream);
  plan.measure(plan.rms(), nodes, difference.piece(), node_rows, stream);
}

bool NoiseGrid::find_cells(NoiseNodes& nodes, bool rms) const {
  const auto& plan = impl<NoiseGridPlan>();
  check_nodes(plan.problem, nodes);
  nodes.cells.clear();
  if (!plan.refines() || nodes.values.empty()) return false;
  const std::size_t plane = nodes.columns.size() * nodes.rows.size();
  NoiseLook look{.first = rms ? 1 : 0, .end = two_pass() && !rms ? 1 : nodes.planes};
  look.noise = plan.quantiles ? nodes.noise.data() : nodes.values.data() + plane;
  look.spread = !plan.quantiles && (rms || !two_pass());
  const double tolerance = plan.options.refine;
  const bool again = std::ranges::any_of(
      nodes.patches, [&](const NoisePatch& patch) { return patch.first_plane == look.first; });
  nodes.cells =
      again ? cells_across_edges(nodes, look, tolerance) : bent_cells(nodes, look, tolerance);
  std::ranges::sort(nodes.patches, {}, [](const NoisePatch& patch) {
    return std::pair(patch.first_plane, patch.cell);
  });
  return !nodes.cells.empty();
}

void NoiseGrid::refine(NoiseNodes& nodes, const Piece& in, Rows cell_rows, Stream& stream) const {
  if (cell_rows.count() <= 0) return;
  const auto& plan = impl<NoiseGridPlan>();
  plan.check(nodes, in, cell_rows, needs({cell_rows.first, cell_rows.end + 1}), stream);
  for (const Rows rows : plan.groups(cell_rows))
    if (const auto cells = cells_in_rows(nodes, rows); !cells.empty())
      plan.refine_cells(plan.first_maps(), nodes, cells, in, stream);
}

void NoiseGrid::refine_rms(NoiseNodes& nodes, const Piece& in, Rows cell_rows,
                           Stream& stream) const {
  if (cell_rows.count() <= 0) return;
  const auto& plan = impl<NoiseGridPlan>();
  plan.check(nodes, in, cell_rows, needs({cell_rows.first, cell_rows.end + 1}), stream);
  for (const Rows rows : plan.groups(cell_rows)) {
    const auto cells = cells_in_rows(nodes, rows);
    if (cells.empty()) continue;
    const auto difference = plan.difference(nodes, in, {rows.first, rows.end + 1}, stream);
    plan.refine_cells(plan.rms(), nodes, cells, difference.piece(), stream);
  }
}

void NoiseGrid::settle(NoiseNodes& nodes) const { settle(nodes, Stream()); }

void NoiseGrid::settle(NoiseNodes& nodes, const Stream& stream) const {
  check_nodes(impl<NoiseGridPlan>().problem, nodes);
  const Size size{static_cast<int>(nodes.columns.size()), static_cast<int>(nodes.rows.size()), 1,
                  nodes.planes};
  if (!size.empty())
    fill_from_nearest(packed(nodes.values.data(), size), nodes.columns, nodes.rows,
                      stream.threads());
  if (!nodes.noise.empty())
    fill_from_nearest(packed(nodes.noise.data(), Size{size.width, size.height}), nodes.columns,
                      nodes.rows, stream.threads());
}

NoiseNodes NoiseGrid::measured(AnyView in, Stream& stream) const {
  NoiseNodes all = nodes();
  const Rows rows{0, node_rows()};
  const Rows cells{0, cell_rows()};
  measure(all, {in, 0}, rows, stream);
  settle(all, stream);
  while (find_cells(all)) refine(all, {in, 0}, cells, stream);
  if (!two_pass()) return all;
  measure_rms(all, {in, 0}, rows, stream);
  settle(all, stream);
  while (find_cells(all, true)) refine_rms(all, {in, 0}, cells, stream);
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
