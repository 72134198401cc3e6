# SPDX-License-Identifier: Apache-2.0
# Every library that Tessera uses, with its version and reason. If an optional one is missing, one line
# says so, and the tool reports it when the feature is requested.
include(${CMAKE_CURRENT_LIST_DIR}/linked_libraries.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/jobs_libraries.cmake)
find_package(CLI11 2.1 REQUIRED)        # the command line
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
