// SPDX-License-Identifier: Apache-2.0
// Wavelengths, the wavelength that angles refer to, and the grid of depths.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>
#include <system_error>

#include "core/refuse.hpp"
#include "ops/faraday/faraday_width.hpp"
#include "tessera/faraday.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera {
namespace {

constexpr double kLightSpeed = 299792458;
/// More depths are a typing error, not a survey: 16 million depths of one pixel are 128 MB.
constexpr double kMostDepths = 1 << 24;

std::vector<double> weights_of(const FaradayChannels& channels) {
  const std::size_t count = channels.frequency.size();
  if (channels.weight.empty()) return std::vector<double>(count, 1.0);
  if (channels.weight.size() != count)
    refuse("faraday", fmt::format("{} weights are given for {} channels; give one per channel",
                                  channels.weight.size(), count));
  std::vector<double> weights = channels.weight;
  for (std::size_t k = 0; k < count; ++k) {
    if (weights[k] < 0)
      refuse("faraday",
             fmt::format("the weight of channel {} is {}; it can be 0 or more", k, weights[k]));
    if (!std::isfinite(weights[k])) weights[k] = 0;
  }
  return weights;
}

/// Extremes of lambda^2 over channels that count, and the widest step between neighbours.
struct Wavelengths {
  double least = 0, most = 0, widest_step = 0;

  explicit Wavelengths(const FaradayAxes& axes) {
    std::vector<double> sorted;
    for (int k = 0; k < axes.channels(); ++k)
      if (axes.weight[static_cast<std::size_t>(k)] > 0)
        sorted.push_back(axes.lambda2[static_cast<std::size_t>(k)]);
    std::sort(sorted.begin(), sorted.end());
    if (sorted.empty() || sorted.front() == sorted.back())
      refuse(
          "faraday",
          fmt::format("{}; depths need channels of at least two frequencies with a weight above 0",
                      sorted.empty() ? fmt::format("none of {} channels counts", axes.channels())
                                     : fmt::format("{} of {} channels count, and all at one "
                                                   "frequency",
                                                   sorted.size(), axes.channels())));
    least = sorted.front();
    most = sorted.back();
    for (std::size_t k = 1; k < sorted.size(); ++k)
      widest_step = std::max(widest_step, sorted[k] - sorted[k - 1]);
  }
};

/// The axes of channels alone: everything except the depths.
FaradayAxes axes_of(const FaradayChannels& channels, const FaradayOptions& options) {
  check_ranges("faraday", options);
  FaradayAxes axes;
  axes.frequency = channels.frequency;
  axes.weight = weights_of(channels);
  double moment = 0;
  for (std::size_t k = 0; k < axes.frequency.size(); ++k) {
    const double frequency = axes.frequency[k];
    if (!(frequency > 0) || !std::isfinite(frequency))
      refuse("faraday",
             fmt::format("the frequency of channel {} is {} Hz; it must be above 0", k, frequency));
    const double wavelength = kLightSpeed / frequency;
    axes.lambda2.push_back(wavelength * wavelength);
    axes.weight_sum += axes.weight[k];
    moment += axes.weight[k] * axes.lambda2[k];
  }
  const Wavelengths wavelengths(axes);
  axes.lambda2_0 = options.lambda0.value_or(moment / axes.weight_sum);
  axes.fwhm = faraday_width(wavelengths.least, wavelengths.most, axes.lambda2_0);
  axes.max_scale = std::numbers::pi / wavelengths.least;
  return axes;
}

/// `step` is 0 if there is none.
void check_count(double count, double step, const char* remedy) {
  if (!(count >= 1))
    refuse("faraday", fmt::format("the grid would have {} depths; it needs one or more", count));
  if (count > kMostDepths)
    refuse(
        "faraday",
        fmt::format("the grid would have {:.0f} depths{}, which are {:.3g} GiB for 1,000 pixels; "
                    "it can have up to {:.0f}: {}",
                    count, step > 0 ? fmt::format(", {} rad/m^2 apart", step) : "",
                    count * 8000 / (1 << 30), kMostDepths, remedy));
}

/// -phi_max to phi_max, zero exactly in the middle.
std::vector<double> symmetric_grid(double phi_max, double dphi) {
  const double half = std::round(phi_max / dphi);
  check_count(2 * half + 1, dphi, "give a smaller phi-max or a larger dphi");
  std::vector<double> phi;
  for (int p = -static_cast<int>(half); p <= static_cast<int>(half); ++p) phi.push_back(p * dphi);
  return phi;
}

/// Three numbers separated by commas, each with optional blanks before it; the decimal sign is a
/// point in every locale.
std::optional<std::array<double, 3>> three_numbers(std::string_view text) {
  std::array<double, 3> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0 && !text.starts_with(',')) return std::nullopt;
    if (i > 0) text.remove_prefix(1);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), numbers[i]);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  }
  if (!text.empty()) return std::nullopt;
  return numbers;
}

