// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_clean_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>

#include "core/counted.hpp"
#include "io/formats.hpp"
#include "jobs/faraday/faraday_lists.hpp"
#include "jobs/faraday/faraday_pair.hpp"
#include "jobs/faraday/faraday_planes.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

std::optional<double> header_step(const FaradayCubeSource& cube) {
  return cube.header().number(fmt::format("CDELT{}", cube.axes().spectral + 1));
}

double step_of(const FaradayCubeSource& cube, const std::optional<double>& given) {
  const std::optional<double> step = given ? given : header_step(cube);
  if (!step)
    throw Error(
        ErrorKind::usage,
        fmt::format("faraday: {} does not state the step of its depths; give --dphi, in rad/m^2",
                    cube.path()));
  if (!(*step > 0))
    throw Error(ErrorKind::usage,
                fmt::format("faraday: the step of the depths of {} is {} rad/m^2; it must be above "
                            "0",
                            cube.path(), *step));
  return *step;
}

/// RMSF and spectra must have the same step: they are subtracted depth by depth.
void check_steps(const FaradayCubeSource& spectra, const FaradayCubeSource& rmsf) {
  const auto a = header_step(spectra), b = header_step(rmsf);
  if (a && b && !(std::abs(*a - *b) <= 1e-4 * std::abs(*a)))
    throw Error(ErrorKind::usage,
                fmt::format("faraday: depths of {} are {} rad/m^2 apart and those of {} {}; give "
                            "the RMSF that was made with the spectra",
                            spectra.path(), *a, rmsf.path(), *b));
}

/// A pixel's RMSF number from a map; -1 for values that are not such a number.
int pattern_at(const Image& patterns, int x, int y) {
  const float number = patterns.as<float>().at(x, y);
  return number >= 0 && number < 1e9F ? static_cast<int>(number) : -1;
}

bool is_one_size(const Size& a, const Size& b) {
  return a.width == b.width && a.height == b.height;
}

[[noreturn]] void refuse_shapes(const FaradayCubeSource& a, const FaradayCubeSource& b) {
  const Size p = a.info().size, q = b.info().size;
  throw Error(ErrorKind::usage,
              fmt::format("faraday: {} has {} of {}x{}, and {} has {} of {}x{}; give "
                          "files that were made together",
                          a.path(), counted(p.planes, "plane"), p.width, p.height, b.path(),
                          q.planes, q.width, q.height));
}

/// Bytes of a value of an RMSF, with its depth.
constexpr double kRmsfBytes = sizeof(std::complex<double>) + sizeof(double);

/// Bytes of the tables made from an RMSF of this length (CleanTables).
double table_bytes(int length) { return 3 * 4.0 * (length + 64); }

/// The median; 0 if empty. Pixels without data have a width too, by theory, but do not affect the
/// median unless they are the majority.
double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

FaradayCleanInput::FaradayCleanInput(const FaradayCleanJob& job) : memory_(job.settings) {
  const FaradayPair pair = find_faraday_pair(job.spectra, "FDF", "_dirty");
  real_ = open_faraday(pair.real, job.reading, job.settings);
  imaginary_ = open_faraday(pair.imaginary, job.reading, job.settings);
  if (real_->info().size != imaginary_->info().size) refuse_shapes(*real_, *imaginary_);
  dphi_ = step_of(*real_, job.choices.dphi);
  read_rmsf(job, dphi_);
  cutoff_ = faraday_cutoff_of(job, *real_, memory_);
}

void FaradayCleanInput::read_rmsf(const FaradayCleanJob& job, double dphi) {
  const FaradayPair pair = find_faraday_pair(job.rmsf, "RMSF", "");
  auto real = open_faraday(pair.real, job.reading, job.settings);
  auto imaginary = open_faraday(pair.imaginary, job.reading, job.settings);
  if (real->info().size != imaginary->info().size) refuse_shapes(*real, *imaginary);
  const int depths = real_->info().size.planes, length = real->info().size.planes;
  if (length != 2 * depths + 1)
    throw Error(
        ErrorKind::usage,
        fmt::format(
            "faraday: {} has {} depths and {} has {}; an RMSF must have twice as many plus one",
            real_->path(), depths, real->path(), length));
  check_steps(*real_, *real);
  const int centre = length / 2;
  for (int p = 0; p < length; ++p) rmsf_.phi.push_back((p - centre) * dphi);
  const FaradayPlace fwhm = pair.beside("FWHM", 3), pattern = pair.beside("pattern", -1);
  ReadOptions reading = job.reading;
  reading.page = fwhm.page;
  fwhm_ = read_faraday_map(fwhm.path, *real_, "the width of the RMSF", reading, memory_);
  const bool listed = !pattern.page && real->info().size.height == 1 && pattern.is_there();
  if (real->info().size.width > 1 && listed)
    return read_patterns(
        *real, *imaginary,
        read_faraday_map(pattern.path, *real_, "the map of RMSFs", job.reading, memory_));
  if (real->info().size.width == 1 && real->info().size.height == 1)
    return read_patterns(*real, *imaginary, Image());
  if (!is_one_size(real->info().size, real_->info().size)) refuse_shapes(*real_, *real);
  rmsf_real_ = std::move(real);
  rmsf_imaginary_ = std::move(imaginary);
  find_plans_rmsf();
}

