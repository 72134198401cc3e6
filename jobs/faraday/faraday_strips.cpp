// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_strips.hpp"

#include <algorithm>
#include <cmath>

#include "core/device.hpp"
#include "core/packed_text.hpp"
#include "core/parallel.hpp"
#include "core/ranks.hpp"
#include "jobs/faraday/faraday_block.hpp"
#include "jobs/faraday/faraday_planes.hpp"

namespace tessera {
namespace {

constexpr int kBands = static_cast<int>(Names<FaradayBand>::list.size());

/// For memory on the device that the plan works on: the same method.
FaradaySynth plan_at_its_device(const ImageInfo& cube, const FaradayAxes& axes,
                                const FaradayOptions& options) {
  FaradaySynth plan(cube, axes, options);
  if (plan.device() == kHost) return plan;
  FaradayOptions chosen = options;
  chosen.backend = plan.backend();
  chosen.method = plan.method();
  ImageInfo there = cube;
  there.device = plan.device();
  return FaradaySynth(there, axes, chosen);
}

/// Pixels taken out of an image have the bits that they have in it: the method is that of the
/// whole.
FaradayOptions as_for_all(const ImageInfo& cube, const FaradayAxes& axes, FaradayOptions options) {
  const FaradaySynth plan(cube, axes, options);
  options.backend = plan.backend();
  options.method = plan.method();
  return options;
}

std::size_t at(int x, int y, int width) {
  return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
         static_cast<std::size_t>(x);
}

}  // namespace

FaradayStrips::FaradayStrips(const FaradayStripsOf& of) : of_(of) {
  const ImageInfo cube = with_planes(image(), of.axes.channels());
  if (of.gathered > 0)
    of_.options = as_for_all(with_planes(of.input.info(), of.axes.channels()), of.axes, of.options);
  synth_.emplace(plan_at_its_device(cube, of.axes, of_.options));
  maps_.emplace(synth_->output(), of.axes, of.fwhm, of.maps,
                FaradayMapsOptions{.backend = synth_->backend(), .device = of.options.device});
  bands_.emplace(cube, of.axes, FaradayBandsOptions{.sigma = of.sigma, .backend = Backend::cpu});
  if (has_own_rmsfs()) pixel_rmsfs_.emplace(cube, of.axes, of.patterns->rmsf(0).fitted);
  if (of.clean)
    clean_.emplace(synth_->output(), of.axes, of.patterns->rmsf(0), *of.clean, synth_->backend());
}

std::size_t FaradayStrips::scratch_bytes_a_row() const {
  const std::size_t width = synth_->input().size.width;
  const auto channels = static_cast<std::size_t>(synth_->input().size.planes),
             depths = static_cast<std::size_t>(synth_->output().size.planes);
  std::size_t values = kBands;
  if (of_.input.has_weights()) values += 2 * channels;
  if (!on_device() && of_.layout.real < 0) values += 2 * depths;
  if (!on_device() && clean_ && of_.layout.clean_real < 0) values += 2 * depths;
  return 4 * width * values +
         (pixel_rmsfs_ ? static_cast<std::size_t>(pixel_rmsfs_->bytes_a_row()) : 0) +
         (clean_ ? clean_->bytes_a_row() + 4 * width : 0);
}

ImageInfo FaradayStrips::image() const {
  ImageInfo info = of_.input.info();
  if (of_.gathered > 0) info.size.width = of_.gathered, info.size.height = 1;
  return info;
}

StripPlan FaradayStrips::plan() {
  const ImageInfo in = image();
  return {{in},
          {with_planes(in, of_.layout.planes)},
          [](Rows rows) { return rows; },
          [](int row) { return row; },
          [this](std::span<const Piece> from, std::span<const MutablePiece> to, Stream& stream) {
            run(from[0], to[0], stream);
          }};
}

// Spectra that nobody writes take far more memory than the channels: a few rows of them at a time
// stay in the cache until their maps are made.
int FaradayStrips::rows_at_once() const {
  constexpr long long kEnoughSpectraBytes = 32LL << 20;
  const ImageInfo spectra = synth_->output();
  if (on_device() || of_.layout.real >= 0) return spectra.size.height;
  const long long row = 2 * bytes_of(rows_of(spectra, 1, kHost));
  return static_cast<int>(std::clamp<long long>(kEnoughSpectraBytes / row, 1, spectra.size.height));
}

void FaradayStrips::run(const Piece& in, const MutablePiece& out, Stream& stream) {
  const int all = in.view.size.height, most = rows_at_once();
  for (int row = 0; row < all; row += most) {
    const int count = std::min(most, all - row);
    run_rows({in.view.rows(row, count), in.first_row + row},
             {out.view.rows(row, count), out.first_row + row}, stream);
  }
}

void FaradayStrips::run_rows(const Piece& in, const MutablePiece& out, Stream& stream) {
  std::optional<Stream> on_host;  // for plans that work there, whichever device makes the spectra
  Stream& host = on_device() ? on_host.emplace(kHost, stream.threads()) : stream;
  const FaradayVoxels voxels = of_.input.voxels(in.view);
  const int rows = in.view.size.height, channels = synth_->input().size.planes;
  const FaradayBlock bands(rows_of(bands_->output(), rows, kHost), host);
  (*bands_)(voxels, bands.view, host);
  AnyView both = planes_of(in.view, 0, 2 * channels);
  std::optional<FaradayBlock> weighted;
  if (voxels.weight.data) {
    weighted.emplace(rows_of(both.info(), rows, kHost), host);
    bands_->weigh(voxels, planes_of(weighted->view, 0, channels),
                  planes_of(weighted->view, channels, channels), host);
    both = weighted->view;
  }
  std::optional<FaradayPixelRmsfs> pixel_rmsfs;
  if (pixel_rmsfs_ && voxels.weight.data)
    pixel_rmsfs = pixel_rmsfs_->make(voxels, *bands_, bands.view, host);
  const std::vector<int> patterns =
      find_patterns({planes_of(both, 0, channels), out.first_row},
                    planes_of(both, channels, channels), bands.view, host);
  std::vector<int> own_of_pixel;
  FaradayOwnRmsfs own;
  if (pixel_rmsfs) {
    own = {pixel_rmsfs->rmsfs, pixel_rmsfs->of_pixel};
  } else if (of_.patterns && of_.patterns->count() > 1) {
    for (const int pattern : patterns) own_of_pixel.push_back(std::max(pattern, 0) - 1);
    own = {of_.patterns->incomplete_rmsfs(), own_of_pixel};
  }
  make_spectra(both, bands.view, own, out.view, stream);
  const AnyView maps = planes_of(AnyView(out.view), of_.layout.maps, maps_->output().size.planes);
  look(maps, bands.view, out.first_row);
  if (of_.patterns) add_rmsfs(patterns, pixel_rmsfs ? &*pixel_rmsfs : nullptr, out.view, stream);
  if (of_.layout.fwhm >= 0) add_widths(bands.view, out.view);
  if (of_.layout.fitted >= 0) add_fitted(out);
}

bool FaradayStrips::has_own_rmsfs() const {
  if (!of_.patterns) return false;
  const bool used = of_.layout.rmsf_real >= 0 || of_.clean;
  return of_.input.has_weights() || (used && !of_.patterns->only_counts());
}

/// Also sets the widths in `bands` to those of the patterns' RMSFs, which may be fitted. Pixels
/// whose patterns are too many to keep get RMSFs for this strip.
std::vector<int> FaradayStrips::find_patterns(const Piece& q, AnyView u, AnyMutableView bands,
                                              Stream& stream) {
  if (!of_.patterns) return {};
  std::vector<int> patterns = of_.patterns->find(q.view, u, q.first_row, stream.threads());
  if (of_.input.has_weights() || of_.patterns->only_counts()) return patterns;
  if (pixel_rmsfs_) {
    std::vector<int> others;
    for (std::size_t i = 0; i < patterns.size(); ++i)
      if (patterns[i] == FaradayPatterns::kOther) {
        patterns[i] = of_.patterns->count() + static_cast<int>(others.size());
        others.push_back(static_cast<int>(i));
      }
    of_.patterns->lend(pixel_rmsfs_->make_of(others, {q.view, u}, bands, stream));
  }
  const View<float> widths = planes_of(bands, static_cast<int>(FaradayBand::fwhm), 1).as<float>();
  for (int y = 0; y < bands.size.height; ++y)
    for (int x = 0; x < bands.size.width; ++x)
      if (const int pattern = patterns[at(x, y, bands.size.width)]; pattern >= 0)
        widths.at(x, y) = static_cast<float>(of_.patterns->fwhm(pattern));
  return patterns;
}

/// Both parts of the dirty spectra and, if they are cleaned, of the cleaned ones.
struct FaradayStrips::Spectra {
  std::optional<FaradayBlock> real_, imaginary_, clean_real_, clean_imaginary_;
  AnyMutableView real, imaginary, clean_real, clean_imaginary;

