// SPDX-License-Identifier: Apache-2.0
#include "tessera/scene_planes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "core/check.hpp"
#include "core/device.hpp"
#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "ops/correlate/scene/scene_colour.hpp"
#include "ops/correlate/scene/scene_device.hpp"
#include "ops/correlate/scene/scene_orientation.hpp"
#include "tessera/error.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera {
namespace {

constexpr const char* kName = "scene planes";
constexpr int kPlanePieceRows = 16;
constexpr int kPlanes = 4;  // a, b, x1, x2

ImageInfo checked(const ImageInfo& photograph) {
  check_image(kName, photograph);
  if (photograph.size.empty())
    throw Error(ErrorKind::usage,
                fmt::format("{}: the photograph is {}x{}; it needs at least one pixel", kName,
                            photograph.size.width, photograph.size.height));
  return photograph;
}

ImageInfo planes_of(const ImageInfo& photograph) {
  Size size = photograph.size;
  size.channels = 1;
  size.planes *= kPlanes;
  return {size, Type::f32, photograph.device};
}

bool lies_packed(const AnyMutableView& planes) {
  return planes.pixel == 1 && planes.row == planes.size.width &&
         planes.plane == planes.row * planes.size.height;
}

}  // namespace

struct ScenePlanes::Impl {
  Impl(const ImageInfo& photograph, const ScenePlanesOptions& given)
      : input(checked(photograph)),
        output(planes_of(photograph)),
        options(given),
        orientation(photograph.size.width, photograph.size.height, given) {
    if (input.device != kHost) there.emplace(input, given);
    apply_isa_environment();
    isa = current_isa();
    lab = lab_function();
    from_srgb = linear_from_srgb_function();
  }

  /// Plans of the same photograph may share its colours, packed planes of lightness, a and b,
  /// and its gradients.
  struct Shared {
    Scratch colours, gradients;
    const Impl* colours_of = nullptr;
    const Impl* gradients_of = nullptr;

    Shared(Size size, Stream& stream)
        : colours(stream.scratch(plane_bytes(3, size))),
          gradients(stream.scratch(plane_bytes(3, size))) {}
  };

  static std::size_t plane_bytes(int planes, Size size) {
    return static_cast<std::size_t>(planes) * static_cast<std::size_t>(size.pixels()) *
           sizeof(float);
  }

  /// One row of lightness, a and b, planes of `colours`.
  void colour_row(const AnyView& photograph, int y, float* colours) const {
    const int width = input.size.width;
    const std::size_t step = static_cast<std::size_t>(width) + kColourSlack;
    const Scratch rows = host_scratch(6 * step * sizeof(float));
    float* row = rows.as<float>();
    std::fill_n(row, 3 * step, 0.0F);  // slack is computed with: it must not trap
    read_linear_row(photograph, y, options.coding, from_srgb, row, step);
    const bool grey = input.size.channels < 3;
    lab({row, grey ? row : row + step, grey ? row : row + 2 * step, row + 3 * step, row + 4 * step,
         row + 5 * step, width});
    for (int plane = 0; plane < 3; ++plane)
      std::copy_n(row + (3 + static_cast<std::size_t>(plane)) * step, width,
                  colours + (1LL * plane * input.size.height + y) * width);
  }

  /// Four planes of floats side by side, each packed.
  void run(const AnyView& photograph, const View<float>& planes, Shared& shared,
           Stream& stream) const {
    auto* const colours = shared.colours.as<float>();
    auto* const gradients = shared.gradients.as<float>();
    if (!shared.colours_of || shared.colours_of->options.coding != options.coding) {
      there ? there->colours(photograph, colours, stream)
            : make_colours(photograph, colours, stream);
      shared.colours_of = this;
      shared.gradients_of = nullptr;
    }
    if (!shared.gradients_of ||
        shared.gradients_of->options.gradient_scale != options.gradient_scale) {
      there ? there->double_gradients(colours, gradients, stream)
            : orientation.double_gradients(colours, gradients, stream);
      shared.gradients_of = this;
    }
    there ? finish_there(planes, colours, gradients, stream)
          : finish(planes, colours, gradients, stream);
  }

  void make_colours(const AnyView& photograph, float* colours, Stream& stream) const {
    for_pieces({0, input.size.height}, kPlanePieceRows, stream, [&](Rows rows) {
      for (int y = rows.first; y < rows.end; ++y) colour_row(photograph, y, colours);
    });
  }

  void finish(const View<float>& planes, const float* colours, float* gradients,
              Stream& stream) const {
    const Size size = input.size;
    const auto only = [&](int p) { return AnyMutableView(planes).only_plane(p).as<float>(); };
    orientation.average(gradients, only(2), only(3), stream);
    for (int plane = 0; plane < 2; ++plane)
      for (int y = 0; y < size.height; ++y)
        std::copy_n(colours + (1LL * (plane + 1) * size.height + y) * size.width, size.width,
                    &planes.at(0, y, 0, plane));
    normalise_planes(planes, options.normalise, stream);
  }

