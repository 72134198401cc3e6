// SPDX-License-Identifier: Apache-2.0
/// Catalogues of the sources of an image: islands of pixels that stand out of the noise, the
/// sources in each, and what they measure.
///
///     tessera::NoiseMaps maps = tessera::noise(image);
///     tessera::SourceList list =
///         tessera::sources(image, maps.background.view(), maps.rms.view(), {.seed = 5, .grow =
///         4});
///     for (const tessera::Source& s : list.sources) use(s.x, s.y, s.flux);
///
/// With d = image - background, a pixel's significance is d / rms, in double. A pixel is blank if d
/// is not finite or if not 0 < rms < infinity.
///
/// Islands: pixels of significance >= grow that touch, also at corners, with one of significance
/// >= seed among them.
///
/// Sources of an island: its highest pixel, and every other local maximum of significance >= seed
/// that rises at least `rise` above its saddle. The saddle is the highest level at which a path
/// through pixels that touch leads from it to a higher maximum. (Of equal pixels the one first in
/// row order is the higher one.) Every pixel belongs to the maximum it reaches by steps to its
/// highest neighbour; maxima that are not sources pass their pixels on across their saddle.
///
/// Noise breaks pieces off the rim of a wide source: an island whose sources all rise less than
/// `grow` above the Gaussians of brighter sources in other islands nearby is part of those.
///
/// Measurement: an elliptical Gaussian is fitted to d by least squares, weighted with 1 / rms^2, to
/// the pixels of the source and to those at most `margin()` pixels away that belong to no other
/// source; the Gaussians of the other sources in and around the island are subtracted, and all are
/// fitted in turn until they stay. The integral of a Gaussian has no part below a threshold, so
/// nothing is missing from `flux`, while `sum` is what the island's own pixels have.
///
/// No source is narrower than the beam. If a Gaussian is in some direction, by more than three
/// errors and a tenth of the beam, or by half, the beam's shape is fitted instead. Without a beam
/// nothing is narrower than a pixel; the flux is the sum then. The same is done if a Gaussian is
/// less than half as high as the source's highest pixel and less than five errors: that pixel is
/// noise, and the Gaussian the rim of another source.
///
/// Two sources in one beam have no saddle and are fitted as one. A second source of the beam's
/// shape (without a beam: of half the width of the first) is therefore tried at the pixels of each:
/// its best height to first order, with all parameters of the first free to change. If that is more
/// than 4.5 errors, the fit is flagged as poor.
///
/// Errors are those of the least squares under the noise's correlation: the inverse normal matrix
/// on both sides of J^T C J, with C the covariance of the pixels (Condon 1997 is its limit for
/// noise smoothed by the beam), plus the error of the background if its box is known. They include
/// the parameters of up to six neighbours.
///
/// x is the column and y the row, counted from 0 at the middles of pixels. Fluxes and sums are in
/// units of the image times beams if there is a beam (Jy/beam gives Jy), else times pixels. Angles
/// are in degrees from growing rows towards lower columns, -90 to 90.
///
/// The same bits for any threads, strips and backends.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tessera/export.hpp"
#include "tessera/plan.hpp"
#include "tessera/sources_options.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Reasons to look twice, as bits of Source::flags.
struct SourceFlags {
  static constexpr int blend = 1;  ///< its island has other sources
  static constexpr int edge = 2;   ///< the island lies at the image's edge
  static constexpr int blank = 4;  ///< the island touches blank pixels
  /// It is not one Gaussian: chi2 is larger than noise makes it, or a second source shows in the
  /// same pixels.
  static constexpr int poor_fit = 8;
  /// The fit has the beam's shape: a free one failed, or was narrower than the beam.
  static constexpr int fixed_shape = 16;
  static constexpr int no_fit = 32;    ///< nothing was fitted: from moments, flux from the sum
  static constexpr int negative = 64;  ///< below the background

  /// "blend edge"; "" if there are none.
  TESSERA_API static std::string text(int flags);
};

