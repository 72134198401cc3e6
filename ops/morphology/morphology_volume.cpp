// SPDX-License-Identifier: Apache-2.0
// Planes of an element that are alike share one plan, whose results are joined for every plane.
#include "ops/morphology/morphology_volume.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/check.hpp"
#include "core/refuse.hpp"
#include "core/value_outside.hpp"

namespace tessera {
namespace {

using Members = std::vector<bool>;

Members members_of(MorphologyKind kind, AnyView plane, int index) {
  Members members;
  for (const double value : samples_as_double(plane)) {
    if (value != value)
      refuse(name_of(kind),
             fmt::format("a pixel in plane {} of the element is nan; it must be 0 or "
                         "not",
                         index));
    members.push_back(value != 0);
  }
  return members;
}

bool has_members(const Members& members) {
  return std::find(members.begin(), members.end(), true) != members.end();
}

}  // namespace

std::shared_ptr<const MorphologyVolume> make_morphology_volume(MorphologyKind kind,
                                                               const ImageInfo& image,
                                                               AnyView element,
                                                               const MorphologyOptions& options) {
  const char* operation = name_of(kind).data();
  if (kind != MorphologyKind::erode && kind != MorphologyKind::dilate)
    refuse(operation, fmt::format("the element has {} planes; only erode and dilate take volumes",
                                  element.size.planes));
  const int count = element.size.planes;
  const ImageInfo plane = plane_for_slices(image, options.backend, options.device);
  MorphologyOptions own = options;
  own.backend = backend_for_slices(image, options.backend);
  VolumeParts parts{.border = options.border,
                    .join = kind == MorphologyKind::erode ? Join::minimum : Join::maximum};
  std::vector<Members> known;
  std::vector<Morphology> plans;
  for (int k = 0; k < count; ++k) {
    const Members members = members_of(kind, element.only_plane(k), k);
    VolumeSlice slice{kNoPlan, 1, value_outside(image.type, options.constant)};
    if (has_members(members)) {
      const auto found = std::find(known.begin(), known.end(), members);
      slice.plan = static_cast<int>(found - known.begin());
      if (found == known.end()) {
        known.push_back(members);
        plans.emplace_back(kind, plane, element.only_plane(k), own);
      }
    }
    parts.slices.push_back(slice);
  }
  if (plans.empty())
    refuse(operation, fmt::format("all {} pixels of the element are 0; at least one must not be",
                                  element.size.samples()));
  parts.plans.assign(plans.begin(), plans.end());
  const bool turned = (kind == MorphologyKind::dilate) != options.flip;
  if (turned) std::reverse(parts.slices.begin(), parts.slices.end());
  parts.anchor = options.border == Border::valid ? 0 : turned ? count - 1 - count / 2 : count / 2;
  ImageInfo output = plans.front().output();
  output.device = image.device;
  output.size.planes = planes_of_result(image.size.planes, count, options.border);
  const auto plan = std::make_shared<MorphologyVolume>(
      operation,
      fmt::format("{} {} by {}x{}x{}", operation, image_text(image), element.size.width,
                  element.size.height, count),
      image, output, std::move(parts));
  plan->first_pixel = plans.front().first_pixel();
  return plan;
}

}  // namespace tessera
