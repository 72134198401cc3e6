// SPDX-License-Identifier: Apache-2.0
#include "ops/correlate/correlate_scale.hpp"

#include <cmath>

namespace tessera {
namespace {

/// Sums that do not wait for each other.
constexpr int kSums = 8;

template <class T>
double energy_of(View<const T> plane) {
  double total = 0;
  for (int y = 0; y < plane.size.height; ++y) {
    double sums[kSums] = {};
    const T* at = &plane.at(0, y);
    for (int x = 0; x < plane.size.width; x += kSums) {
      const int count = plane.size.width - x < kSums ? plane.size.width - x : kSums;
      for (int k = 0; k < count; ++k, at += plane.pixel) {
        const auto value = static_cast<double>(*at);
        sums[k] += value * value;
      }
    }
    double row = 0;
    for (const double sum : sums) row += sum;
    total += row;
  }
  return total;
}

}  // namespace

AnyView plane_view(const CorrelateProblem& problem, AnyView images, int image, int plane) {
  const int channels = problem.image.size.channels;
  const int planes = problem.planes / channels;  // of the view, per image
  AnyView one = images.only_plane(image * planes + plane / channels);
  one.data = one.address(0, 0) + plane % channels * bytes_of(one.type);
  one.size.channels = 1;
  return one;
}

double plane_energy(AnyView plane) {
  switch (plane.type) {
    case Type::u8:
      return energy_of(plane.as<const unsigned char>());
    case Type::u16:
      return energy_of(plane.as<const unsigned short>());
    case Type::f32:
      return energy_of(plane.as<const float>());
    default:
      return energy_of(plane.as<const double>());
  }
}

ShiftDivisors::ShiftDivisors(const CorrelateProblem& problem, AnyView images, AnyView others,
                             int image)
    : width_(problem.image.size.width),
      height_(problem.image.size.height),
      by_overlap_(problem.scale == ShiftScale::overlap || problem.scale == ShiftScale::coefficient),
      energies_(problem.sums.size(), 1.0) {
  if (problem.scale == ShiftScale::none || problem.scale == ShiftScale::overlap) return;
  std::vector<double> first, second;
  for (int plane = 0; plane < problem.planes; ++plane) {
    first.push_back(plane_energy(plane_view(problem, images, image, plane)));
    second.push_back(same_images(images, others)
                         ? first.back()
                         : plane_energy(plane_view(problem, others, image, plane)));
  }
  for (std::size_t k = 0; k < energies_.size(); ++k) {
    double energy = 0;
    for (const PlanePair& pair : problem.sums[k].pairs)
      energy += std::sqrt(first[static_cast<std::size_t>(pair.first)] *
                          second[static_cast<std::size_t>(pair.second)]);
    energies_[k] = problem.scale == ShiftScale::energy ? energy : energy / (width_ * height_);
  }
}

}  // namespace tessera