/// NaN: not known. `..._err` are standard deviations.
struct Source {
  int id = 0;      ///< from 1, islands in turn, the brightest of each first
  int island = 0;  ///< from 1, in the order of their first pixels, row by row
  double x = 0, y = 0, x_err = 0, y_err = 0, xy_cov = 0;
  double peak = 0, peak_err = 0;   ///< of the Gaussian
  double flux = 0, flux_err = 0;   ///< its integral
  double sum = 0, sum_err = 0;     ///< of d over the source's own pixels
  double background = 0, rms = 0;  ///< at the highest pixel
  double snr = 0;                  ///< its significance
  int x_max = 0, y_max = 0;        ///< the highest pixel
  double top = 0;                  ///< d there
  double a = 0, b = 0, theta = 0;  ///< moments: standard deviations along the axes, and the angle
  SourceShape shape, shape_err;    ///< of the Gaussian
  int pixels = 0;                  ///< of its own
  double chi2 = 0;                 ///< of the fit, reduced
  int flags = 0;
};

/// The correlation of the noise at a distance; with (dx, dy) goes (-dx, -dy).
struct SourceLag {
  int dx = 0, dy = 0;
  double correlation = 0;
};

struct SourceList {
  std::vector<Source> sources;
  long long islands = 0;
  long long valid = 0, blank = 0;  ///< pixels of the image
  std::vector<SourceLag> lags;     ///< none: the noise is white
  /// Pixels that vary together: the sum of the correlation, 1 for white noise.
  double noise_pixels = 1;
  /// Where it comes from: "measured in 523776 pixels", "white, as asked for" …
  std::string noise_text;
  bool noise_is_known = true;  ///< false: assumed, because too few pixels have no source
};

/// Columns [x0, x1) of row y.
struct SourcePixelRun {
  int y = 0, x0 = 0, x1 = 0;
};

/// The state of a catalogue while the rows of its image pass.
class TESSERA_API SourceScan {
 public:
  SourceScan();
  SourceScan(SourceScan&&) noexcept;
  SourceScan& operator=(SourceScan&&) noexcept;
  ~SourceScan();

  int rows() const;         ///< seen so far
  long long bytes() const;  ///< of memory held

  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// An image size and type, options, and a chosen method. Immutable; copies share.
///
///     tessera::Sources plan(image.info(), {}, {.beam = tessera::SourceShape{5, 4, 30}});
///     tessera::SourceScan scan = plan.begin();
///     plan.add(scan, image_rows, background_rows, rms_rows, stream);  // in order, any number
///     tessera::SourceList list = plan.finish(scan, stream);
///
/// Images are u8, u16, f32 or f64, one channel, one plane, any steps, in host memory; maps are f32
/// or f64. Memory grows with the islands, not with the image.
///
/// describe(): "sources 4096x4096 f32, seed 5, grow 4: cpu runs, avx3".
class TESSERA_API Sources : public ImagePlan {
 public:
  /// Throws Error(usage) with what would be right.
  explicit Sources(const ImageInfo& image, const SourcesOptions& options = {},
                   const SourcesScale& scale = {});

  /// Pixels around a source that its fit may use: twice the beam's major axis, 8 without a beam.
  int margin() const;

  SourceScan begin() const;
  /// The next rows. Throws Error(resources) if the islands need more than the stream's memory.
  void add(SourceScan& scan, AnyView image, AnyView background, AnyView rms, Stream& stream) const;
  /// Pixels in and at most margin() / 2 around the islands found so far, in order: those that a
  /// better estimate of background and noise leaves out.
  std::vector<SourcePixelRun> around(SourceScan& scan) const;
  /// After the last row; the state is used up.
  SourceList finish(SourceScan& scan, Stream& stream) const;
};

/// The sources of a whole image.
TESSERA_API SourceList sources(AnyView image, AnyView background, AnyView rms,
                               const SourcesOptions& options = {}, const SourcesScale& scale = {});

}  // namespace tessera
