# SPDX-License-Identifier: Apache-2.0
# Further libraries that tessera::files must be linked with. Read by this build and, as part of the
# CMake package `tessera`, by programs that use its component `files`.
find_package(PNG QUIET)                 # pictures
find_package(JPEG QUIET)                # photographs
find_package(TIFF QUIET)                # microscopy
find_package(ZLIB QUIET)                # FITS in gzip, TIFF
find_package(LibLZMA QUIET)             # TIFF
find_package(pugixml QUIET)             # OME-XML in TIFF
find_package(PkgConfig QUIET)           # the others come without a CMake package
if(PkgConfig_FOUND)
  pkg_check_modules(CFITSIO QUIET IMPORTED_TARGET cfitsio)
  pkg_check_modules(DEFLATE QUIET IMPORTED_TARGET libdeflate)  # TIFF
  pkg_check_modules(ZSTD QUIET IMPORTED_TARGET libzstd)        # TIFF
endif()