FaradayRmsf FaradayCleanInput::rmsf_from(AnyView real, AnyView imaginary, int x, int y,
                                         double fwhm) const {
  FaradayRmsf rmsf;
  rmsf.phi = rmsf_.phi;
  rmsf.fwhm = fwhm;
  for (int p = 0; p < real.size.planes; ++p) {
    const std::complex<double> value(real.as<const float>().at(x, y, 0, p),
                                     imaginary.as<const float>().at(x, y, 0, p));
    // In float, and with other programs' sums to 1e-6, the middle may be slightly more than 1.
    const double size = std::abs(value);
    rmsf.value.push_back(size > 1 && size < 1.001 ? value / size : value);
  }
  return rmsf;
}

// RMSFs next to each other, the first for pixels that lack no channel. The width of each is given
// by its pixels.
void FaradayCleanInput::read_patterns(FaradayCubeSource& real, FaradayCubeSource& imaginary,
                                      const Image& patterns) {
  hold_rmsfs(real.info().size.width);
  Image re(real.info()), im(real.info());
  real.read({0, 1}, re.view());
  imaginary.read({0, 1}, im.view());
  for (const FaradayCubeSource* rmsf : {&real, &imaginary}) real_->also_warn(rmsf->warnings());
  const int count = real.info().size.width;
  std::vector<std::vector<double>> widths(static_cast<std::size_t>(count));
  const Size size = fwhm_.info().size;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const int n = patterns ? pattern_at(patterns, x, y) : 0;
      if (n >= count)
        throw Error(ErrorKind::usage,
                    fmt::format("faraday: pixel {},{} has RMSF {}, and {} has {}; give files "
                                "that were made together",
                                x, y, n, real.path(), count));
      const double width = fwhm_.as<float>().at(x, y);
      if (n < 0 || !(width > 0) || !std::isfinite(width)) continue;
      widths[static_cast<std::size_t>(n)].push_back(width);
    }
  std::vector<double> middles;
  for (const std::vector<double>& of_pattern : widths) middles.push_back(median_of(of_pattern));
  const double any = *std::ranges::max_element(middles);
  for (int n = 0; n < count; ++n) {
    const double width = middles[static_cast<std::size_t>(n)];
    FaradayRmsf one = rmsf_from(re.view(), im.view(), n, 0, width > 0 ? width : any);
    if (n == 0)
      rmsf_ = std::move(one);
    else
      pattern_rmsfs_.push_back(std::move(one));
  }
  patterns_ = patterns;
}

// They are kept as they are, and as a method's tables for every strip. While they are read, also as
// in the file, with the widths of all pixels.
void FaradayCleanInput::hold_rmsfs(int count) {
  const double pixels = static_cast<double>(fwhm_.info().size.pixels());
  const int length = static_cast<int>(rmsf_.phi.size());
  memory_.hold(count == 1 ? "the RMSF" : fmt::format("{} RMSFs", count),
               count * (kRmsfBytes * length + table_bytes(length)),
               8.0 * count * length + 16 * pixels);
}

// The first valid one: a pixel without channels has only zeros.
void FaradayCleanInput::find_plans_rmsf() {
  ImageInfo row = rmsf_real_->info();
  const int height = row.size.height, centre = row.size.planes / 2;
  row.size.height = 1;
  Image re(row), im(row);
  for (int y = 0; y < height; ++y) {
    rmsf_real_->read({y, y + 1}, re.view());
    rmsf_imaginary_->read({y, y + 1}, im.view());
    for (int x = 0; x < row.size.width; ++x)
      if (std::abs(re.as<float>().at(x, 0, 0, centre)) > 0.5F) {
        rmsf_ = rmsf_from(re.view(), im.view(), x, 0, fwhm_.as<float>().at(x, y));
        return;
      }
  }
  throw Error(ErrorKind::input,
              fmt::format("faraday: {} has no RMSF: none is 1 at its centre", rmsf_real_->path()));
}

