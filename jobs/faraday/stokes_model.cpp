// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/stokes_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "core/counted.hpp"
#include "tessera/error.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

StokesPoints points_that_count(const StokesPoints& all) {
  const bool some = std::any_of(all.error.begin(), all.error.end(), [](double e) { return e > 0; });
  StokesPoints good;
  for (std::size_t n = 0; n < all.value.size(); ++n) {
    if (!std::isfinite(all.value[n]) || !std::isfinite(all.error[n])) continue;
    if (some && !(all.error[n] > 0)) continue;
    good.frequency.push_back(all.frequency[n]);
    good.value.push_back(all.value[n]);
    good.error.push_back(some ? all.error[n] : 1);
  }
  return good;
}

void check_enough(const StokesPoints& good, int order) {
  if (std::abs(order) > kMostStokesOrder)
    throw Error(ErrorKind::usage,
                fmt::format("faraday: the order of Stokes I is {}; it must be {} to {}", order,
                            -kMostStokesOrder, kMostStokesOrder));
  const int needed = std::max(order, 0) + 1;
  if (std::ssize(good.value) < needed)
    throw Error(ErrorKind::usage,
                fmt::format("faraday: {} {} Stokes I and its error, but order {} needs "
                            "{}; give a lower order or --ignore-i",
                            counted(good.value.size(), "channel"),
                            good.value.size() == 1 ? "has" : "have", order, needed));
}

// A curve of 0 has no slopes, which would otherwise be blamed on the frequencies.
void check_not_zero(const StokesPoints& good, StokesCurve curve) {
  const bool none = std::ranges::all_of(good.value, [](double v) { return v == 0; });
  const double sum = std::accumulate(good.value.begin(), good.value.end(), 0.0);
  if (none)
    throw Error(ErrorKind::usage,
                fmt::format("faraday: Stokes I is 0 in all {} channels that count, so Q and U "
                            "cannot be divided by it; give --ignore-i",
                            good.value.size()));
  if (sum == 0 && curve == StokesCurve::log)
    throw Error(ErrorKind::usage,
                fmt::format("faraday: the mean of Stokes I is 0 over {}, which no power "
                            "law can give; give --curve linear or --ignore-i",
                            counted(good.value.size(), "channel")));
}

StokesModel model_of(const Image& maps, StokesCurve curve, int order) {
  const View<const double> at = maps.as<double>();
  const auto status = static_cast<StokesStatus>(std::lround(at.at(0, 0, 0, StokesPlanes::status)));
  if (status == StokesStatus::undetermined)
    throw Error(ErrorKind::usage,
                fmt::format("faraday: the frequencies of Stokes I do not determine the {} "
                            "coefficients of order {}; give a lower order or --ignore-i",
                            std::abs(order) + 1, std::abs(order)));
  if (status != StokesStatus::fitted)
    throw Error(ErrorKind::input,
                fmt::format("faraday: no curve of order {} fits Stokes I: its fit ends as {}; give "
                            "a lower order or --ignore-i",
                            order, name_of(status)));
  StokesModel model;
  model.curve = curve;
  model.reference = at.at(0, 0, 0, StokesPlanes::reference);
  model.order = static_cast<int>(std::lround(at.at(0, 0, 0, StokesPlanes::order)));
  for (int k = 0; k <= kMostStokesOrder; ++k) {
    model.coefficient[static_cast<std::size_t>(k)] = at.at(0, 0, 0, StokesPlanes::coefficient + k);
    model.error[static_cast<std::size_t>(k)] = at.at(0, 0, 0, StokesPlanes::error + k);
  }
  model.chi_squared = at.at(0, 0, 0, StokesPlanes::chi_squared);
  model.channels = static_cast<int>(std::lround(at.at(0, 0, 0, StokesPlanes::channels)));
  model.status = model.chi_squared > 0 ? 1 : 4;
  return model;
}

}  // namespace

double StokesModel::at(double frequency) const {
  const double x = frequency / reference, step = curve == StokesCurve::log ? std::log10(x) : x;
  double sum = 0;
  for (int k = order; k > 0; --k) sum = (sum + coefficient[static_cast<std::size_t>(k)]) * step;
  return curve == StokesCurve::log ? coefficient[0] * std::pow(10, sum) : coefficient[0] + sum;
}

StokesModel fit_stokes_model(const StokesPoints& points, StokesCurve curve, int order,
                             double reference) {
  const StokesPoints good = points_that_count(points);
  check_enough(good, order);
  check_not_zero(good, curve);
  const int channels = static_cast<int>(good.value.size());
  const int most = std::min(std::abs(order), channels - 1);
  Image i({1, 1, 1, channels}, Type::f64);
  for (int k = 0; k < channels; ++k)
    i.as<double>().at(0, 0, 0, k) = good.value[static_cast<std::size_t>(k)];
  // Spectra are divided by whatever fits them: whether that is wise is the user's choice.
  const StokesFit plan(i.info(), good.frequency,
                       {.curve = curve,
                        .order = order < 0 ? -most : order,
                        .snr = 0,
                        .floor = -1,
                        .reference = reference,
                        .min_channels = 1,
                        .sigma = good.error,
                        .backend = Backend::cpu});
  Image maps(plan.output());
  plan({i.view()}, {}, maps.view());
  return model_of(maps, curve, order);
}

}  // namespace tessera
