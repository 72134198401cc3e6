// SPDX-License-Identifier: Apache-2.0
// The definition, pixel by pixel. If it and a fast path differ in a byte, the fast path is wrong.
#include <cmath>
#include <limits>

#include "core/rows.hpp"
#include "core/samples.hpp"
#include "ops/morphology/morphology_problem.hpp"

namespace tessera {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Every sample is a double without loss, so this is exact. NaN wins; -0 is less than 0.
bool goes_before(double a, double b, MorphologyKind kind) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a);
  const bool erode = kind == MorphologyKind::erode;
  if (a == b) return std::signbit(a) == erode && std::signbit(b) != erode;
  return erode ? a < b : a > b;
}

class Reference : public MorphologyRunner {
 public:
  explicit Reference(const MorphologyProblem& problem) : problem_(problem) {}
  std::string describe() const override { return "pixel by pixel, one thread"; }
  std::string describe_part() const override { return "pixel by pixel"; }

  void run(const Piece& in, const MutablePiece& out, Stream&) const override {
    const auto rows_of = [&](int row) {
      return find_rows(name_of(problem_.kind).data(), problem_.reads({row, row + 1}), in.rows(),
                       problem_.image.size.height, problem_.border);
    };
    store_samples(out, rows_of, [&](const std::vector<int>& rows, int x, int channel, int plane) {
      return pixel(in.view, rows, x, channel, plane);
    });
  }

 private:
  /// `rows` says where in the view the row of each element row lies.
  double pixel(const AnyView& in, const std::vector<int>& rows, int x, int channel,
               int plane) const {
    const MorphologyProblem& p = problem_;
    double best = p.kind == MorphologyKind::erode ? kInfinity : -kInfinity;
    const auto take = [&](double value) {
      if (goes_before(value, best, p.kind)) best = value;
    };
    for (const ElementRun& run : p.runs)
      for (int i = run.first; i < run.first + run.length; ++i) {
        const int column = border_index(x + i - p.anchor.x, p.image.size.width, p.border);
        const int row = rows[static_cast<std::size_t>(run.row)];
        if (column != kNoPixel && row != kNoPixel)
          take(sample_at(in, column, row, channel, plane));
        else if (p.border == Border::constant)
          take(p.constant);
      }
    return std::isnan(best) ? std::numeric_limits<double>::quiet_NaN() : best;
  }

  MorphologyProblem problem_;
};

}  // namespace

MorphologyRunnerPointer make_morphology_reference(const MorphologyProblem& problem) {
  return std::make_unique<Reference>(problem);
}

}  // namespace tessera
