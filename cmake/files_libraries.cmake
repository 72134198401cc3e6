# SPDX-License-Identifier: Apache-2.0
# Further libraries that tessera::files must be linked with. Read by this build and, as part of the
# CMake package `tessera`, by programs that use its component `files`.
find_package(PNG QUIET)                 # pictures
find_package(JPEG QUIET)                # photographs
find_package(TIFF QUIET)                # microscopy
find_package(ZLIB QUIET)                # FITS in gzip
find_package(PkgConfig QUIET)           # cfitsio comes without a CMake package
if(PkgConfig_FOUND)
  pkg_check_modules(CFITSIO QUIET IMPORTED_TARGET cfitsio)
endif()
