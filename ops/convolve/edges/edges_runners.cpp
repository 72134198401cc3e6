// SPDX-License-Identifier: Apache-2.0
// Both methods: the two derivatives of some rows, then their magnitude.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/parallel.hpp"
#include "core/samples.hpp"
#include "ops/convolve/edges/edges_problem.hpp"

namespace tessera {
namespace {

/// Rows that a thread takes at once: their derivatives stay in the second-level cache.
constexpr int kPieceRows = 32;

/// Results of one row: `steps` lie between pixels, channels are side by side. In double, because
/// squares of floats leave the range of floats.
template <class Out, class Sum>
void magnitudes(const Sum* gx, const Sum* gy, double scale, Out* out, int pixels, int channels,
                long long step) {
  for (int x = 0; x < pixels; ++x)
    for (int c = 0; c < channels; ++c) {
      const double a = gx[x * channels + c], b = gy[x * channels + c];
      out[x * step + c] = rounded<Out>(scale * std::sqrt(a * a + b * b));
    }
}

template <class Sum>
void store_row(const View<const Sum>& gx, const View<const Sum>& gy, double scale,
               const AnyMutableView& out, int y, int plane) {
  const auto into = [&](auto view) {
    magnitudes(&gx.at(0, y, 0, plane), &gy.at(0, y, 0, plane), scale, &view.at(0, y, 0, plane),
               view.size.width, view.size.channels, view.pixel);
  };
  switch (out.type) {
    case Type::u8:
      return into(out.as<unsigned char>());
    case Type::u16:
      return into(out.as<unsigned short>());
    case Type::f32:
      return into(out.as<float>());
    default:
      return into(out.as<double>());
  }
}

class Pair : public RowsRunner {
 public:
  Pair(const EdgesProblem& problem, Type sums, const char* method)
      : problem_(problem),
        x_(problem.derivative(problem.x, sums, method)),
        y_(problem.derivative(problem.y, sums, method)),
        sums_(sums) {
    const int wanted = std::max(kPieceRows, 2 * problem.x.info().size.height);
    piece_rows_ = (wanted + row_step() - 1) / row_step() * row_step();
  }

  std::string describe() const override {
    return fmt::format("{}{}, {} rows per piece", x_.method(),
                       x_.method() == y_.method() ? "" : " and " + y_.method(), piece_rows_);
  }
  int row_step() const override { return std::lcm(x_.row_step(), y_.row_step()); }

  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    for_pieces(out.rows(), piece_rows_, stream, [&](Rows rows) { run_rows(in, out, rows); });
  }

 private:
  /// On the calling thread, which is one of a team.
  void run_rows(const Piece& in, const MutablePiece& out, Rows rows) const {
    Stream alone(kHost, 1);
    ImageInfo part = problem_.output;
    part.type = sums_;
    part.device = kHost;
    part.size.height = rows.count();
    part.size.planes = out.view.size.planes;
    const Scratch memory = alone.scratch(2 * static_cast<std::size_t>(bytes_of(part)));
    const AnyMutableView gx = packed(memory.data(), part);
    const AnyMutableView gy = packed(memory.as<unsigned char>() + bytes_of(part), part);
    x_(in, MutablePiece{gx, rows.first}, alone);
    y_(in, MutablePiece{gy, rows.first}, alone);
    const AnyMutableView to = out.view.rows(rows.first - out.first_row, rows.count());
    for (int plane = 0; plane < part.size.planes; ++plane)
      for (int y = 0; y < rows.count(); ++y) {
        if (sums_ == Type::f32)
          store_row(AnyView(gx).as<const float>(), AnyView(gy).as<const float>(), problem_.scale,
                    to, y, plane);
        else
          store_row(AnyView(gx).as<const double>(), AnyView(gy).as<const double>(), problem_.scale,
                    to, y, plane);
      }
  }

  EdgesProblem problem_;
  Convolve x_, y_;
  Type sums_;
  int piece_rows_ = 0;
};

}  // namespace

std::unique_ptr<const RowsRunner> make_edges_reference(const EdgesProblem& problem) {
  return std::make_unique<Pair>(problem, Type::f64, "reference");
}
std::unique_ptr<const RowsRunner> make_edges_pair(const EdgesProblem& problem) {
  return std::make_unique<Pair>(problem, problem.sums, "auto");
}

}  // namespace tessera
