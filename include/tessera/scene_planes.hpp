// SPDX-License-Identifier: Apache-2.0
/// From a photograph to the four planes whose correlations vision scientists study: colour as
/// CIE a* and b*, and the orientation of texture as x1 and x2 (Rao and Schunck, 1991).
///
///     tessera::Image planes = tessera::scene_planes(photo);            // 4 planes of f32
///     tessera::Image map = tessera::correlate(planes.view(), {.max_shift = 250});
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "tessera/export.hpp"
#include "tessera/image.hpp"
#include "tessera/options.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// The meaning of samples: sRGB as in PNG and JPEG, or proportional to light.
enum class ColourCoding : unsigned char { srgb, linear };
template <>
struct Names<ColourCoding> {
  static constexpr std::array<std::pair<std::string_view, ColourCoding>, 2> list{
      {{"srgb", ColourCoding::srgb}, {"linear", ColourCoding::linear}}};
};

/// The length of (x1, x2). `coherence`: 0 if no direction prevails, 1 if all gradients lie
/// along one, whatever the contrast. `energy`: coherence times the mean squared gradient.
enum class OrientationStrength : unsigned char { coherence, energy };
template <>
struct Names<OrientationStrength> {
  static constexpr std::array<std::pair<std::string_view, OrientationStrength>, 2> list{
      {{"coherence", OrientationStrength::coherence}, {"energy", OrientationStrength::energy}}};
};

/// `zscore`: every plane has mean 0 and standard deviation 1 (over all pixels, not n - 1).
/// `unit`: every pixel's (a, b) and (x1, x2) have length 1.
enum class PlaneNormalisation : unsigned char { none, zscore, unit };
template <>
struct Names<PlaneNormalisation> {
  static constexpr std::array<std::pair<std::string_view, PlaneNormalisation>, 3> list{
      {{"none", PlaneNormalisation::none},
       {"zscore", PlaneNormalisation::zscore},
       {"unit", PlaneNormalisation::unit}}};
};

struct ScenePlanesOptions {
  ColourCoding coding = ColourCoding::srgb;
  double gradient_scale = 1;
  double texture_scale = 3;
  OrientationStrength strength = OrientationStrength::coherence;
  PlaneNormalisation normalise = PlaneNormalisation::zscore;

  static constexpr auto fields() {
    using O = ScenePlanesOptions;
    // Below 0.1 neighbours weigh nothing, and a slope would be 0 / 0; above 1000 the scale is
    // surely a slip of the keyboard.
    constexpr Range kSigma{0.1, 1000, "pixels"};
    return std::tuple{
        field("coding", &O::coding, "meaning of the samples of photographs"),
        field("gradient-scale", &O::gradient_scale,
              "sigma of the Gaussian whose derivative gives gradients of lightness", kSigma),
        field("texture-scale", &O::texture_scale,
              "sigma of the Gaussian that orientations are averaged over", kSigma),
        field("strength", &O::strength, "the length of the orientation vector"),
        field("normalise", &O::normalise,
              "zscore: each plane to mean 0 and deviation 1; unit: each pixel's colour and "
              "orientation to length 1"),
    };
  }
};

/// A smaller standard deviation or vector length is rounding: such planes and vectors become 0
/// when they are normalised.
inline constexpr double kFlatPlane = 1e-4;

class ScenePlanes;

/// Called with the place of a plan in the list and its planes, packed, where the photograph is.
/// They are valid until it returns, on a device for work that it enqueues on the stream.
using ScenePlanesUse = std::function<void(std::size_t plan, AnyView planes)>;

/// Planes of a single photograph by several plans for it, each with the bits that it makes by
/// itself, in any order. Colours, and gradients of the same scale, are computed once.
TESSERA_API void scene_planes(const std::vector<ScenePlanes>& plans, AnyView photograph,
                              const ScenePlanesUse& use, Stream& stream);

/// Size and type of photographs, and options. Immutable; copies share. Runs where the photographs
/// are: on the CPU, or on a device, within the same bounds.
///
/// Photographs are u8 or u16 over their full range, or f32 or f64 from 0 to 1 (the same formulas
/// apply to values outside). 3 channels are red, green and blue; a fourth is alpha and is left out.
/// 1 channel, or 2 with alpha, is grey: a and b are exactly 0, as they are wherever R = G = B.
///
/// Planes of the result, for every plane of the input in turn:
///   0  a   CIE 1976 a*, white D65, sRGB primaries
///   1  b   CIE 1976 b*; both within 1e-4 of the formulas in double, and 1e-6 of the largest
///          if samples lie outside 0 to 1
///   2  x1 = m cos 2t
///   3  x2 = m sin 2t
/// t is the orientation of the texture (along an edge, across its gradient), counter-clockwise from
/// the row, and m its strength. The angle is doubled because t and t + 180 degrees are one
/// orientation: opposite gradients add up and do not cancel. With (gx, gy) the gradient of L*
/// by derivatives of a Gaussian and <> the average by the other one,
///   (m cos 2t, m sin 2t) = (<gy gy - gx gx>, <2 gx gy>), for coherence over <gx gx + gy gy> + 1e-4
/// (units of L* and pixels; 1e-4 is a gradient of 0.01, which is invisible, and keeps rounding in
/// flat areas from having a direction). Borders are reflected (reflect-101).
class TESSERA_API ScenePlanes {
 public:
  /// Throws Error(usage) with what would be right.
  explicit ScenePlanes(const ImageInfo& photograph, const ScenePlanesOptions& options = {});

  const ImageInfo& input() const;
  const ImageInfo& output() const;  ///< f32, 4 planes for each plane of the input, where that is

  /// On this thread's stream; returns when done.
  void operator()(AnyView photograph, AnyMutableView planes) const;
  /// The same bits for any number of threads; work on a device is only enqueued.
  void operator()(AnyView photograph, AnyMutableView planes, Stream& stream) const;

  /// "scene planes of 500x500x3 u8: neon, gradients 9x9, textures 25x25"
  std::string describe() const;

  struct Impl;

 private:
  friend void scene_planes(const std::vector<ScenePlanes>& plans, AnyView photograph,
                           const ScenePlanesUse& use, Stream& stream);
  std::shared_ptr<const Impl> impl_;
};

/// Normalises your own planes in place, like those of photographs; pixels lie side by side,
/// and `unit` takes planes two by two. Sums are in double and in one order: the same bits for any
/// number of threads. Throws Error(usage) for an odd number of planes with `unit`.
TESSERA_API void normalise_planes(View<float> planes, PlaneNormalisation how, Stream& stream);

/// Plan, run, return; for a photograph in host memory.
TESSERA_API Image scene_planes(AnyView photograph, const ScenePlanesOptions& options = {});

}  // namespace tessera