  /// In the planes of `out` if the layout has them and they are on the host.
  Spectra(const FaradayStrips& strips, const ImageInfo& info, AnyMutableView out, Stream& stream) {
    const FaradayLayout& layout = strips.of_.layout;
    const auto place = [&](int plane, std::optional<FaradayBlock>& block) {
      if (plane >= 0 && info.device == kHost) return planes_of(out, plane, info.size.planes);
      return block.emplace(info, stream).view;
    };
    real = place(layout.real, real_);
    imaginary = place(layout.imaginary, imaginary_);
    if (!strips.clean_) return;
    clean_real = place(layout.clean_real, clean_real_);
    clean_imaginary = place(layout.clean_imaginary, clean_imaginary_);
  }
};

// Uploads once and downloads only what is needed: spectra that are not written never leave the
// device.
void FaradayStrips::make_spectra(AnyView q_and_u, AnyView bands, const FaradayOwnRmsfs& own,
                                 AnyMutableView out, Stream& stream) {
  const FaradayLayout& layout = of_.layout;
  const int rows = out.size.height, device = synth_->device();
  const int channels = synth_->input().size.planes, depths = synth_->output().size.planes;
  const ImageInfo info = rows_of(synth_->output(), rows, device);
  const Spectra spectra(*this, info, out, stream);
  std::optional<FaradayBlock> uploaded, bands_there, maps_there, parts;
  AnyMutableView maps = planes_of(out, layout.maps, maps_->output().size.planes);
  if (on_device()) {
    DeviceStream& copies = device_stream(stream);
    copies.copy(q_and_u, uploaded.emplace(rows_of(q_and_u.info(), rows, device), stream).view);
    copies.copy(bands, bands_there.emplace(rows_of(bands.info(), rows, device), stream).view);
    maps_there.emplace(rows_of(maps_->output(), rows, device), stream);
  }
  const AnyView both = uploaded ? AnyView(uploaded->view) : q_and_u;
  (*synth_)(planes_of(both, 0, channels), planes_of(both, channels, channels), spectra.real,
            spectra.imaginary, stream);
  if (clean_) {
    FaradayCleaned cleaned{spectra.clean_real, spectra.clean_imaginary};
    if (layout.part_real >= 0 && on_device()) {
      parts.emplace(with_planes(info, 2 * depths), stream);
      cleaned.components_real = planes_of(parts->view, 0, depths);
      cleaned.components_imaginary = planes_of(parts->view, depths, depths);
    } else if (layout.part_real >= 0) {
      cleaned.components_real = planes_of(out, layout.part_real, depths);
      cleaned.components_imaginary = planes_of(out, layout.part_imaginary, depths);
    }
    const FaradayBlock counted(with_planes(rows_of(info, rows, kHost), 1), stream);
    clean_->run(spectra.real, spectra.imaginary, bands, own, cleaned,
                layout.iterations >= 0 ? planes_of(out, layout.iterations, 1) : counted.view,
                stream);
  }
  const AnyView real = clean_ ? spectra.clean_real : spectra.real,
                imaginary = clean_ ? spectra.clean_imaginary : spectra.imaginary;
  (*maps_)(real, imaginary, bands_there ? AnyView(bands_there->view) : bands,
           maps_there ? maps_there->view : maps, stream);
  if (on_device()) {
    DeviceStream& copies = device_stream(stream);
    const auto download = [&](const AnyMutableView& from, int plane) {
      if (plane >= 0) copies.copy(AnyView(from), planes_of(out, plane, from.size.planes));
    };
    download(spectra.real, layout.real);
    download(spectra.imaginary, layout.imaginary);
    if (clean_) download(spectra.clean_real, layout.clean_real);
    if (clean_) download(spectra.clean_imaginary, layout.clean_imaginary);
    if (parts) download(parts->view, layout.part_real);
    copies.copy(AnyView(maps_there->view), maps);
  }
  stream.wait();
  const auto magnitudes = [&](int re, int im, int to) {
    if (to >= 0)
      faraday_magnitudes(planes_of(AnyView(out), re, depths), planes_of(AnyView(out), im, depths),
                         planes_of(out, to, depths), stream.threads());
  };
  magnitudes(layout.real, layout.imaginary, layout.total);
  magnitudes(layout.clean_real, layout.clean_imaginary, layout.clean_total);
  magnitudes(layout.part_real, layout.part_imaginary, layout.part_total);
}

// They were made when these rows were read.
void FaradayStrips::add_fitted(const MutablePiece& out) {
  const AnyView fitted =
      AnyView(of_.input.cubes().fitted().view()).rows(out.first_row, out.view.size.height);
  copy_samples(fitted, planes_of(out.view, of_.layout.fitted, kFittedPlanes));
  fit_counts_.add(planes_of(fitted, kFittedStatus, 1));
}

void FaradayStrips::look(AnyView maps, AnyView bands, int first_row) {
  const View<const float> values = maps.as<const float>(), band = bands.as<const float>();
  for (int y = 0; y < maps.size.height; ++y)
    for (int x = 0; x < maps.size.width; ++x)
      if (const double pi = values.at(x, y, 0, 0);
          pi > seen_.max_pi || (std::isnan(seen_.max_pi) && !std::isnan(pi)))
        seen_ = {pi,
                 values.at(x, y, 0, 1),
                 band.at(x, y, 0, static_cast<int>(FaradayBand::noise)),
                 {x, first_row + y}};
}

// The first of equal pixels in the image, as in a run of one process.
void FaradayStrips::join_ranks() {
  if (clean_) clean_->join_ranks();
  for (long long& count : fit_counts_.of) count = sum_of_ranks(count);
  if (ranks().count() == 1) return;
  PackedText own;
  own.put(seen_);
  seen_ = {};
  const auto place = [](const FaradaySeen& seen) {
    return std::pair(seen.brightest.y, seen.brightest.x);
  };
  for (std::string& text : ranks().gathered(own.text())) {
    const auto other = PackedText(std::move(text)).take<FaradaySeen>();
    if (std::isnan(other.max_pi)) continue;
    if (std::isnan(seen_.max_pi) || other.max_pi > seen_.max_pi ||
        (other.max_pi == seen_.max_pi && place(other) < place(seen_)))
      seen_ = other;
  }
}

// Pixels without channels have the theoretical width of all channels, as in RM-Tools.
void FaradayStrips::add_widths(AnyView bands, AnyMutableView out) const {
  const View<const float> band = bands.as<const float>();
  for (int y = 0; y < out.size.height; ++y)
    for (int x = 0; x < out.size.width; ++x) {
      const bool is_empty = !(band.at(x, y, 0, static_cast<int>(FaradayBand::channels)) > 0);
      out.as<float>().at(x, y, 0, of_.layout.fwhm) =
          is_empty ? static_cast<float>(of_.axes.fwhm)
                   : band.at(x, y, 0, static_cast<int>(FaradayBand::fwhm));
    }
}

void FaradayStrips::add_rmsfs(const std::vector<int>& patterns, const FaradayPixelRmsfs* own,
                              AnyMutableView out, const Stream& stream) const {
  const FaradayLayout& layout = of_.layout;
  if (layout.pattern < 0 && layout.rmsf_real < 0) return;
  const View<float> to = out.as<float>();
  const int width = out.size.width, length = static_cast<int>(of_.patterns->rmsf(0).value.size());
  const auto value_of = [&](std::size_t pixel, int pattern, int p) -> std::complex<double> {
    const auto depth = static_cast<std::size_t>(p);
    if (pattern == FaradayPatterns::kEmpty) return 0;
    if (own) return own->rmsfs[static_cast<std::size_t>(own->of_pixel[pixel])].value[depth];
    return of_.patterns->rmsf(std::max(pattern, 0)).value[depth];
  };
  parallel_for(out.size.height, stream.threads(), [&](int y) {
    for (int x = 0; x < width; ++x) {
      const std::size_t pixel = at(x, y, width);
      const int pattern = patterns[pixel];
      if (layout.pattern >= 0)
        to.at(x, y, 0, layout.pattern) =
            static_cast<float>(pattern < of_.patterns->count() ? pattern : FaradayPatterns::kOther);
      for (int p = 0; layout.rmsf_real >= 0 && p < length; ++p) {
        const std::complex<double> value = value_of(pixel, pattern, p);
        to.at(x, y, 0, layout.rmsf_real + p) = static_cast<float>(value.real());
        to.at(x, y, 0, layout.rmsf_imaginary + p) = static_cast<float>(value.imag());
        to.at(x, y, 0, layout.rmsf_total + p) = static_cast<float>(std::abs(value));
      }
    }
  });
}

}  // namespace tessera