  void finish_there(const View<float>& planes, float* colours, const float* gradients,
                    Stream& stream) const {
    const Size size = input.size;
    const ImageInfo two{{size.width, size.height, 1, 2}, Type::f32, input.device};
    device_stream(stream).copy(packed(colours + size.pixels(), two), packed(planes.data, two));
    there->average(gradients, planes.data + 2 * size.pixels(), stream);
    there->normalise(planes.data, stream);
  }

  ImageInfo input, output;
  ScenePlanesOptions options;
  SceneOrientation orientation;
  std::optional<SceneOnDevice> there;  ///< of a photograph on a device
  std::string isa;
  LabFunction lab = nullptr;
  LinearFunction from_srgb = nullptr;
};

ScenePlanes::ScenePlanes(const ImageInfo& photograph, const ScenePlanesOptions& options)
    : impl_(std::make_shared<const Impl>(photograph, options)) {}

const ImageInfo& ScenePlanes::input() const { return impl_->input; }
const ImageInfo& ScenePlanes::output() const { return impl_->output; }

void ScenePlanes::operator()(AnyView photograph, AnyMutableView planes) const {
  Stream& stream = thread_stream(input().device);
  (*this)(photograph, planes, stream);
  stream.wait();
}

void ScenePlanes::operator()(AnyView photograph, AnyMutableView planes, Stream& stream) const {
  check_call(kName, {photograph, 0}, {planes, 0}, input(), output(), stream, input().device);
  if (photograph.size != input().size || planes.size != output().size)
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: the photograph has {} rows and the planes have {}; the plan was "
                    "made for {}",
                    kName, photograph.size.height, planes.size.height, input().size.height));
  // In every stage except the last copy, pixels are contiguous; on a device so are rows and planes.
  const bool there = input().device != kHost;
  const bool in_place = there ? lies_packed(planes) : planes.pixel == 1;
  Image own = in_place || there ? Image() : Image(output());
  Scratch own_there;
  const AnyMutableView made = in_place ? planes
                              : there  ? device_view(planes, stream, own_there)
                                       : own.view();
  Impl::Shared shared(input().size, stream);
  for (int image = 0; image < photograph.size.planes; ++image) {
    AnyMutableView four = made;
    four.data = made.address(0, 0, kPlanes * image);
    four.size.planes = kPlanes;
    shared.colours_of = nullptr;
    shared.gradients_of = nullptr;
    impl_->run(photograph.only_plane(image), four.as<float>(), shared, stream);
  }
  if (in_place) return;
  there ? device_stream(stream).copy(made, planes) : copy_samples(made, planes);
}

std::string ScenePlanes::describe() const {
  return fmt::format("{} of {}: {}, gradients {}x{}, textures {}x{}", kName, image_text(input()),
                     input().device == kHost ? impl_->isa : "cuda",
                     impl_->orientation.gradient_width(), impl_->orientation.gradient_width(),
                     impl_->orientation.texture_width(), impl_->orientation.texture_width());
}

void scene_planes(const std::vector<ScenePlanes>& plans, AnyView photograph,
                  const ScenePlanesUse& use, Stream& stream) {
  if (plans.empty()) return;
  const ImageInfo& input = plans.front().input();
  for (const ScenePlanes& plan : plans)
    if (plan.input() != input || photograph.info() != input || input.size.planes != 1)
      throw Error(ErrorKind::usage,
                  fmt::format("{}: a series is of plans for the same single photograph", kName));
  std::vector<std::size_t> order(plans.size());
  std::iota(order.begin(), order.end(), 0UL);
  std::ranges::stable_sort(order, {}, [&](std::size_t k) {
    const ScenePlanesOptions& options = plans[k].impl_->options;
    return std::pair(options.coding, options.gradient_scale);
  });
  const ImageInfo& output = plans.front().output();
  const Scratch memory = stream.scratch(static_cast<std::size_t>(bytes_of(output)));
  ScenePlanes::Impl::Shared shared(input.size, stream);
  for (const std::size_t k : order) {
    const AnyMutableView made = packed(memory.data(), output);
    plans[k].impl_->run(photograph, made.as<float>(), shared, stream);
    use(k, made);
  }
}

Image scene_planes(AnyView photograph, const ScenePlanesOptions& options) {
  if (photograph.device != kHost)
    throw Error(ErrorKind::usage,
                fmt::format("{}: the photograph is on device {}; give it in host memory, or make a "
                            "plan",
                            kName, photograph.device));
  const auto plan = kept_plan<ScenePlanes>(photograph.info(), options);
  Image planes(plan.output());
  plan(photograph, planes.view());
  return planes;
}

}  // namespace tessera
