# SPDX-License-Identifier: Apache-2.0
# Further libraries that tessera::jobs must be linked with. Read by this build and, in its build
# folder, by the Python module.
include(${CMAKE_CURRENT_LIST_DIR}/files_libraries.cmake)
find_package(nlohmann_json 3.10 REQUIRED)  # --json
find_package(pugixml REQUIRED)          # tracks of other programs, for scores
if(CFITSIO_FOUND AND ZLIB_FOUND)
  set(FITS_FOUND ON)
endif()
if(NOT (ZLIB_FOUND AND LIBLZMA_FOUND AND DEFLATE_FOUND AND ZSTD_FOUND))
  set(TIFF_FOUND OFF)
endif()
set(TESSERA_FORMATS "")                 # the formats of this build that need a library
set(TESSERA_WITHOUT_FORMATS "" CACHE STRING "formats to leave out although their library is there: PNG;JPEG;TIFF;FITS")
foreach(format ${TESSERA_WITHOUT_FORMATS})
  if(NOT format MATCHES "^(PNG|JPEG|TIFF|FITS)$")
    message(FATAL_ERROR "tessera: TESSERA_WITHOUT_FORMATS names '${format}'; it can name PNG, JPEG, TIFF and FITS")
  endif()
endforeach()
set(library_PNG libpng)
set(library_JPEG libjpeg)
set(library_TIFF "libtiff, zlib, libdeflate, libzstd or liblzma")
set(library_FITS "cfitsio or zlib")
foreach(format PNG JPEG TIFF FITS)
  if(format IN_LIST TESSERA_WITHOUT_FORMATS)
    message(STATUS "tessera: ${format} files are left out, because of TESSERA_WITHOUT_FORMATS")
  elseif(${format}_FOUND)
    list(APPEND TESSERA_FORMATS ${format})
  else()
    message(STATUS "tessera: ${library_${format}} is missing; ${format} files are left out")
  endif()
endforeach()
