// SPDX-License-Identifier: Apache-2.0
#include "sample/sky.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "sample/gaussian_pair.hpp"
#include "sample/sample_checks.hpp"
#include "sample/store_row.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr int kRowsAPiece = 16;

ImageInfo checked_info(const Size& size, Type type, const SkyOptions& options) {
  check_sky(options);
  check_one_plane("sky", size);
  if (is_integer(type))
    throw Error(ErrorKind::usage,
                "sky: noise has both signs and blanks are NaN, which integers cannot hold; give "
                "f32 or f64");
  return {size, type, kHost};
}

constexpr auto kSample = []<class T>(double value) { return static_cast<T>(value); };

}  // namespace

Sky::Sky(Size size, std::uint64_t seed, const SkyOptions& options, Type type, int threads)
    : info_(checked_info(size, type, options)),
      seed_(seed),
      noisy_(options.noise > 0),
      threads_(threads > 0 ? threads : available_threads()),
      ground_(size, seed, options),
      blanks_(size, seed, options),
      truth_(draw_sky_sources(size, seed, options)) {
  for (const SkySource& source : truth_) {
    profiles_.emplace_back(source);
    reach_ = std::max(reach_, profiles_.back().reach());
  }
}

void Sky::read(SkyMap map, Rows rows, AnyMutableView to) const {
  const int pieces = (rows.count() + kRowsAPiece - 1) / kRowsAPiece;
  parallel_for(pieces, threads_, [&](int piece) {
    const int first = rows.first + piece * kRowsAPiece;
    for (int row = first; row < std::min(rows.end, first + kRowsAPiece); ++row)
      store_row(row_of(map, row), to, row - rows.first, kSample);
  });
}

std::vector<double> Sky::row_of(SkyMap map, int row) const {
  if (map == SkyMap::sigma) return ground_.sigma(row);
  std::vector<double> values = ground_.background(row);
  if (map == SkyMap::background) return values;
  if (noisy_) add_noise(row, values);
  add_sources(row, values);
  blanks_.blank(row, values);
  return values;
}

void Sky::add_noise(int row, std::vector<double>& values) const {
  const std::vector<double> sigma = ground_.sigma(row);
  Random random{seed_, 55, static_cast<std::uint64_t>(row)};
  for (std::size_t x = 0; x < values.size(); x += 2) {
    const GaussianPair pair = gaussian_pair(random);
    values[x] += sigma[x] * pair.first;
    if (x + 1 < values.size()) values[x + 1] += sigma[x + 1] * pair.second;
  }
}

void Sky::add_sources(int row, std::vector<double>& values) const {
  const auto first = std::ranges::lower_bound(truth_, row - reach_, {}, &SkySource::y);
  for (auto source = first; source != truth_.end() && source->y <= row + reach_; ++source)
    profiles_[static_cast<std::size_t>(source - truth_.begin())].add_to(row, values);
}

}  // namespace tessera
