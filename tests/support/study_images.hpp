// SPDX-License-Identifier: Apache-2.0
/// Images of the user in studies.
#pragma once

#include "study/studies.hpp"
#include "tessera/image.hpp"

namespace tessera::testing {

/// Samples that differ, u8 or f32.
inline Image study_pattern(Size size, Type type) {
  Image image(size, type);
  auto* const bytes = static_cast<unsigned char*>(image.view().data);
  for (long long k = 0; k < size.samples(); ++k) {
    const auto value = static_cast<int>(k * k % 251);
    if (type == Type::u8) bytes[k] = static_cast<unsigned char>(value);
    if (type == Type::f32) image.as<float>().data[k] = static_cast<float>(value) - 125;
  }
  return image;
}

/// As the command line gives it, on the CPU.
inline StudyOptions with_image(const Image& image, StudyOptions options = {}) {
  options.backend = Backend::cpu;
  options.image = &image;
  options.image_name = "mine.png";
  return options;
}

}  // namespace tessera::testing
