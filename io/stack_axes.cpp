// SPDX-License-Identifier: Apache-2.0
#include "io/stack_axes.hpp"

#include <fmt/format.h>

namespace tessera {

bool StackAxes::consistent() const {
  if (planes.empty()) return frames == 1 && slices == 1 && channels == 1;
  return frames > 0 && slices > 0 && channels > 0 &&
         1.0 * frames * slices * channels == static_cast<double>(planes.size());
}

int StackAxes::plane(int frame, int slice, int channel) const {
  return planes[(static_cast<std::size_t>(frame) * static_cast<std::size_t>(slices) +
                 static_cast<std::size_t>(slice)) *
                    static_cast<std::size_t>(channels) +
                static_cast<std::size_t>(channel)];
}

std::string StackAxes::text() const {
  std::vector<std::string> parts;
  if (frames > 1) parts.push_back(fmt::format("{} frames", frames));
  if (slices > 1) parts.push_back(fmt::format("{} slices", slices));
  if (channels > 1) parts.push_back(fmt::format("{} channels", channels));
  if (parts.empty()) return "1 frame";
  std::string text = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i)
    text += (i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return text;
}

StackAxes axes_in_order(const std::string& order, int frames, int slices, int channels) {
  StackAxes axes;
  axes.frames = frames;
  axes.slices = slices;
  axes.channels = channels;
  const auto step_of = [&](char letter) {
    int step = 1;
    for (const char faster : order) {
      if (faster == letter) break;
      step *= faster == 'C' ? channels : faster == 'Z' ? slices : frames;
    }
    return step;
  };
  const int of_c = step_of('C'), of_z = step_of('Z'), of_t = step_of('T');
  for (int t = 0; t < frames; ++t)
    for (int z = 0; z < slices; ++z)
      for (int c = 0; c < channels; ++c) axes.planes.push_back(t * of_t + z * of_z + c * of_c);
  return axes;
}

}  // namespace tessera
