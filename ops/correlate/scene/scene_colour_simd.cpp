// SPDX-License-Identifier: Apache-2.0
// Colour, once per SIMD target. Lanes are pixels.
//
// a = 500 (f(x) - f(y)) loses digits where x and y are close: the difference of cube roots is
// computed as (x - y) / (fx fx + fx fy + fy fy), and x - y from differences of R, G and B. So greys
// have a = b = 0 exactly, and float is accurate to 1e-4 (measured over all 8-bit colours: 4e-5).
#include "ops/correlate/scene/scene_colour.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/correlate/scene/scene_colour_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F = hn::ScalableTag<float>;
using V = hn::Vec<F>;

// IEC 61966-2-1 primaries to XYZ relative to the white point, rows summing to 1: the remainder of
// each row is the weight of green.
constexpr double kXRed = 0.4124564 / 0.9504700, kXBlue = 0.1804375 / 0.9504700;
constexpr double kYRed = 0.2126729, kYBlue = 0.0721750;
constexpr double kZRed = 0.0193339 / 1.0888300, kZBlue = 0.9503041 / 1.0888300;
constexpr double kLinearBelow = 216.0 / 24389, kSlope = 24389.0 / 27 / 116, kOffset = 16.0 / 116;

HWY_INLINE V constant(double value) { return hn::Set(F(), static_cast<float>(value)); }

// A root of order `kOrder` within a few percent: the exponent's bits divided.
template <int kOrder>
HWY_INLINE V rough_root(V t) {
  const hn::RebindToSigned<F> integers;
  constexpr double kOneBits = 0x3f800000, kBias = kOneBits * (1 - 1.0 / kOrder) - 350000;
  const V bits = hn::ConvertTo(F(), hn::BitCast(integers, t));
  return hn::BitCast(
      F(), hn::ConvertTo(integers, hn::MulAdd(bits, constant(1.0 / kOrder), constant(kBias))));
}

// One step of Halley (3% to 3e-5), then one of Newton, whose correction is small: little rounding.
HWY_INLINE V cube_root(V t) {
  V y = rough_root<3>(t);
  const V cube = hn::Mul(hn::Mul(y, y), y);
  y = hn::Mul(y, hn::Div(hn::MulAdd(t, constant(2), cube), hn::MulAdd(cube, constant(2), t)));
  const V square = hn::Mul(y, y);
  const V excess = hn::MulSub(square, y, t);
  return hn::Sub(y, hn::Div(excess, hn::Mul(square, constant(3))));
}

HWY_INLINE V lab_curve(V t) {
  const auto linear = hn::Le(t, constant(kLinearBelow));
  const V root = cube_root(hn::Max(t, constant(kLinearBelow)));
  return hn::IfThenElse(linear, hn::MulAdd(t, constant(kSlope), constant(kOffset)), root);
}

// lab_curve(s) - lab_curve(t), with f_s and f_t their values and `difference` s - t.
HWY_INLINE V curve_difference(V s, V t, V f_s, V f_t, V difference) {
  const auto roots = hn::Gt(hn::Min(s, t), constant(kLinearBelow));
  const V squares = hn::MulAdd(f_s, f_s, hn::MulAdd(f_s, f_t, hn::Mul(f_t, f_t)));
  return hn::IfThenElse(roots, hn::Div(difference, squares), hn::Sub(f_s, f_t));
}

void lab_row(const LabRow& row) {
  const F d;
  for (int i = 0; i < row.count; i += static_cast<int>(hn::Lanes(d))) {
    const V green = hn::LoadU(d, row.green + i);
    const V red = hn::Sub(hn::LoadU(d, row.red + i), green);
    const V blue = hn::Sub(hn::LoadU(d, row.blue + i), green);
    const auto mixed = [&](double of_red, double of_blue) HWY_ATTR {
      return hn::MulAdd(red, constant(of_red), hn::Mul(blue, constant(of_blue)));
    };
    const V x = hn::Add(green, mixed(kXRed, kXBlue)), y = hn::Add(green, mixed(kYRed, kYBlue)),
            z = hn::Add(green, mixed(kZRed, kZBlue));
    const V f_x = lab_curve(x), f_y = lab_curve(y), f_z = lab_curve(z);
    const V a = curve_difference(x, y, f_x, f_y, mixed(kXRed - kYRed, kXBlue - kYBlue));
    const V b = curve_difference(y, z, f_y, f_z, mixed(kYRed - kZRed, kYBlue - kZBlue));
    hn::StoreU(hn::MulSub(f_y, constant(116), constant(16)), d, row.lightness + i);
    hn::StoreU(hn::Mul(a, constant(500)), d, row.a + i);
    hn::StoreU(hn::Mul(b, constant(200)), d, row.b + i);
  }
}

// t^2.4 = t^2 (t^2)^(1/5): the fifth root by Newton, 4% to 4e-3 to 3e-5 to rounding.
HWY_INLINE V power_2_4(V t) {
  const V square = hn::Mul(t, t);
  V y = rough_root<5>(square);
  for (int step = 0; step < 3; ++step) {
    const V y2 = hn::Mul(y, y), y4 = hn::Mul(y2, y2);
    y = hn::Sub(y, hn::Div(hn::MulSub(y4, y, square), hn::Mul(y4, constant(5))));
  }
  return hn::Mul(square, y);
}

void linear_from_srgb(float* row, int count) {
  const F d;
  for (int i = 0; i < count; i += static_cast<int>(hn::Lanes(d))) {
    const V coded = hn::LoadU(d, row + i);
    const auto linear = hn::Le(coded, constant(0.04045));
    const V base =
        hn::Mul(hn::Add(hn::Max(coded, constant(0.04045)), constant(0.055)), constant(1 / 1.055));
    hn::StoreU(hn::IfThenElse(linear, hn::Mul(coded, constant(1 / 12.92)), power_2_4(base)), d,
               row + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(lab_row);
HWY_EXPORT(linear_from_srgb);
LabFunction lab_function() { return HWY_DYNAMIC_DISPATCH(lab_row); }
LinearFunction linear_from_srgb_function() { return HWY_DYNAMIC_DISPATCH(linear_from_srgb); }

}  // namespace tessera
#endif
