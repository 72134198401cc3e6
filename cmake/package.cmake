# SPDX-License-Identifier: Apache-2.0
# `cpack` in a build folder packs the files of `cmake --install` as tessera_VERSION_ARCH.deb.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tessera)
set(CPACK_PACKAGE_VERSION ${TESSERA_VERSION})
set(CPACK_PACKAGE_VENDOR "The Tessera maintainers")
# The maintainer is responsible for a released package: scripts/release needs the address and refuses this one.
set(TESSERA_MAINTAINER "$ENV{TESSERA_MAINTAINER}" CACHE STRING "the package's maintainer, NAME <ADDRESS>")
set(CPACK_PACKAGE_CONTACT "${TESSERA_MAINTAINER}")
if(NOT TESSERA_MAINTAINER)
  set(CPACK_PACKAGE_CONTACT "Unreleased build <nobody@tessera.invalid>")
elseif(NOT TESSERA_MAINTAINER MATCHES "^[^<>@]+ <[^<>@ ]+@[^<>@ ]+>$")
  message(FATAL_ERROR "tessera: TESSERA_MAINTAINER is '${TESSERA_MAINTAINER}'; it must be NAME <ADDRESS>")
endif()
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "image science as fast as the machine allows, on CPUs and GPUs")
string(CONCAT CPACK_PACKAGE_DESCRIPTION  # dpkg prints its lines as they are
       "Filters, correlates, enhances and measures images, films, radio cubes and\n"
       "voltages of antennas on the CPU's SIMD units and cores or on an NVIDIA GPU,\n"
       "picks the method by cost and checks its answers against a plain reference.\n"
       "Holds the command line tool, and the C++ library with its headers.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The tool runs the first two, for videos and for the pictures of `tessera correlate`, and opens the third for faraday.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ffmpeg, gnuplot-nox | gnuplot, libopenblas0")
# The packages that find_package(tessera) looks for.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libhwy-dev, libfmt-dev, \
libpng-dev, libjpeg-dev, libtiff-dev, libdeflate-dev, libzstd-dev, liblzma-dev, libcfitsio-dev, zlib1g-dev, \
libpugixml-dev")
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian_layout.cmake)
set(CPACK_TESSERA_COPYRIGHT ${PROJECT_SOURCE_DIR}/cmake/debian_copyright.txt)
if(TARGET tessera_casacore)
  configure_file(cmake/package_casacore.cmake.in ${PROJECT_BINARY_DIR}/CPackCasacore.cmake @ONLY)
endif()
include(CPack)
