// SPDX-License-Identifier: Apache-2.0
// The plan of the fit: check, choose, run.
#include "tessera/stokes_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/check.hpp"
#include "core/counted.hpp"
#include "core/plan_impl.hpp"
#include "core/refuse.hpp"
#include "ops/faraday/faraday_views.hpp"
#include "ops/faraday/stokes/stokes_fit_problem.hpp"

namespace tessera {
namespace {

constexpr const char* kStokes = "stokes fit";

static_assert(StokesPlanes::covariance == kStokesCovariance &&
              StokesPlanes::alpha == kStokesAlpha && StokesPlanes::status == kStokesStatus &&
              StokesPlanes::count == kStokesPlaces && kMostStokesOrder + 1 == kStokesTerms);
static_assert(static_cast<int>(StokesStatus::few_channels) == kStokesFewChannels &&
              static_cast<int>(StokesStatus::below_floor) == kStokesBelowFloor);

void check_frequencies(const std::vector<double>& frequencies, int channels) {
  if (std::ssize(frequencies) != channels)
    refuse(kStokes, fmt::format("{} frequencies are given for {} planes; give one per plane",
                                frequencies.size(), channels));
  for (std::size_t k = 0; k < frequencies.size(); ++k)
    if (!(frequencies[k] > 0) || !std::isfinite(frequencies[k]))
      refuse(kStokes, fmt::format("the frequency of channel {} is {}; it must be above 0 Hz", k,
                                  frequencies[k]));
}

void check_stokes_sigma(const std::vector<double>& sigma, int channels) {
  if (!sigma.empty() && std::ssize(sigma) != channels)
    refuse(kStokes, fmt::format("{} noise values are given for {} channels; give one per channel",
                                sigma.size(), channels));
}

double median_of(std::vector<double> values) {
  const std::size_t half = values.size() / 2;
  std::ranges::sort(values);
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Legendre's polynomials 1 to 5.
void fill_polynomials(double t, double* to) {
  double before = 1, now = t;
  for (int n = 1; n <= kMostStokesOrder; ++n) {
    to[n - 1] = now;
    const double next = ((2 * n + 1) * t * now - n * before) / (n + 1);
    before = now;
    now = next;
  }
}

/// The middle and half of the width of the axis that polynomials are over.
void find_axis(const std::vector<double>& places, StokesRule& rule) {
  const auto [low, high] = std::ranges::minmax(places);
  rule.middle = low + (high - low) / 2;
  rule.half = high > low ? (high - low) / 2 : 1;
}

StokesRule rule_of(const StokesFitOptions& options, int channels) {
  StokesRule rule{};
  const int most = std::abs(options.order);
  rule.channels = channels;
  rule.first_order = options.order < 0 ? 0 : most;
  rule.last_order = most;
  rule.min_channels = options.min_channels > 0 ? options.min_channels : most + 2;
  rule.log = options.curve == StokesCurve::log;
  rule.cauchy = options.loss == StokesLoss::cauchy;
  rule.scale_squared = options.loss_scale * options.loss_scale;
  rule.snr = options.snr;
  rule.floor = options.floor;
  rule.reference = options.reference.value_or(0);
  return rule;
}

struct StokesFitPlan final : ImagePlanOf<StokesFitProblem, StokesFitRunner> {
  using ImagePlanOf::ImagePlanOf;
  std::string problem_text() const override {
    const StokesRule& rule = problem.rule;
    return fmt::format("{} {}x{} {}, {}, {} {}{}", kStokes, problem.image.size.width,
                       problem.image.size.height, name_of(problem.image.type),
                       counted(rule.channels, "channel"), rule.log ? "log" : "linear",
                       rule.first_order < rule.last_order ? "up to " : "", rule.last_order);
  }
};

}  // namespace

StokesFitProblem stokes_fit_problem(const ImageInfo& image, const std::vector<double>& frequencies,
                                    const StokesFitOptions& options) {
  check_ranges(kStokes, options);
  check_faraday_cube(kStokes, "I", image);
  const int channels = image.size.planes;
  check_frequencies(frequencies, channels);
  check_stokes_sigma(options.sigma, channels);
  StokesFitProblem p{image, image, frequencies, {}, rule_of(options, channels)};
  std::vector<double> places;
  for (const double f : frequencies) places.push_back(p.rule.log ? std::log10(f) : f);
  find_axis(places, p.rule);
  for (std::size_t k = 0; k < places.size(); ++k) {
    StokesChannel channel{};
    channel.sigma = options.sigma.empty() ? std::nan("") : options.sigma[k];
    fill_polynomials((places[k] - p.rule.middle) / p.rule.half, channel.polynomial);
    channel.inverse_squared = 1 / (frequencies[k] * frequencies[k]);
    p.channels.push_back(channel);
  }
  if (std::ranges::all_of(p.channels, [](const auto& c) { return is_stokes_sigma(c.sigma); }))
    p.rule.median_sigma = median_of(options.sigma);
  p.output.size.planes = StokesPlanes::count;
  p.device = image.device == kHost ? options.device : image.device;
  return p;
}

StokesFit::StokesFit(const ImageInfo& image, const std::vector<double>& frequencies,
                     const StokesFitOptions& options)
    : ImagePlan(std::make_shared<const StokesFitPlan>(
          kStokes, stokes_fit_problem(image, frequencies, options), stokes_fit_methods(),
          options)) {}

void StokesFit::operator()(const StokesVoxels& voxels, AnyMutableView model,
                           AnyMutableView maps) const {
  Stream& stream = thread_stream(*this);
  (*this)(voxels, model, maps, stream);
  stream.wait();
}

void StokesFit::operator()(const StokesVoxels& voxels, AnyMutableView model, AnyMutableView maps,
                           Stream& stream) const {
  const int rows = voxels.i.size.height;
  check_faraday_view(kStokes, "I", voxels.i.info(), input(), rows);
  if (voxels.sigma.data) {
    ImageInfo noise = input();
    if (voxels.sigma.size.planes == 1) noise.size.planes = 1;
    check_faraday_view(kStokes, "noise", voxels.sigma.info(), noise, rows);
  } else if (std::isnan(impl<StokesFitPlan>().problem.channels.front().sigma) &&
             impl<StokesFitPlan>().problem.rule.median_sigma == 0 &&
             std::ranges::all_of(impl<StokesFitPlan>().problem.channels,
                                 [](const auto& c) { return std::isnan(c.sigma); })) {
    refuse(kStokes,
           "no noise of I is given; give sigma, one per channel, or a plane or cube of noise (1, "
           "with snr 0, weighs all channels alike)");
  }
  check_faraday_view(kStokes, "output", maps.info(), output(), rows);
  if (model.data) {
    check_faraday_view(kStokes, "model", model.info(), input(), rows);
    check_apart(kStokes, model, maps);
  }
  for (const AnyView& in : {voxels.i, voxels.sigma}) {
    if (!in.data) continue;
    check_apart(kStokes, in, maps);
    if (model.data) check_apart(kStokes, in, model);
  }
  check_stream(kStokes, stream, device());
  if (rows > 0) impl<StokesFitPlan>().runner->run({voxels, model, maps}, stream);
}

}  // namespace tessera
