// SPDX-License-Identifier: Apache-2.0
// The definition, pixel by pixel. If it and a fast path differ in a byte, the fast path is wrong.
#include <cmath>
#include <limits>

#include "core/rows.hpp"
#include "core/samples.hpp"
#include "ops/noise/rank/rank_problem.hpp"

namespace tessera {
namespace {

class RankReference : public RankRunner {
 public:
  explicit RankReference(const RankProblem& problem) : problem_(problem) {}
  std::string describe() const override { return "pixel by pixel, one thread"; }

  void run(const Piece& in, const MutablePiece& out, Stream&) const override {
    const auto rows_of = [&](int row) {
      return find_rows(problem_.operation, problem_.reads({row, row + 1}), in.rows(),
                       problem_.image.size.height, problem_.border);
    };
    store_samples(out, rows_of, [&](const std::vector<int>& rows, int x, int channel, int plane) {
      return pixel(in.view, rows, x, channel, plane);
    });
  }

 private:
  /// `rows` says where in the view the row of each footprint row lies.
  double pixel(const AnyView& in, const std::vector<int>& rows, int x, int channel,
               int plane) const {
    const RankProblem& p = problem_;
    std::vector<double> values;
    const auto take = [&](double value) {
      if (!std::isnan(value)) values.push_back(value == 0 ? 0.0 : value);  // -0 is 0
    };
    for (std::size_t k = 0; k < p.pixels.size(); ++k) {
      const Point at = p.pixels[k];
      const int column = border_index(x + at.x - p.anchor.x, p.image.size.width, p.border);
      const int row = rows[static_cast<std::size_t>(at.y)];
      const int from = p.is_flat() ? plane
                                   : border_index(plane + p.planes[k] - p.anchor_plane,
                                                  p.image.size.planes, p.border);
      if (column != kNoPixel && row != kNoPixel && from != kNoPixel)
        take(sample_at(in, column, row, channel, from));
      else if (p.border == Border::constant)
        take(p.constant);
    }
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(p.place(static_cast<int>(values.size())))];
  }

  RankProblem problem_;
};

}  // namespace

RankRunnerPointer make_rank_reference(const RankProblem& problem) {
  return std::make_unique<RankReference>(problem);
}

}  // namespace tessera
