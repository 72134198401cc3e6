// SPDX-License-Identifier: Apache-2.0
#include "jobs/info/library_versions.hpp"

#include <fmt/format.h>
#include <hwy/highway.h>
#if TESSERA_HAVE_PNG
#include <png.h>
#endif

#include "core/device.hpp"

namespace tessera {
namespace {

std::string compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

std::string png_version() {
#if TESSERA_HAVE_PNG
  return png_get_libpng_ver(nullptr);
#else
  return "left out of this build";
#endif
}

std::string or_none(const std::string& version, const char* otherwise) {
  return version.empty() ? otherwise : version;
}

}  // namespace

std::vector<LibraryReport> library_versions() {
  const DeviceVersions cuda = device_versions();
  return {{"compiler", compiler()},
          {"Highway", fmt::format("{}.{}.{}", HWY_MAJOR, HWY_MINOR, HWY_PATCH)},
          {"libpng", png_version()},
          {"CUDA", or_none(cuda.built_with, "left out of this build")},
          {"CUDA driver", or_none(cuda.driver, "not found")},
          {"NVRTC", or_none(cuda.nvrtc, "not found")}};
}

}  // namespace tessera
