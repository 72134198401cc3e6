// SPDX-License-Identifier: Apache-2.0
/// Gaussian beams of radio images, and images convolved from one beam to another.
///
///     const std::vector<tessera::Beam> beams{{12, 9, 30}, {15, 14, 80}};   // arcsec, arcsec,
///     degrees const tessera::Beam common = tessera::common_beam(beams); tessera::BeamSmooth
///     plan(image.info(), {beams[0], common, {-2.5, 0, 0, 2.5}}); plan(image.view(),
///     smooth.view());
///
/// Lengths are in any unit, as long as it is the same for beams and pixels.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <tuple>

#include "tessera/convolve.hpp"
#include "tessera/export.hpp"
#include "tessera/image.hpp"
#include "tessera/options.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// An elliptical Gaussian: full widths at half maximum, and the angle of the major axis from north
/// to east, in degrees (BMAJ, BMIN and BPA of FITS).
struct Beam {
  double major = 0, minor = 0, angle = 0;

  bool operator==(const Beam&) const = default;
  /// Whether it is a beam: finite, 0 < minor <= major.
  TESSERA_API bool valid() const;
  /// The solid angle pi major minor / (4 ln 2).
  TESSERA_API double area() const;
};

/// The beam of an image with beam `a` after convolution with a Gaussian `b`.
TESSERA_API Beam convolve_beams(const Beam& a, const Beam& b);

/// The Gaussian that turns `small` into `large`; axes of 0 if they are equal or differ along one
/// axis only. Nothing if there is none, because `small` is wider than `large` in some direction.
TESSERA_API std::optional<Beam> deconvolve_beam(const Beam& large, const Beam& small);

/// The beam with the smallest area that every beam can be convolved to: one of them if that is
/// possible, otherwise the smallest ellipse around all of them (its area is at most 1e-8 too
/// large). With `circular`, a circle. Throws Error(usage) for an empty list, and for values that
/// are not a beam.
TESSERA_API Beam common_beam(std::span<const Beam> beams, bool circular = false);

/// The steps on the sky from one pixel to the next: to the east and to the north, per column (x)
/// and per row (y). CDi_j of FITS; without rotation CDELT1, 0, 0, CDELT2.
struct SkySteps {
  double east_x = -1, east_y = 0, north_x = 0, north_y = 1;
};

/// A beam, the beam to reach, and the pixels.
struct BeamChange {
  Beam from, to;
  SkySteps pixel;
};

/// The weights of the filter that turns one beam into the other; they sum to 1. The filter is the
/// Gaussian between the beams as the image can show it: if it is narrower than three pixels, it is
/// made from its Fourier transform, because samples of a thin Gaussian have another width. Throws
/// Error(usage) if the beam cannot be reached, or would take more than 4096 pixels.
TESSERA_API Image beam_kernel(const BeamChange& change);

/// The unit of the values, which decides how they change.
enum class BeamFlux : unsigned char {
  per_beam,  ///< Jy/beam: point sources keep their peak, values grow with the area of the beam
  surface    ///< K, Jy/sr, Jy/pixel: the mean stays
};
template <>
struct Names<BeamFlux> {
  static constexpr std::array<std::pair<std::string_view, BeamFlux>, 2> list{
      {{"per-beam", BeamFlux::per_beam}, {"surface", BeamFlux::surface}}};
};

struct BeamOptions {
  BeamFlux flux = BeamFlux::per_beam;
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() {
    using O = BeamOptions;
    return std::tuple_cat(
        std::tuple{
            field("flux", &O::flux,
                  "unit of the values: per-beam (Jy/beam), or surface (K, Jy/sr, Jy/pixel)")},
        run_fields<O>());
  }
};

/// Convolves images of one size and type, by convolve (tessera/convolve.hpp). The sky outside the
/// image is 0. Pixels that are not finite are NaN in the result and count as 0 for the others. If
/// the two beams are equal, values are copied. Immutable; copies share.
///
/// Images are f32 or f64 with one channel, in host memory; planes are separate images.
class TESSERA_API BeamSmooth {
 public:
  /// Throws Error(usage) with what would be right.
  BeamSmooth(const ImageInfo& image, const BeamChange& change, const BeamOptions& options = {});

  const ImageInfo& input() const { return plan_.input(); }
  const ImageInfo& output() const { return plan_.output(); }
  Rows needs(Rows out) const { return plan_.needs(out); }
  int row_step() const { return plan_.row_step(); }
  int source_row(int row) const { return plan_.source_row(row); }
  int device() const { return plan_.device(); }
  Backend backend() const { return plan_.backend(); }
  std::string method() const { return plan_.method(); }
  /// "beam 512x512 f32 by 21x25 weights times 1.44: cpu fft …"
  std::string describe() const;
  /// Whether the beams are equal, so that values are copied.
  bool copies() const { return copies_; }
  /// The factor of all values: the quotient of the beams' areas, or 1.
  double factor() const { return factor_; }
  /// As Convolve::error_bound.
  double error_bound(double largest_input) const { return plan_.error_bound(largest_input); }

  void operator()(AnyView in, AnyMutableView out) const;
  /// Some rows; returns when they are done. `in` must hold needs(out.rows()).
  void operator()(const Piece& in, const MutablePiece& out, Stream& stream) const;

 private:
  bool copies_;
  double factor_;
  Convolve plan_;
};

/// Plan, run, return; for one image.
TESSERA_API Image beam_smooth(AnyView image, const BeamChange& change,
                              const BeamOptions& options = {});

}  // namespace tessera
