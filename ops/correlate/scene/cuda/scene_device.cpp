// SPDX-License-Identifier: Apache-2.0
#include "ops/correlate/scene/scene_device.hpp"

#include "core/kernel.hpp"
#include "core/piece_launch.hpp"
#include "core/resident.hpp"
#include "ops/correlate/scene/cuda/scene_planes_args.cuh"
#include "ops/correlate/scene/scene_colour.hpp"
#include "ops/correlate/scene/scene_orientation.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

std::shared_ptr<const Resident> weights_on(int device, const std::vector<double>& weights) {
  return std::make_shared<const Resident>(device,
                                          std::vector<float>(weights.begin(), weights.end()));
}

template <class Args>
void launch_scene(const char* entry, Extent3 grid, int shared_bytes, const Args& args,
                  Stream& stream) {
  find_kernel(stream.device(), {"scene_planes", std::string(entry) + "_entry", "", ""})
      .launch(stream, grid, {kSceneThreads}, shared_bytes, args);
}

Extent3 blocks_of(long long threads) { return {blocks_for(threads, kSceneThreads)}; }

std::size_t float_bytes(long long count) { return static_cast<std::size_t>(count) * sizeof(float); }

}  // namespace

SceneOnDevice::SceneOnDevice(const ImageInfo& photograph, const ScenePlanesOptions& options)
    : photograph_(photograph), options_(options) {
  check_ranges("scene planes", options);
  const int device = photograph.device;
  const std::vector<double> fine = gaussian_row(options.gradient_scale);
  fine_ = weights_on(device, fine);
  slope_ = weights_on(device, derivative_row(fine));
  coarse_ = weights_on(device, gaussian_row(options.texture_scale));
  if (is_integer(photograph.type))
    light_ =
        std::make_shared<const Resident>(device, light_of_samples(photograph.type, options.coding));
}

void SceneOnDevice::colours(const AnyView& photograph, float* colours, Stream& stream) const {
  const Size size = photograph_.size;
  launch_scene(("scene_colour_" + std::string(name_of(photograph.type))).c_str(),
               blocks_of(size.pixels()), 0,
               SceneColourArgs{photograph.data, photograph.pixel, photograph.row, size.width,
                               size.height, size.channels, light_ ? light_->as<float>() : nullptr,
                               options_.coding == ColourCoding::linear, colours},
               stream);
  if (light_) light_->used_by(stream);
}

void SceneOnDevice::run_line(const Resident& weights, const float* in, float* out, int planes,
                             bool down, Stream& stream) const {
  const Size size = photograph_.size;
  const auto count = static_cast<int>(weights.bytes() / sizeof(float));
  launch_scene(
      "scene_line", blocks_of(size.pixels() * planes), 0,
      SceneLineArgs{in, out, weights.as<float>(), count / 2, size.width, size.height, planes, down},
      stream);
  weights.used_by(stream);
}

void SceneOnDevice::double_gradients(const float* lightness, float* doubled, Stream& stream) const {
  const long long pixels = photograph_.size.pixels();
  const Scratch memory = stream.scratch(float_bytes(3 * pixels));
  float *const between = memory.as<float>(), *const along_x = between + pixels,
               *const along_y = along_x + pixels;
  run_line(*slope_, lightness, between, 1, false, stream);
  run_line(*fine_, between, along_x, 1, true, stream);
  run_line(*fine_, lightness, between, 1, false, stream);
  run_line(*slope_, between, along_y, 1, true, stream);
  launch_scene("scene_doubled", blocks_of(pixels), 0,
               SceneDoubledArgs{along_x, along_y, doubled, pixels}, stream);
}

void SceneOnDevice::average(const float* doubled, float* made, Stream& stream) const {
  const long long pixels = photograph_.size.pixels();
  const bool coherence = options_.strength == OrientationStrength::coherence;
  const int planes = coherence ? 3 : 2;
  const Scratch memory = stream.scratch(float_bytes(6 * pixels));
  float *const between = memory.as<float>(), *const averaged = between + 3 * pixels;
  run_line(*coarse_, doubled, between, planes, false, stream);
  run_line(*coarse_, between, averaged, planes, true, stream);
  launch_scene("scene_orient", blocks_of(pixels), 0,
               SceneOrientArgs{averaged, made, pixels, coherence}, stream);
}

void SceneOnDevice::normalise(float* planes, Stream& stream) const {
  const long long pixels = photograph_.size.pixels();
  constexpr int kPlanes = 4;
  const Scratch sums = stream.scratch(2UL * kPlanes * kSceneParts * sizeof(double));
  const SceneNormaliseArgs args{planes, sums.as<double>(),
                                sums.as<double>() + kPlanes * kSceneParts, pixels};
  if (options_.normalise == PlaneNormalisation::zscore) {
    const Extent3 parts{kSceneParts, kPlanes};
    launch_scene("scene_sum", parts, kSceneSharedBytes, args, stream);
    launch_scene("scene_square", parts, kSceneSharedBytes, args, stream);
    launch_scene("scene_zscore", parts, 0, args, stream);
  }
  if (options_.normalise == PlaneNormalisation::unit)
    launch_scene("scene_unit", {blocks_for(pixels, kSceneThreads), kPlanes / 2}, 0, args, stream);
}

}  // namespace tessera
