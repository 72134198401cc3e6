# SPDX-License-Identifier: Apache-2.0
# The libraries the static libraries of Tessera must be linked with. Read by this build and, as part
# of the CMake package `tessera`, by every program that uses it.
find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)  # the engine's threads (core/parallel_openmp.cpp)
find_package(HWY QUIET CONFIG)                # SIMD: one source for NEON, AVX2, AVX-512
if(NOT TARGET hwy::hwy)
  find_path(HWY_INCLUDE_DIR hwy/highway.h REQUIRED)
  find_library(HWY_LIBRARY hwy REQUIRED)
  add_library(hwy::hwy UNKNOWN IMPORTED)
  set_target_properties(hwy::hwy PROPERTIES IMPORTED_LOCATION "${HWY_LIBRARY}"
                        INTERFACE_INCLUDE_DIRECTORIES "${HWY_INCLUDE_DIR}")
endif()
find_package(fmt 9 REQUIRED)            # messages
find_package(nlohmann_json 3.10 REQUIRED)  # --json
find_package(PNG QUIET)                 # pictures
if(NOT PNG_FOUND)
  message(STATUS "tessera: libpng is missing; PNG files are left out")
endif()
