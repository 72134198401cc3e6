// SPDX-License-Identifier: Apache-2.0
// Planes of a filter that are multiples of each other, as those of Gaussians and boxes, share one
// plan: its results are computed once per plane of the image and joined with factors.
#include "ops/convolve/convolve_volume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.hpp"
#include "core/refuse.hpp"

namespace tessera {
namespace {

using Weights = std::vector<double>;

double magnitude_of(const Weights& weights) {
  double sum = 0;
  for (const double weight : weights) sum += std::abs(weight);
  return sum;
}

/// The factor that makes `weights` of `base`, up to the rounding of sums; nothing if there is none.
std::optional<double> factor_of(const Weights& base, const Weights& weights, double eps) {
  const auto largest = std::max_element(
      base.begin(), base.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  if (*largest == 0) return std::nullopt;
  const double factor = weights[static_cast<std::size_t>(largest - base.begin())] / *largest;
  double residual = 0;
  for (std::size_t k = 0; k < base.size(); ++k) residual += std::abs(weights[k] - factor * base[k]);
  // Not so for NaN: weights that are not finite have plans of their own.
  return residual <= eps / 4 * magnitude_of(weights) ? std::optional(factor) : std::nullopt;
}

/// The weights of each plane, those of the plan at index `base` apart.
struct SlicesFound {
  std::vector<int> bases;  ///< planes of the filter that have plans
  std::vector<VolumeSlice> slices;
};

SlicesFound find_slices(const std::vector<Weights>& planes, double eps) {
  SlicesFound found;
  for (int k = 0; k < std::ssize(planes); ++k) {
    const Weights& weights = planes[static_cast<std::size_t>(k)];
    std::optional<VolumeSlice> slice;
    for (int plan = 0; plan < std::ssize(found.bases) && !slice; ++plan) {
      const int base = found.bases[static_cast<std::size_t>(plan)];
      if (const auto factor = factor_of(planes[static_cast<std::size_t>(base)], weights, eps))
        slice = VolumeSlice{plan, *factor};
    }
    if (!slice) {
      slice = VolumeSlice{static_cast<int>(found.bases.size()), 1};
      found.bases.push_back(k);
    }
    found.slices.push_back(*slice);
  }
  return found;
}

/// Each plane is filtered to sums that are neither scaled nor rounded to the output.
ConvolveOptions options_of_slices(const ConvolveOptions& options, Type sums, Backend backend) {
  ConvolveOptions own = options;
  own.scale = 1;
  own.output_type = sums;
  own.backend = backend;
  return own;
}

}  // namespace

ConvolveVolume::ConvolveVolume(std::string text, const ImageInfo& in, const ImageInfo& out,
                               VolumeParts made_of, double magnitude, std::vector<Convolve> plans)
    : VolumePlan("convolve", std::move(text), in, out, std::move(made_of)),
      magnitude_(magnitude),
      slices_(std::move(plans)) {}

double ConvolveVolume::error_bound(double largest_input) const {
  const bool single = parts.plans.front().output().type == Type::f32 || output().type == Type::f32;
  const double eps =
      single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  double sum = 0;
  for (const VolumeSlice& slice : parts.slices)
    sum += std::abs(slice.factor) *
           slices_[static_cast<std::size_t>(slice.plan)].error_bound(largest_input);
  // A product and a sum per slice, and factors that fit up to a quarter of an epsilon.
  const double joins = static_cast<double>(parts.slices.size()) + 1;
  return sum + joins * eps * magnitude_ * largest_input;
}

std::shared_ptr<const ConvolveVolume> make_convolve_volume(const ImageInfo& image, AnyView filter,
                                                           const ConvolveOptions& options) {
  if (options.border == Border::inside)
    refuse("convolve",
           "border inside is not offered for filters of several planes; it can be valid, constant, "
           "replicate, reflect, reflect-101 or wrap");
  const int count = filter.size.planes;
  const ImageInfo plane = plane_for_slices(image, options.backend, options.device);
  // The plan that says what is wrong with the arguments, and what the result is.
  const Convolve first(plane, filter.only_plane(0), options);
  const Type sums =
      image.type == Type::f64 || first.output().type == Type::f64 ? Type::f64 : Type::f32;
  const double eps = sums == Type::f64 ? std::numeric_limits<double>::epsilon()
                                       : std::numeric_limits<float>::epsilon();
  std::vector<Weights> weights;
  for (int k = 0; k < count; ++k) weights.push_back(samples_as_double(filter.only_plane(k)));
  SlicesFound found = find_slices(weights, eps);
  VolumeParts parts{.slices = std::move(found.slices), .border = options.border};
  std::vector<Convolve> plans;
  for (const int base : found.bases)
    plans.emplace_back(
        plane, filter.only_plane(base),
        options_of_slices(options, sums, backend_for_slices(image, options.backend)));
  parts.plans.assign(plans.begin(), plans.end());
  double magnitude = 0;
  for (int k = 0; k < count; ++k) {
    VolumeSlice& slice = parts.slices[static_cast<std::size_t>(k)];
    const Weights& base =
        weights[static_cast<std::size_t>(found.bases[static_cast<std::size_t>(slice.plan)])];
    for (const double weight : base) slice.outside += weight * options.constant;
    slice.factor *= options.scale;
    magnitude += std::abs(options.scale) * magnitude_of(weights[static_cast<std::size_t>(k)]);
  }
  if (options.flip) std::reverse(parts.slices.begin(), parts.slices.end());
  // A turned filter keeps its anchor on the same plane.
  parts.anchor = options.border == Border::valid ? 0
                 : options.flip                  ? count - 1 - count / 2
                                                 : count / 2;
  ImageInfo output = first.output();
  output.device = image.device;
  output.size.planes = planes_of_result(image.size.planes, count, options.border);
  return std::make_shared<const ConvolveVolume>(
      fmt::format("convolve {} by {}x{}x{}", image_text(image), filter.size.width,
                  filter.size.height, count),
      image, output, std::move(parts), magnitude, std::move(plans));
}

}  // namespace tessera
