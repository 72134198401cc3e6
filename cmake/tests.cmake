# SPDX-License-Identifier: Apache-2.0
# One test program a *_test.cpp file, named after it.
add_library(tessera_test_support STATIC tests/support/poison.cpp tests/support/process.cpp
            tests/support/test_main.cpp tests/fuzz/fuzz_targets.cpp)
target_include_directories(tessera_test_support PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(tessera_test_support PUBLIC tessera_jobs GTest::gtest fmt::fmt hwy::hwy
                      nlohmann_json::nlohmann_json)
tessera_settings(tessera_test_support)

file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS core/*_test.cpp tune/*_test.cpp io/*_test.cpp
     sample/*_test.cpp jobs/*_test.cpp ops/*_test.cpp tests/*_test.cpp report/*_test.cpp study/*_test.cpp)
if(NOT TESSERA_HAVE_CUDA)
  list(FILTER test_sources EXCLUDE REGEX "core/cuda/")
endif()
foreach(format PNG JPEG TIFF FITS)
  if(NOT format IN_LIST TESSERA_FORMATS)
    string(TOLOWER ${format} stem)
    list(FILTER test_sources EXCLUDE REGEX "/io/${stem}/")
  endif()
endforeach()
# Libraries that make calls of libc fail, loaded into the tool by fault_*_test. Sanitizers stand in
# the same place and end the process where memory cannot be had: they go without.
if(TESSERA_SANITIZE)
  list(FILTER test_sources EXCLUDE REGEX "/fault_[^/]*$")
else()
  foreach(fault alloc_fault io_fault)
    add_library(tessera_${fault} SHARED tests/faults/${fault}.cpp)
    target_include_directories(tessera_${fault} PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(tessera_${fault} PRIVATE ${CMAKE_DL_LIBS})
    set_target_properties(tessera_${fault} PROPERTIES
                          LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    tessera_settings(tessera_${fault})
  endforeach()
endif()
foreach(source ${test_sources})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE tessera_test_support)
  target_compile_definitions(${name} PRIVATE TESSERA_CLI="$<TARGET_FILE:tessera_cli>"
                             TESSERA_SOURCE_DIR="${PROJECT_SOURCE_DIR}" TESSERA_VERSION="${TESSERA_VERSION}")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  tessera_settings(${name})
  file(RELATIVE_PATH place ${PROJECT_SOURCE_DIR} ${source})
  if(place MATCHES "(^|/)study[/_]")
    target_link_libraries(${name} PRIVATE tessera_study)
  endif()
  if(name MATCHES "_on_cpu_test$")  # kernels, read by the host's compiler: tests/support/block_on_cpu.hpp
    target_compile_options(${name} PRIVATE -Wno-unknown-pragmas)
  endif()
  if(name MATCHES "^(cli|fault)_")
    add_dependencies(${name} tessera_cli)
  endif()
  if(name MATCHES "^fault_")
    add_dependencies(${name} tessera_alloc_fault tessera_io_fault)
    target_compile_definitions(${name} PRIVATE TESSERA_FAULTS="${PROJECT_BINARY_DIR}/tests")
  endif()
  add_test(NAME ${name} COMMAND ${name})
endforeach()
