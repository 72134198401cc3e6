// SPDX-License-Identifier: Apache-2.0
// Each box separately: for small boxes, for nodes of a grid, and for estimators that do not slide.
#include <array>
#include <limits>

#include "core/parallel.hpp"
#include "core/rows.hpp"
#include "core/samples.hpp"
#include "ops/noise/cpu/noise_box_values.hpp"
#include "ops/noise/cpu/noise_estimate.hpp"

namespace tessera {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr int kPieceRows = 4;
constexpr int kNodesAtOnce = 32;

using Planes = std::array<double, kMostNoiseQuantiles>;

/// Memory of one thread for making boxes.
template <class T>
class BoxMaker {
 public:
  explicit BoxMaker(const NoiseProblem& problem) : values_(problem), estimates_(problem) {}

  /// `planes` stays as it is if too few values are valid.
  void make(View<const T> in, const int* rows, int x, Planes& planes) {
    values_.gather(in, rows, x);
    if (!values_.enough()) return;
    estimates_.planes_of(values_.keys(), values_.valid(), planes.data());
    for (double& value : planes) value = with_one_nan(value);
  }

 private:
  NoiseBoxValues<T> values_;
  NoiseEstimates<T> estimates_;
};

Planes no_planes() {
  Planes planes;
  planes.fill(kNan);
  return planes;
}

std::vector<int> box_rows(const NoiseProblem& p, Rows rows, const Piece& in) {
  return find_rows(p.operation, p.reads(rows), in.rows(), p.image.size.height, p.border);
}

template <class T>
class BoxesCpu : public NoiseRunner {
 public:
  explicit BoxesCpu(const NoiseProblem& problem) : problem_(problem) {}
  std::string describe() const override { return "each box by itself"; }

  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    for_pieces(out.rows(), kPieceRows, stream, [&](Rows rows) { run_rows(in, out, rows); });
  }

 private:
  void run_rows(const Piece& in, const MutablePiece& out, Rows rows) const {
    BoxMaker<T> maker(problem_);
    const std::vector<int> found = box_rows(problem_, rows, in);
    const View<const T> view = in.view.as<const T>();
    for (int y = rows.first; y < rows.end; ++y) {
      const int* const first = found.data() + (y - rows.first);
      for (int x = 0; x < view.size.width; ++x) {
        Planes planes = no_planes();
        const bool blank = problem_.blanks(view.at(x, first[problem_.box.above()]));
        if (problem_.nomask || !blank) maker.make(view, first, x, planes);
        for (int p = 0; p < out.view.size.planes; ++p)
          store_sample(out.view, x, y - out.first_row, 0, p, planes[static_cast<std::size_t>(p)]);
      }
    }
  }

  NoiseProblem problem_;
};

template <class T>
class PointsCpu : public NoiseBoxes {
 public:
  explicit PointsCpu(const NoiseProblem& problem) : problem_(problem) {}
  std::string describe() const override { return "each box by itself"; }

  void at(const Piece& in, const NoiseLattice& points, double* values,
          Stream& stream) const override {
    // Parts of rows: the total number of nodes may not fit an int.
    const int columns = static_cast<int>(points.columns.size());
    const int parts = (columns + kNodesAtOnce - 1) / kNodesAtOnce;
    parallel_for(parts * static_cast<int>(points.rows.size()), stream.threads(), [&](int part) {
      const int first = part % parts * kNodesAtOnce;
      measure(in, points, part / parts, {first, std::min(columns, first + kNodesAtOnce)}, values);
    });
  }

 private:
  void measure(const Piece& in, const NoiseLattice& points, int row, Rows columns,
               double* values) const {
    BoxMaker<T> maker(problem_);
    const int y = points.rows[static_cast<std::size_t>(row)];
    const std::vector<int> rows = box_rows(problem_, {y, y + 1}, in);
    const std::size_t in_row = points.columns.size(), nodes = in_row * points.rows.size();
    for (int column = columns.first; column < columns.end; ++column) {
      Planes planes = no_planes();
      maker.make(in.view.as<const T>(), rows.data(),
                 points.columns[static_cast<std::size_t>(column)], planes);
      const std::size_t node =
          in_row * static_cast<std::size_t>(row) + static_cast<std::size_t>(column);
      for (std::size_t p = 0; p < static_cast<std::size_t>(problem_.output.size.planes); ++p)
        values[nodes * p + node] = planes[p];
    }
  }

  NoiseProblem problem_;
};

template <template <class> class Made, class Pointer>
Pointer make_for_type(const NoiseProblem& problem) {
  switch (problem.image.type) {
    case Type::u8:
      return std::make_unique<Made<unsigned char>>(problem);
    case Type::u16:
      return std::make_unique<Made<unsigned short>>(problem);
    case Type::f32:
      return std::make_unique<Made<float>>(problem);
    default:
      return std::make_unique<Made<double>>(problem);
  }
}

}  // namespace

NoiseRunnerPointer make_noise_boxes_cpu(const NoiseProblem& problem) {
  return make_for_type<BoxesCpu, NoiseRunnerPointer>(problem);
}
NoiseBoxesPointer make_noise_points_cpu(const NoiseProblem& problem) {
  return make_for_type<PointsCpu, NoiseBoxesPointer>(problem);
}

}  // namespace tessera
