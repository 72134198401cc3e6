// SPDX-License-Identifier: Apache-2.0
// The definition, in double. If it and a fast path differ by more than the bound, the fast path is
// wrong.
#include <cmath>

#include "core/parallel.hpp"
#include "core/rows.hpp"
#include "ops/convolve/convolve_problem.hpp"

namespace tessera {
namespace {

double sample(const AnyView& view, int x, int y, int channel, int plane) {
  switch (view.type) {
    case Type::u8:
      return view.as<const unsigned char>().at(x, y, channel, plane);
    case Type::u16:
      return view.as<const unsigned short>().at(x, y, channel, plane);
    case Type::f32:
      return static_cast<double>(view.as<const float>().at(x, y, channel, plane));
    default:
      return view.as<const double>().at(x, y, channel, plane);
  }
}

/// Rounded to nearest even and saturated; NaN is 0.
template <class Integer>
Integer saturated(double value) {
  constexpr double kMost = static_cast<Integer>(-1);
  if (!(value > 0)) return 0;
  return static_cast<Integer>(value < kMost ? std::nearbyint(value) : kMost);
}

void store(const AnyMutableView& view, int x, int y, int channel, int plane, double value) {
  switch (view.type) {
    case Type::u8:
      view.as<unsigned char>().at(x, y, channel, plane) = saturated<unsigned char>(value);
      break;
    case Type::u16:
      view.as<unsigned short>().at(x, y, channel, plane) = saturated<unsigned short>(value);
      break;
    case Type::f32:
      view.as<float>().at(x, y, channel, plane) = static_cast<float>(value);
      break;
    default:
      view.as<double>().at(x, y, channel, plane) = value;
  }
}

class Reference : public ConvolveRunner {
 public:
  explicit Reference(const ConvolveProblem& problem) : problem_(problem) {}
  std::string describe() const override { return "in double, one thread"; }

  void run(const Piece& in, const MutablePiece& out, Stream&) const override {
    const Size size = out.view.size;
    for (int plane = 0; plane < size.planes; ++plane)
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x)
          for (int channel = 0; channel < size.channels; ++channel)
            store(out.view, x, y, channel, plane, pixel(in, x, out.first_row + y, channel, plane));
  }

 private:
  double pixel(const Piece& in, int x, int y, int channel, int plane) const {
    const ConvolveProblem& p = problem_;
    const auto rows =
        find_rows("convolve", p.needs({y, y + 1}), in.rows(), p.image.size.height, p.border);
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
          sum += weight * sample(in.view, column, row, channel, plane);
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