std::vector<double> explicit_grid(const std::string& text, double& dphi) {
  const auto numbers = three_numbers(text);
  if (!numbers)
    refuse("faraday",
           fmt::format("phi is '{}'; it can be auto or LOW,HIGH,STEP such as -100,500,0.5", text));
  const double low = (*numbers)[0], high = (*numbers)[1];
  dphi = (*numbers)[2];
  if (!(dphi > 0) || !(high >= low) || !std::isfinite(high - low) || !std::isfinite(dphi))
    refuse("faraday", fmt::format("phi is '{}'; HIGH must be LOW or more, and STEP above 0", text));
  const double count = std::floor((high - low) / dphi + 0.5) + 1;
  check_count(count, dphi, "give a narrower range or a larger STEP");
  std::vector<double> phi;
  for (int p = 0; p < static_cast<int>(count); ++p) phi.push_back(low + p * dphi);
  if (phi.size() == 1) dphi = 0;
  return phi;
}

/// The step of a list of depths that is a regular grid: each depth is within rounding of its place.
double step_of(const std::vector<double>& phi) {
  if (phi.size() < 2) return 0;
  const double step = (phi.back() - phi.front()) / static_cast<double>(phi.size() - 1);
  const double slack = 1e-9 * step;
  for (std::size_t p = 0; p < phi.size(); ++p)
    if (!(std::abs(phi[p] - (phi.front() + static_cast<double>(p) * step)) <= slack)) return 0;
  return step;
}

}  // namespace

void add_to_key(PlanKey& key, const FaradayAxes& axes) {
  // All members by name: a new one does not compile until it is here.
  const auto& [frequency, lambda2, weight, weight_sum, lambda2_0, phi, dphi, fwhm, max_scale] =
      axes;
  key.add(frequency).add(lambda2).add(weight).add(weight_sum).add(lambda2_0);
  key.add(phi).add(dphi).add(fwhm).add(max_scale);
}

bool FaradayAxes::symmetric() const {
  for (std::size_t p = 0; p < (phi.size() + 1) / 2; ++p)
    if (phi[p] != -phi[phi.size() - 1 - p]) return false;
  return !phi.empty();
}

double FaradayAxes::frequency_0() const {
  if (lambda2_0 > 0) return kLightSpeed / std::sqrt(lambda2_0);
  double sum = 0, count = 0;
  for (std::size_t k = 0; k < frequency.size(); ++k)
    if (weight[k] > 0) {
      sum += frequency[k];
      ++count;
    }
  return sum / count;
}

FaradayAxes faraday_axes(const FaradayChannels& channels, const FaradayOptions& options) {
  FaradayAxes axes = axes_of(channels, options);
  if (options.phi != "auto") {
    if (options.phi_max || options.dphi)
      refuse("faraday", "phi is given, and phi-max or dphi too; give the grid in one way");
    axes.phi = explicit_grid(options.phi, axes.dphi);
    return axes;
  }
  axes.dphi = options.dphi.value_or(axes.fwhm / options.samples);
  const double automatic =
      std::max(std::numbers::sqrt3 / Wavelengths(axes).widest_step, 10 * axes.fwhm);
  const double phi_max = options.phi_max.value_or(automatic);
  if (!(axes.dphi > 0) || !std::isfinite(axes.dphi))
    refuse("faraday", fmt::format("dphi is {} rad/m^2; it must be above 0", axes.dphi));
  if (!(phi_max >= 0) || !std::isfinite(phi_max))
    refuse("faraday", fmt::format("phi-max is {} rad/m^2; it can be 0 or more", phi_max));
  axes.phi = symmetric_grid(phi_max, axes.dphi);
  if (axes.phi.size() == 1) axes.dphi = 0;
  return axes;
}

FaradayAxes faraday_axes(const FaradayChannels& channels, std::vector<double> depths,
                         const FaradayOptions& options) {
  FaradayAxes axes = axes_of(channels, options);
  check_count(static_cast<double>(depths.size()), 0, "give fewer");
  for (const double depth : depths)
    if (!std::isfinite(depth))
      refuse("faraday", fmt::format("a depth is {}; all must be finite numbers of rad/m^2", depth));
  axes.phi = std::move(depths);
  axes.dphi = step_of(axes.phi);
  if (!(axes.dphi > 0)) axes.dphi = 0;
  return axes;
}

}  // namespace tessera