ImageInfo FaradayCleanInput::info() const {
  ImageInfo info = real_->info();
  info.size.planes *= 2;
  if (rmsf_real_) info.size.planes += 2 * rmsf_real_->info().size.planes;
  return info;
}

void FaradayCleanInput::read(Rows rows, AnyMutableView to) {
  int first = 0;
  for (FaradayCubeSource* source :
       {real_.get(), imaginary_.get(), rmsf_real_.get(), rmsf_imaginary_.get()}) {
    if (!source) continue;
    const int count = source->info().size.planes;
    source->read(rows, planes_of(to, first, count));
    first += count;
  }
}

// With one RMSF per pixel, all pixels of a strip may differ: each takes a key of a map, an RMSF and
// tables.
double FaradayCleanInput::scratch_bytes_a_row() const {
  const double conversion = static_cast<double>(real_->scratch_bytes_a_row());
  const int width = real_->info().size.width;
  if (!rmsf_real_) return conversion + (patterns_ ? 4.0 * width : 0.0);
  const int length = rmsf_real_->info().size.planes;
  const double key = 8.0 * length + 128;
  return conversion + static_cast<double>(rmsf_real_->scratch_bytes_a_row()) +
         width * (key + kRmsfBytes * length + table_bytes(length) + 4);
}

FaradayDirty FaradayCleanInput::dirty(AnyView strip, int first_row, Own& own) const {
  const int depths = real_->info().size.planes, rows = strip.size.height;
  FaradayDirty dirty{planes_of(strip, 0, depths), planes_of(strip, depths, depths)};
  if (cutoff_.map) dirty.cutoff = cutoff_.map.view().rows(first_row, rows);
  if (cutoff_.window) dirty.window = cutoff_.window.view().rows(first_row, rows);
  if (rmsf_real_) {
    group_by_rmsf(strip, first_row, own);
    dirty.own_rmsfs = own.rmsfs;
  } else if (patterns_) {
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < strip.size.width; ++x)
        own.of_pixel.push_back(std::max(-1, pattern_at(patterns_, x, first_row + y) - 1));
    dirty.own_rmsfs = pattern_rmsfs_;
  }
  dirty.rmsf_of_pixel = own.of_pixel;
  return dirty;
}

// Pixels whose RMSFs are equal in every value share one.
void FaradayCleanInput::group_by_rmsf(AnyView strip, int first_row, Own& own) const {
  const int depths = real_->info().size.planes, length = rmsf_real_->info().size.planes;
  const AnyView re = planes_of(strip, 2 * depths, length);
  const AnyView im = planes_of(strip, 2 * depths + length, length);
  std::map<std::vector<float>, int> known;
  std::vector<float> key;
  for (const std::complex<double>& value : rmsf_.value) {
    key.push_back(static_cast<float>(value.real()));
    key.push_back(static_cast<float>(value.imag()));
  }
  key.push_back(static_cast<float>(rmsf_.fwhm));
  known[key] = -1;
  for (int y = 0; y < strip.size.height; ++y)
    for (int x = 0; x < strip.size.width; ++x) {
      const float fwhm = fwhm_.as<float>().at(x, first_row + y);
      for (int p = 0; p < length; ++p) {
        key[static_cast<std::size_t>(2 * p)] = re.as<const float>().at(x, y, 0, p);
        key[static_cast<std::size_t>(2 * p + 1)] = im.as<const float>().at(x, y, 0, p);
      }
      key.back() = fwhm;
      const bool there = std::abs(key[static_cast<std::size_t>(length / 2 * 2)]) > 0.5F;
      const auto found = there ? known.find(key) : known.begin();
      if (there && found == known.end()) {
        own.of_pixel.push_back(static_cast<int>(own.rmsfs.size()));
        known[key] = own.of_pixel.back();
        own.rmsfs.push_back(rmsf_from(re, im, x, y, fwhm));
      } else {
        own.of_pixel.push_back(there ? found->second : -1);
      }
    }
}

std::vector<std::string> FaradayCleanInput::warnings() const {
  std::vector<std::string> all;
  for (const FaradayCubeSource* cube :
       {real_.get(), imaginary_.get(), rmsf_real_.get(), rmsf_imaginary_.get()})
    if (cube)
      for (const std::string& warning : cube->warnings()) all.push_back(warning);
  return all;
}

}  // namespace tessera
