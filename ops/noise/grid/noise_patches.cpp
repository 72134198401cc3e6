// SPDX-License-Identifier: Apache-2.0
#include "ops/noise/grid/noise_patches.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "core/samples.hpp"
#include "ops/noise/noise_values.cuh"

namespace tessera {
namespace {

std::size_t unsigned_of(int i) { return static_cast<std::size_t>(i); }

/// Columns and rows of points, and values there.
struct Points {
  const std::vector<int>&columns, &rows;
  const double* values;

  /// Bilinear at a pixel inside.
  double at(int x, int y) const {
    const auto [i, fx] = before(columns, x);
    const auto [j, fy] = before(rows, y);
    const std::size_t in = i + (fx > 0), jn = j + (fy > 0), width = columns.size();
    return between(between(values[j * width + i], values[jn * width + i], fy),
                   between(values[j * width + in], values[jn * width + in], fy), fx);
  }

 private:
  static std::pair<std::size_t, double> before(const std::vector<int>& at, int x) {
    const auto after = std::upper_bound(at.begin(), at.end(), x);
    const auto i = static_cast<std::size_t>(after - at.begin()) - 1;
    if (after == at.end()) return {i, 0};
    return {i, static_cast<double>(x - at[i]) / (at[i + 1] - at[i])};
  }
};

/// Points without a value take that of the map between nodes.
double or_between_nodes(double value, const NoiseNodes& nodes, int plane, int x, int y) {
  if (!std::isnan(value)) return value;
  return Points{nodes.columns, nodes.rows,
                &nodes.values[nodes.rows.size() * nodes.columns.size() * unsigned_of(plane)]}
      .at(x, y);
}

/// A middle between any two that have a pixel between them.
std::vector<int> halved(const std::vector<int>& at) {
  std::vector<int> more{at.front()};
  for (std::size_t i = 1; i < at.size(); ++i) {
    if (at[i] - at[i - 1] > 1) more.push_back(at[i - 1] + (at[i] - at[i - 1]) / 2);
    more.push_back(at[i]);
  }
  return more;
}
std::vector<int> added(const std::vector<int>& all, const std::vector<int>& old) {
  std::vector<int> rest;
  std::ranges::set_difference(all, old, std::back_inserter(rest));
  return rest;
}

NoisePatch corners(const NoiseNodes& nodes, const NoiseCell& cell, const PatchMaps& maps) {
  const std::size_t i = unsigned_of(cell.column), j = unsigned_of(cell.row);
  NoisePatch patch{cell,
                   maps.first,
                   maps.end - maps.first,
                   {nodes.columns[i], nodes.columns[i + 1]},
                   {nodes.rows[j], nodes.rows[j + 1]},
                   {}};
  for (int p = maps.first; p < maps.end; ++p)
    for (const int row : {cell.row, cell.row + 1})
      for (const int column : {cell.column, cell.column + 1})
        patch.values.push_back(nodes.at(p, row, column));
  return patch;
}

/// Cells of one row whose points are halved together.
class Halving {
 public:
  Halving(const NoiseNodes& nodes, std::span<const NoiseCell> cells, const PatchMaps& maps,
          const MeasurePoints& measure)
      : nodes_(nodes), maps_(maps), measure_(measure) {
    for (const NoiseCell& cell : cells) patches_.push_back(corners(nodes, cell, maps));
    active_.resize(patches_.size());
    std::iota(active_.begin(), active_.end(), std::size_t{0});
  }

  std::vector<NoisePatch> run() {
    while (!active_.empty()) halve();
    return std::move(patches_);
  }

 private:
  /// A cell's patch with twice as many points, and whether one of these is off.
  struct Next {
    NoisePatch patch;
    bool off = false;
  };
  /// Columns of several cells, and which of the active cells each belongs to.
  struct Columns {
    std::vector<int> at;
    std::vector<std::size_t> cell;
    void add(const std::vector<int>& columns, std::size_t of) {
      std::ranges::copy(columns, std::back_inserter(at));
      cell.resize(at.size(), of);
    }
  };

  void halve() {
    const std::vector<int> old_rows = patches_[active_.front()].rows, rows = halved(old_rows);
    std::vector<Next> next;
    Columns all_columns, new_columns;
    for (const std::size_t k : active_) {
      const NoisePatch& old = patches_[k];
      all_columns.add(halved(old.columns), next.size());
      new_columns.add(added(halved(old.columns), old.columns), next.size());
      next.push_back({with_more_points(old, rows)});
    }
    take(all_columns, added(rows, old_rows), next);
    take(new_columns, old_rows, next);
    std::vector<std::size_t> still;
    for (std::size_t n = 0; n < next.size(); ++n) {
      NoisePatch& patch = patches_[active_[n]];
      patch = std::move(next[n].patch);
      if (next[n].off && can_halve(patch)) still.push_back(active_[n]);
    }
    active_ = still;
  }

