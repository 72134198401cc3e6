// SPDX-License-Identifier: Apache-2.0
#include "python/faraday_voxel_arrays.hpp"

#include <nanobind/stl/string.h>

#include "python/array_checks.hpp"
#include "python/faraday_arrays.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

constexpr const char* kWeights = "faraday_synth: weights";

/// An array of Q's library and dtype, on its device.
nb::object as_array_like(nb::handle owner, const Array& q, const char* what, nb::handle given) {
  refuse_mask(what, given);
  const nb::object dtype = q.object.attr("dtype");
  if (q.library == Library::torch)
    return owner.attr("as_tensor")(given, "dtype"_a = dtype,
                                   "device"_a = nb::getattr(q.object, "device"));
  return owner.attr("asarray")(given, "dtype"_a = dtype);
}

[[noreturn]] void refuse_shape(const char* what, const Shape& shape, const Array& q, int axis,
                               bool maps) {
  throw_usage(
      std::string(what) + " is " + shape_text(shape) + "; it must be " +
      shape_text({q.shape[static_cast<std::size_t>(axis)]}) + ", one per channel, " +
      (maps ? "one number, " + shape_text(without_axis(q.shape, axis)) + ", one per pixel, " : "") +
      "or as q " + shape_text(q.shape));
}

}  // namespace

VoxelArrays::VoxelArrays(nb::handle noise, nb::handle weights, const Array& q, int axis,
                         const StokesModel* model, const char* noise_name)
    : noise_name_(noise_name), axis_(axis < 0 ? axis + static_cast<int>(q.shape.size()) : axis) {
  if (!noise.is_none() || !weights.is_none()) owner_ = nb::module_::import_(library_of(q));
  if (!noise.is_none()) take_noise(noise, q, model);
  if (!weights.is_none()) take_weights(weights, q);
}

void VoxelArrays::take_noise(nb::handle noise, const Array& q, const StokesModel* model) {
  nb::object sigma = as_array_like(owner_, q, noise_name_, noise);
  const Shape shape = look_at(sigma, noise_name_).shape,
              channels{q.shape[static_cast<std::size_t>(axis_)]};
  Shape wide(q.shape.size(), 1), map = q.shape;
  wide[static_cast<std::size_t>(axis_)] = channels[0];
  map[static_cast<std::size_t>(axis_)] = 1;
  if (shape.empty())
    sigma = owner_.attr("broadcast_to")(sigma, to_tuple(wide));
  else if (shape == channels)
    sigma = sigma.attr("reshape")(to_tuple(wide));
  else if (shape == without_axis(q.shape, axis_))
    sigma = sigma.attr("reshape")(to_tuple(map));
  else if (shape != q.shape)
    refuse_shape(noise_name_, shape, q, axis_, true);
  // By what was given, not by the extents: a part of a cube may have a single pixel.
  const bool per_channel = (shape.empty() || shape == channels) && (!model || model->per_channel());
  if (model) sigma = model->divide_noise(sigma);
  sigma_like_q_ = sigma;
  const Array made = look_at(sigma, noise_name_);
  if (per_channel)
    channel_sigma_ = numbers(noise_name_, sigma.attr("reshape")(-1).attr("tolist")());
  else
    sigma_ = made;
}

void VoxelArrays::take_weights(nb::handle weights, const Array& q) {
  if (nb::isinstance<nb::str>(weights)) {
    const std::string name = nb::cast<std::string>(weights);
    if (name != "variance")
      throw_usage(std::string(kWeights) + " is '" + name + "'; it can be 'variance', or numbers");
    if (!sigma_like_q_.is_valid())
      throw_usage(std::string(kWeights) + " is 'variance', which needs noise; give it too");
    const nb::object made = nb::float_(1) / (sigma_like_q_ * sigma_like_q_);
    if (!channel_sigma_.empty())
      channel_weights_ = made.attr("reshape")(-1).attr("tolist")();
    else if (sigma_->shape == q.shape)  // a map weighs all channels of a pixel alike
      weight_ = look_at(made, kWeights);
    return;
  }
  if (!nb::hasattr(weights, "ndim") || nb::cast<int>(weights.attr("ndim")) <= 1) {
    channel_weights_ = nb::borrow(weights);  // a wrong number is said with the channels
    return;
  }
  weight_ = look_at(as_array_like(owner_, q, kWeights, weights), kWeights);
  if (weight_->shape != q.shape) refuse_shape(kWeights, weight_->shape, q, axis_, false);
}

nb::object VoxelArrays::channel_weights(const Array& q, const Array& u) const {
  if (!weight_) return channel_weights_;
  const nb::object finite = owner_.attr("isfinite"), both = owner_.attr("logical_and"),
                   zero = owner_.attr("zeros_like")(weight_->object);
  nb::object counts = both(finite(q.object), finite(u.object));
  counts = both(counts, both(finite(weight_->object), weight_->object.attr("__gt__")(0)));
  const auto per_channel = [&](const nb::object& cube) {
    const nb::object flat = owner_.attr("moveaxis")(cube, axis_, 0)
                                .attr("reshape")(q.shape[static_cast<std::size_t>(axis_)], -1);
    return numbers(kWeights, flat.attr("sum")(1).attr("tolist")());
  };
  std::vector<double> sums = per_channel(owner_.attr("where")(counts, weight_->object, zero));
  const std::vector<double> number = per_channel(counts);
  nb::list means;
  for (std::size_t k = 0; k < sums.size(); ++k)
    means.append(number[k] > 0 ? sums[k] / number[k] : 0.0);
  return means;
}

FaradayVoxels VoxelArrays::voxels(const Array& q, const Array& u) const {
  FaradayVoxels voxels{cube_view("faraday_synth: q", q, axis_),
                       cube_view("faraday_synth: u", u, axis_)};
  if (weight_) voxels.weight = cube_view(kWeights, *weight_, axis_);
  if (sigma_) voxels.sigma = cube_view(noise_name_, *sigma_, axis_);
  return voxels;
}

std::vector<const Array*> VoxelArrays::arrays() const {
  std::vector<const Array*> all;
  if (weight_) all.push_back(&*weight_);
  if (sigma_) all.push_back(&*sigma_);
  return all;
}

}  // namespace tessera::python
