// SPDX-License-Identifier: Apache-2.0
// The definition, in double. If it and a fast path differ by more than the bound, the fast path is
// wrong.
#include <cmath>

#include "core/rows.hpp"
#include "core/samples.hpp"
#include "ops/convolve/convolve_problem.hpp"

namespace tessera {
namespace {

class Reference : public ConvolveRunner {
 public:
  explicit Reference(const ConvolveProblem& problem) : problem_(problem) {}
  std::string describe() const override { return "in double, one thread"; }

  void run(const Piece& in, const MutablePiece& out, Stream&) const override {
    const auto rows_of = [&](int row) {
      return find_rows("convolve", problem_.needs({row, row + 1}), in.rows(),
                       problem_.image.size.height, problem_.border);
    };
    store_samples(out, rows_of, [&](const std::vector<int>& rows, int x, int channel, int plane) {
      return pixel(in.view, rows, x, channel, plane);
    });
  }

 private:
  /// `rows` says where in the view the row of each filter row lies.
  double pixel(const AnyView& in, const std::vector<int>& rows, int x, int channel,
               int plane) const {
    const ConvolveProblem& p = problem_;
    double sum = 0, all = 0, inside = 0;
    for (int j = 0; j < p.filter_height; ++j)
      for (int i = 0; i < p.filter_width; ++i) {
        const double weight = p.weights[static_cast<std::size_t>(j) * p.filter_width + i];
        const int column = border_index(x + i - p.anchor.x, p.image.size.width, p.border);
        const int row = rows[static_cast<std::size_t>(j)];
        const bool has_pixel = column != kNoPixel && row != kNoPixel;
        all += std::abs(weight);
        if (has_pixel) inside += std::abs(weight);
        if (has_pixel)
          sum += weight * sample_at(in, column, row, channel, plane);
        else if (p.border == Border::constant)
          sum += weight * p.constant;
      }
    if (p.border == Border::inside) sum = inside > 0 ? sum * (all / inside) : 0;
    return p.scale * sum;
  }

  ConvolveProblem problem_;
};

}  // namespace

std::unique_ptr<const ConvolveRunner> make_convolve_reference(const ConvolveProblem& problem) {
  return std::make_unique<Reference>(problem);
}

}  // namespace tessera
