// SPDX-License-Identifier: Apache-2.0
#include "tessera/scene_planes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

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

  /// What plans of the same photograph may share: its colours, packed planes of lightness, a and b,
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

  void run(const AnyView& photograph, const View<float>& planes, Shared& shared,
           Stream& stream) const {
    const Size size = input.size;
    auto* const colours = shared.colours.as<float>();
    if (!shared.colours_of || shared.colours_of->options.coding != options.coding) {
      for_pieces({0, size.height}, kPlanePieceRows, stream, [&](Rows rows) {
        for (int y = rows.first; y < rows.end; ++y) colour_row(photograph, y, colours);
      });
      shared.colours_of = this;
      shared.gradients_of = nullptr;
    }
    if (!shared.gradients_of ||
        shared.gradients_of->options.gradient_scale != options.gradient_scale) {
      orientation.double_gradients(colours, shared.gradients.as<float>(), stream);
      shared.gradients_of = this;
    }
    const auto only = [&](int p) { return AnyMutableView(planes).only_plane(p).as<float>(); };
    orientation.average(shared.gradients.as<float>(), only(2), only(3), stream);
    for (int plane = 0; plane < 2; ++plane)
      for (int y = 0; y < size.height; ++y)
        std::copy_n(colours + (1LL * (plane + 1) * size.height + y) * size.width, size.width,
                    &planes.at(0, y, 0, plane));
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
    Impl::Shared shared(input().size, stream);
    impl_->run(photograph.only_plane(image), four.as<float>(), shared, stream);
  }
  if (!in_place) copy_samples(made, planes);
}

std::string ScenePlanes::describe() const {
  return fmt::format("{} of {}: {}, gradients {}x{}, textures {}x{}", kName, image_text(input()),
                     impl_->isa, impl_->orientation.gradient_width(),
                     impl_->orientation.gradient_width(), impl_->orientation.texture_width(),
                     impl_->orientation.texture_width());
}

std::vector<Image> scene_planes(const std::vector<ScenePlanes>& plans, AnyView photograph,
                                Stream& stream) {
  if (plans.empty()) return {};
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
  std::vector<Image> made;
  for (const ScenePlanes& plan : plans) made.emplace_back(plan.output());
  ScenePlanes::Impl::Shared shared(input.size, stream);
  for (const std::size_t k : order)
    plans[k].impl_->run(photograph, made[k].as<float>(), shared, stream);
  return made;
}

Image scene_planes(AnyView photograph, const ScenePlanesOptions& options) {
  const auto plan = kept_plan<ScenePlanes>(photograph.info(), options);
  Image planes(plan.output());
  plan(photograph, planes.view());
  return planes;
}

}  // namespace tessera
