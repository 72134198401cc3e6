# SPDX-License-Identifier: Apache-2.0
# The libraries that tessera::tessera must be linked with. Read by this build and, as part of the CMake
# package `tessera`, by every program that uses it.
find_package(Threads REQUIRED)
if(NOT TESSERA_SANITIZE STREQUAL "fuzz")      # clang does not include it
  find_package(OpenMP REQUIRED COMPONENTS CXX)  # threads of studies (core/parallel_openmp.cpp)
endif()
find_package(HWY QUIET CONFIG)                # SIMD: one source for NEON, AVX2, AVX-512
if(NOT TARGET hwy::hwy)
  find_path(HWY_INCLUDE_DIR hwy/highway.h REQUIRED)
  find_library(HWY_LIBRARY hwy REQUIRED)
  add_library(hwy::hwy UNKNOWN IMPORTED)
  set_target_properties(hwy::hwy PROPERTIES IMPORTED_LOCATION "${HWY_LIBRARY}"
                        INTERFACE_INCLUDE_DIRECTORIES "${HWY_INCLUDE_DIR}")
endif()
find_package(fmt 9 REQUIRED)            # messages
