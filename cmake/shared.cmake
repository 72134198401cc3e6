# SPDX-License-Identifier: Apache-2.0
# The shared library libtessera.so, from the objects of both archives: they share hidden symbols, so one library holds
# tessera and tessera_files. It exports what has TESSERA_API. Its SONAME has major and minor version: before 1.0.0 a
# minor version may change the interface.
option(TESSERA_SHARED "make the shared library libtessera.so too" OFF)
if(NOT TESSERA_SHARED)
  return()
endif()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/shared_library.cpp CONTENT "// The code comes from the archives.\n")
add_library(tessera_shared SHARED ${PROJECT_BINARY_DIR}/shared_library.cpp)
set_target_properties(tessera_shared PROPERTIES OUTPUT_NAME tessera EXPORT_NAME shared VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} UNITY_BUILD OFF)
target_include_directories(tessera_shared INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(tessera_shared PRIVATE -Wl,--whole-archive $<TARGET_FILE:tessera> $<TARGET_FILE:tessera_files>
                      -Wl,--no-whole-archive tessera_files)
target_link_options(tessera_shared PRIVATE -Wl,--no-undefined)
add_dependencies(tessera_shared tessera tessera_files)
tessera_settings(tessera_shared FEW)