  static bool can_halve(const NoisePatch& patch) {
    return halved(patch.columns).size() > patch.columns.size() ||
           halved(patch.rows).size() > patch.rows.size();
  }
  static NoisePatch with_more_points(const NoisePatch& from, const std::vector<int>& rows) {
    NoisePatch to{from.cell, from.first_plane, from.planes, halved(from.columns), rows, {}};
    to.values.resize(unsigned_of(to.planes) * to.columns.size() * rows.size());
    for (int p = 0; p < from.planes; ++p)
      for (std::size_t j = 0; j < from.rows.size(); ++j)
        for (std::size_t i = 0; i < from.columns.size(); ++i)
          to.values[place_of(to, p, from.columns[i], from.rows[j])] =
              from.values[from.place(p, j, i)];
    return to;
  }
  static std::size_t place_of(const NoisePatch& patch, int plane, int x, int y) {
    const auto find = [](const std::vector<int>& at, int value) {
      return static_cast<std::size_t>(std::ranges::lower_bound(at, value) - at.begin());
    };
    return patch.place(plane, find(patch.rows, y), find(patch.columns, x));
  }

  /// Measures points and puts them into the patches of their cells.
  void take(const Columns& columns, const std::vector<int>& rows, std::vector<Next>& next) const {
    const std::size_t width = columns.at.size(), plane = width * rows.size();
    if (plane == 0) return;
    std::vector<double> values(plane * unsigned_of(maps_.made));
    measure_(columns.at, rows, values.data());
    for (std::size_t i = 0; i < width; ++i)
      for (std::size_t j = 0; j < rows.size(); ++j)
        put(next[columns.cell[i]], patches_[active_[columns.cell[i]]], columns.at[i], rows[j],
            &values[j * width + i], plane);
  }

  /// One point; its measured planes lie `plane` values apart.
  void put(Next& next, const NoisePatch& old, int x, int y, const double* measured,
           std::size_t plane) const {
    const double noise = measured[plane * unsigned_of(maps_.made - 1)];
    for (int p = 0; p < next.patch.planes; ++p) {
      const double value = or_between_nodes(measured[plane * unsigned_of(maps_.offset + p)], nodes_,
                                            maps_.first + p, x, y);
      next.patch.values[place_of(next.patch, p, x, y)] = value;
      const double before = Points{old.columns, old.rows, &old.values[old.place(p, 0, 0)]}.at(x, y);
      if (std::abs(value - before) > maps_.tolerance * noise) next.off = true;
    }
  }

  const NoiseNodes& nodes_;
  const PatchMaps& maps_;
  const MeasurePoints& measure_;
  std::vector<NoisePatch> patches_;
  std::vector<std::size_t> active_;  ///< patches that are not good enough yet
};

std::vector<int> each(int first, int last) {
  std::vector<int> all(unsigned_of(last - first + 1));
  std::iota(all.begin(), all.end(), first);
  return all;
}

}  // namespace

std::vector<NoisePatch> halved_patches(const NoiseNodes& nodes, std::span<const NoiseCell> cells,
                                       const PatchMaps& maps, const MeasurePoints& measure) {
  return Halving(nodes, cells, maps, measure).run();
}

std::vector<NoisePatch> pixel_patches(const NoiseNodes& nodes, std::span<const NoiseCell> cells,
                                      const PatchMaps& maps, int gap, const MakePixels& make) {
  const auto first_of = [&](const NoiseCell& cell) {
    return nodes.columns[unsigned_of(cell.column)];
  };
  const auto last_of = [&](const NoiseCell& cell) {
    return nodes.columns[unsigned_of(cell.column) + 1];
  };
  std::vector<NoiseCell> sorted(cells.begin(), cells.end());
  std::ranges::sort(sorted, {},
                    [](const NoiseCell& cell) { return std::pair(cell.column, cell.row); });
  std::vector<NoisePatch> patches;
  for (std::size_t k = 0; k < sorted.size();) {
    std::size_t end = k + 1;
    while (end < sorted.size() && first_of(sorted[end]) - last_of(sorted[end - 1]) <= gap) ++end;
    const std::span<const NoiseCell> run(sorted.data() + k, end - k);
    const auto [top, bottom] = std::ranges::minmax(run, {}, &NoiseCell::row);
    const Rows rows{nodes.rows[unsigned_of(top.row)], nodes.rows[unsigned_of(bottom.row) + 1] + 1};
    const Rows columns{first_of(run.front()), last_of(run.back()) + 1};
    const Image made = make(columns, rows);
    for (const NoiseCell& cell : run) {
      NoisePatch patch = corners(nodes, cell, maps);
      patch.columns = each(patch.columns.front(), patch.columns.back());
      patch.rows = each(patch.rows.front(), patch.rows.back());
      patch.values.clear();
      for (int p = 0; p < patch.planes; ++p)
        for (const int y : patch.rows)
          for (const int x : patch.columns)
            patch.values.push_back(or_between_nodes(
                sample_at(made.view(), x - columns.first, y - rows.first, 0, maps.offset + p),
                nodes, maps.first + p, x, y));
      patches.push_back(std::move(patch));
    }
    k = end;
  }
  return patches;
}

}  // namespace tessera
