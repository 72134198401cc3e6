# SPDX-License-Identifier: Apache-2.0
# Every library Tessera uses, once, with version and reason. What is optional is left out with one
# line, and the tool says so when asked for it.
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
find_package(CLI11 2.1 REQUIRED)        # the command line
find_package(PNG QUIET)                 # pictures
if(NOT PNG_FOUND)
  message(STATUS "tessera: libpng is missing; PNG files are left out")
endif()
if(TESSERA_TESTS)
  find_package(GTest REQUIRED)
endif()
find_package(benchmark QUIET)           # `tessera bench`
if(NOT benchmark_FOUND)
  message(STATUS "tessera: Google Benchmark is missing; `tessera bench` is left out")
endif()

# CUDA: only nvcc (kernels, device code only) and cuda.h; libraries are opened at run time.
set(TESSERA_CUDA AUTO CACHE STRING "build GPU kernels: ON, OFF or AUTO (when nvcc is found)")
find_program(TESSERA_NVCC nvcc HINTS ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES bin)
if(TESSERA_CUDA STREQUAL "AUTO")
  if(TESSERA_NVCC)
    set(TESSERA_HAVE_CUDA ON)
  else()
    set(TESSERA_HAVE_CUDA OFF)
    message(STATUS "tessera: nvcc is not found; building for the CPU only")
  endif()
elseif(TESSERA_CUDA)
  if(NOT TESSERA_NVCC)
    message(FATAL_ERROR "tessera: TESSERA_CUDA is ON but nvcc is not found; put it on PATH or set CUDA_HOME")
  endif()
  set(TESSERA_HAVE_CUDA ON)
else()
  set(TESSERA_HAVE_CUDA OFF)
endif()
