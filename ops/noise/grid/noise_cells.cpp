// SPDX-License-Identifier: Apache-2.0
#include "ops/noise/grid/noise_cells.hpp"

#include <algorithm>
#include <cmath>

namespace tessera {
namespace {

/// Finds nodes off the line between their neighbours, and cells with such corners.
class CellFinder {
 public:
  CellFinder(const NoiseNodes& nodes, const NoiseLook& look, double tolerance)
      : nodes_(nodes),
        look_(look),
        tolerance_(tolerance),
        width_(static_cast<int>(nodes.columns.size())),
        height_(static_cast<int>(nodes.rows.size())) {}

  std::vector<NoiseCell> find() const {
    const std::vector<char> bent = bent_nodes();
    const auto is_bent = [&](int row, int column) { return bent[place(row, column)] != 0; };
    std::vector<NoiseCell> cells;
    for (int j = 0; j + 1 < height_; ++j)
      for (int i = 0; i + 1 < width_; ++i) {
        const bool corners =
            is_bent(j, i) || is_bent(j, i + 1) || is_bent(j + 1, i) || is_bent(j + 1, i + 1);
        if (has_pixels(j, i) && (corners || is_spread(j, i))) cells.push_back({j, i});
      }
    return cells;
  }

 private:
  std::size_t place(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(column);
  }
  double noise(int row, int column) const { return look_.noise[place(row, column)]; }
  bool has_pixels(int row, int column) const {
    return distance(nodes_.rows, row) > 1 || distance(nodes_.columns, column) > 1;
  }
  static int distance(const std::vector<int>& at, int i) {
    return at[static_cast<std::size_t>(i) + 1] - at[static_cast<std::size_t>(i)];
  }

  std::vector<char> bent_nodes() const {
    std::vector<char> bent(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_));
    // Without a node between others nothing can be tested.
    if (width_ < 3 || height_ < 3) std::ranges::fill(bent, char{1});
    for (int j = 0; j < height_; ++j)
      for (int i = 0; i < width_; ++i)
        if (bend(j, i) > tolerance_ * noise_around(j, i)) bent[place(j, i)] = 1;
    return bent;
  }

  /// The largest distance of a map from the line between neighbours, along both axes.
  double bend(int row, int column) const {
    double largest = 0;
    for (int p = look_.first; p < look_.end; ++p) {
      const auto at = [&](int j, int i) { return nodes_.at(p, j, i); };
      if (column > 0 && column + 1 < width_)
        largest = std::fmax(largest, off(at(row, column - 1), at(row, column), at(row, column + 1),
                                         share(nodes_.columns, column)));
      if (row > 0 && row + 1 < height_)
        largest = std::fmax(largest, off(at(row - 1, column), at(row, column), at(row + 1, column),
                                         share(nodes_.rows, row)));
    }
    return largest;
  }
  static double off(double before, double value, double after, double share) {
    return std::abs(value - (before + share * (after - before)));
  }
  /// How far a node is on the way from the one before to the one after.
  static double share(const std::vector<int>& at, int i) {
    const double before = distance(at, i - 1);
    return before / (before + distance(at, i));
  }

  double noise_around(int row, int column) const {
    double smallest = noise(row, column);
    for (int j = std::max(0, row - 1); j < std::min(height_, row + 2); ++j)
      for (int i = std::max(0, column - 1); i < std::min(width_, column + 2); ++i)
        smallest = std::fmin(smallest, noise(j, i));
    return smallest;
  }

  bool is_spread(int row, int column) const {
    if (!look_.spread) return false;
    const auto [low, high] = std::minmax({noise(row, column), noise(row, column + 1),
                                          noise(row + 1, column), noise(row + 1, column + 1)});
    return high - low > 2 * tolerance_ * low;
  }

  const NoiseNodes& nodes_;
  const NoiseLook& look_;
  double tolerance_;
  int width_, height_;
};

/// Looks at the edges of patches.
class EdgeFinder {
 public:
  EdgeFinder(const NoiseNodes& nodes, const NoiseLook& look, double tolerance)
      : nodes_(nodes), look_(look), tolerance_(tolerance) {
    for (const NoisePatch& patch : nodes.patches)
      if (patch.first_plane == look.first) refined_.push_back(patch.cell);
    std::ranges::sort(refined_);
  }

  std::vector<NoiseCell> find() const {
    const int last_row = static_cast<int>(nodes_.rows.size()) - 2;
    const int last_column = static_cast<int>(nodes_.columns.size()) - 2;
    std::vector<NoiseCell> found;
    const auto add = [&](const NoiseCell& cell) {
      if (cell.row < 0 || cell.row > last_row || cell.column < 0 || cell.column > last_column)
        return;
      if (!std::ranges::binary_search(refined_, cell)) found.push_back(cell);
    };
    for (const NoisePatch& patch : nodes_.patches) {
      if (patch.first_plane != look_.first) continue;
      const auto [row, column] = patch.cell;
      if (is_off(patch, true, 0)) add({row - 1, column});
      if (is_off(patch, true, patch.rows.size() - 1)) add({row + 1, column});
      if (is_off(patch, false, 0)) add({row, column - 1});
      if (is_off(patch, false, patch.columns.size() - 1)) add({row, column + 1});
    }
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

 private:
  /// Whether one row, or one column, of a patch's points is not straight.
  bool is_off(const NoisePatch& patch, bool row, std::size_t at) const {
    const std::vector<int>& along = row ? patch.columns : patch.rows;
    const std::size_t last = along.size() - 1;
    const double limit = tolerance_ * noise_at_ends(patch, row, at != 0);
    for (int p = 0; p < patch.planes; ++p) {
      const auto value = [&](std::size_t i) {
        return patch.values[row ? patch.place(p, at, i) : patch.place(p, i, at)];
      };
      for (std::size_t i = 1; i < last; ++i) {
        const double share = static_cast<double>(along[i] - along[0]) / (along[last] - along[0]);
        if (std::abs(value(i) - (value(0) + share * (value(last) - value(0)))) > limit) return true;
      }
    }
    return false;
  }
  /// The smaller noise of the two nodes at the ends of an edge.
  double noise_at_ends(const NoisePatch& patch, bool row, bool second) const {
    const int j = patch.cell.row + (row && second), i = patch.cell.column + (!row && second);
    const auto noise = [&](int y, int x) {
      return look_
          .noise[static_cast<std::size_t>(y) * nodes_.columns.size() + static_cast<std::size_t>(x)];
    };
    return std::fmin(noise(j, i), row ? noise(j, i + 1) : noise(j + 1, i));
  }

  const NoiseNodes& nodes_;
  const NoiseLook& look_;
  double tolerance_;
  std::vector<NoiseCell> refined_;
};

}  // namespace

std::vector<NoiseCell> cells_across_edges(const NoiseNodes& nodes, const NoiseLook& look,
                                          double tolerance) {
  return EdgeFinder(nodes, look, tolerance).find();
}

std::vector<NoiseCell> bent_cells(const NoiseNodes& nodes, const NoiseLook& look,
                                  double tolerance) {
  return CellFinder(nodes, look, tolerance).find();
}

}  // namespace tessera
