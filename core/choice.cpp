// SPDX-License-Identifier: Apache-2.0
#include "core/choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "tessera/image.hpp"

namespace tessera {

std::string why_not_on_host(const ImageInfo& image) {
  return image.device == kHost ? "" : fmt::format("the image is on device {}", image.device);
}

std::string why_no_device(int device) {
  const Machine& machine = this_machine();
  if (machine.devices.empty()) return machine.no_device_reason;
  if (device < 0 || device >= static_cast<int>(machine.devices.size()))
    return fmt::format("there is no device {}; the last is {}", device, machine.devices.size() - 1);
  return "";
}

double copy_seconds(const ImageInfo& in, const ImageInfo& out, int device) {
  if (in.device != kHost) return 0;
  return link_seconds(device, static_cast<double>(bytes_of(in)),
                      static_cast<double>(bytes_of(out)));
}

std::string refusals_text(const std::vector<Refusal>& refusals) {
  std::string text, told;
  for (const Refusal& refusal : refusals) {
    if (refusal.backend == told) continue;
    const auto differs = [&](const Refusal& other) {
      return other.backend == refusal.backend && other.reason != refusal.reason;
    };
    const bool alone = std::count_if(refusals.begin(), refusals.end(), [&](const Refusal& other) {
                         return other.backend == refusal.backend;
                       }) == 1;
    const bool same = !alone && std::none_of(refusals.begin(), refusals.end(), differs);
    if (same) told = refusal.backend;
    text += fmt::format("{}{}{}: {}", text.empty() ? "" : "; ", refusal.backend,
                        same ? "" : " " + refusal.method, refusal.reason);
  }
  return text;
}

Backend wanted_backend(Backend option) {
  const char* forced = std::getenv("TESSERA_BACKEND");
  if (option != Backend::automatic || !forced || !*forced) return option;
  return parse_named<Backend>("TESSERA_BACKEND", forced);
}

}  // namespace tessera
