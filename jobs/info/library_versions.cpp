// SPDX-License-Identifier: Apache-2.0
#include "jobs/info/library_versions.hpp"

#include <fmt/format.h>
#include <hwy/highway.h>
#if TESSERA_HAVE_PNG
#include <png.h>
#endif
#if TESSERA_HAVE_JPEG
#include <jconfig.h>
#endif
#if TESSERA_HAVE_TIFF
#include <tiffvers.h>
#endif
#if TESSERA_HAVE_FITS
#include <fitsio.h>
#endif

#include "core/device.hpp"
#include "io/plugin.hpp"
#include "jobs/launch.hpp"

namespace tessera {
namespace {

std::string compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

constexpr const char* kLeftOut = "left out of this build";

std::string png_version() {
#if TESSERA_HAVE_PNG
  return png_get_libpng_ver(nullptr);
#else
  return kLeftOut;
#endif
}

std::string jpeg_version() {
#if TESSERA_HAVE_JPEG && defined(LIBJPEG_TURBO_VERSION_NUMBER)
  constexpr int kNumber = LIBJPEG_TURBO_VERSION_NUMBER;
  return fmt::format("turbo {}.{}.{}", kNumber / 1000000, kNumber / 1000 % 1000, kNumber % 1000);
#elif TESSERA_HAVE_JPEG
  return fmt::format("{}", JPEG_LIB_VERSION / 10.0);
#else
  return kLeftOut;
#endif
}

std::string tiff_version() {
#if TESSERA_HAVE_TIFF
  const std::string text = TIFFLIB_VERSION_STR;  // "LIBTIFF, Version 4.5.0\nCopyright …"
  const std::size_t line = text.find('\n'), space = text.rfind(' ', line);
  return text.substr(space + 1, line - space - 1);
#else
  return kLeftOut;
#endif
}

std::string fits_version() {
#if TESSERA_HAVE_FITS
  return fmt::format("{}.{}.{}", CFITSIO_MAJOR, CFITSIO_MINOR, CFITSIO_MICRO);
#else
  return kLeftOut;
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
          {"libjpeg", jpeg_version()},
          {"libtiff", tiff_version()},
          {"cfitsio", fits_version()},
          {"CUDA", or_none(cuda.built_with, kLeftOut)},
          {"CUDA driver", or_none(cuda.driver, "not found")},
          {"NVRTC", or_none(cuda.nvrtc, "not found")},
          {"Open MPI", or_none(mpi_library("openmpi"), kLeftOut)},
          {"MPICH", or_none(mpi_library("mpich"), kLeftOut)},
          {"casacore", or_none(plugin_library("casacore"), "not found: no Measurement Sets")}};
}

}  // namespace tessera
