// SPDX-License-Identifier: Apache-2.0
#include "tessera/scene_planes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/check.hpp"
#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "ops/correlate/scene/scene_colour.hpp"
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
  if (photograph.device != kHost)
    throw Error(ErrorKind::usage,
                fmt::format("{}: the photograph is on device {}; give it in host memory", kName,
                            photograph.device));
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
  return {size, Type::f32, kHost};
}

}  // namespace

struct ScenePlanes::Impl {
  Impl(const ImageInfo& photograph, const ScenePlanesOptions& given)
      : input(checked(photograph)),
        output(planes_of(photograph)),
        options(given),
        orientation(photograph.size.width, photograph.size.height, given) {
    apply_isa_environment();
    isa = current_isa();
    lab = lab_function();
    from_srgb = linear_from_srgb_function();
  }

  /// One row's a and b, and its lightness into `lightness`.
  void colour_row(const AnyView& photograph, int y, const View<float>& planes,
                  float* lightness) const {
    const int width = input.size.width;
    const std::size_t step = static_cast<std::size_t>(width) + kColourSlack;
    const Scratch rows = host_scratch(6 * step * sizeof(float));
    float* row = rows.as<float>();
    std::fill_n(row, 3 * step, 0.0F);  // slack is computed with: it must not trap
    read_linear_row(photograph, y, options.coding, from_srgb, row, step);
    const bool grey = input.size.channels < 3;
    lab({row, grey ? row : row + step, grey ? row : row + 2 * step, row + 3 * step, row + 4 * step,
         row + 5 * step, width});
    std::copy_n(row + 3 * step, width, lightness);
    std::copy_n(row + 4 * step, width, &planes.at(0, y, 0, 0));
    std::copy_n(row + 5 * step, width, &planes.at(0, y, 0, 1));
  }

  void run(const AnyView& photograph, const View<float>& planes, Stream& stream) const {
    const Size size = input.size;
    const Scratch lightness =
        stream.scratch(static_cast<std::size_t>(size.width) * size.height * sizeof(float));
    for_pieces({0, size.height}, kPlanePieceRows, stream, [&](Rows rows) {
      for (int y = rows.first; y < rows.end; ++y)
        colour_row(photograph, y, planes, lightness.as<float>() + 1LL * y * size.width);
    });
    const auto only = [&](int p) { return AnyMutableView(planes).only_plane(p).as<float>(); };
    orientation.run(lightness.as<float>(), only(2), only(3), stream);
    normalise_planes(planes, options.normalise, stream);
  }

  ImageInfo input, output;
  ScenePlanesOptions options;
  SceneOrientation orientation;
  std::string isa;
  LabFunction lab = nullptr;
  LinearFunction from_srgb = nullptr;
};

ScenePlanes::ScenePlanes(const ImageInfo& photograph, const ScenePlanesOptions& options)
    : impl_(std::make_shared<const Impl>(photograph, options)) {}

const ImageInfo& ScenePlanes::input() const { return impl_->input; }
const ImageInfo& ScenePlanes::output() const { return impl_->output; }

void ScenePlanes::operator()(AnyView photograph, AnyMutableView planes) const {
  (*this)(photograph, planes, thread_stream());
}

void ScenePlanes::operator()(AnyView photograph, AnyMutableView planes, Stream& stream) const {
  check_call(kName, {photograph, 0}, {planes, 0}, input(), output(), stream, kHost);
  if (photograph.size != input().size || planes.size != output().size)
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: the photograph has {} rows and the planes have {}; the plan was "
                    "made for {}",
                    kName, photograph.size.height, planes.size.height, input().size.height));
  // In every stage except the last copy, pixels are contiguous.
  const bool in_place = planes.pixel == 1;
  Image own = in_place ? Image() : Image(output());
  const AnyMutableView made = in_place ? planes : own.view();
  for (int image = 0; image < photograph.size.planes; ++image) {
    AnyMutableView four = made;
    four.data = made.address(0, 0, kPlanes * image);
    four.size.planes = kPlanes;
    impl_->run(photograph.only_plane(image), four.as<float>(), stream);
  }
  if (!in_place) copy_samples(made, planes);
}

std::string ScenePlanes::describe() const {
  return fmt::format("{} of {}: {}, gradients {}x{}, textures {}x{}", kName, image_text(input()),
                     impl_->isa, impl_->orientation.gradient_width(),
                     impl_->orientation.gradient_width(), impl_->orientation.texture_width(),
                     impl_->orientation.texture_width());
}

Image scene_planes(AnyView photograph, const ScenePlanesOptions& options) {
  const auto plan = kept_plan<ScenePlanes>(photograph.info(), options);
  Image planes(plan.output());
  plan(photograph, planes.view());
  return planes;
}

}  // namespace tessera
