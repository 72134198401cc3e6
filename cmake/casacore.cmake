# SPDX-License-Identifier: Apache-2.0
# libtessera_casacore.so, the only files that are linked with casacore (and so with FFTW and GSL, which are under the
# GPL: docs/measurement-sets.md). The tool opens it to write a Measurement Set (io/ms/ms_plugin.cpp).
set_source_files_properties(io/plugin.cpp PROPERTIES COMPILE_DEFINITIONS
                            TESSERA_PLUGIN_FOLDER="${CMAKE_INSTALL_FULL_LIBDIR}/tessera")
find_path(CASACORE_INCLUDE_DIR casacore/ms/MeasurementSets/MeasurementSet.h)
set(casacore_libraries "")
foreach(name ms measures tables casa)
  find_library(CASACORE_${name}_LIBRARY casa_${name})
  list(APPEND casacore_libraries ${CASACORE_${name}_LIBRARY})
endforeach()
# An instrumented program does not open libraries that are not.
if(TESSERA_SANITIZE)
  return()
endif()
if(NOT CASACORE_INCLUDE_DIR OR casacore_libraries MATCHES "NOTFOUND")
  message(STATUS "tessera: casacore-dev is missing; writing Measurement Sets is left out")
  return()
endif()
file(GLOB casacore_sources CONFIGURE_DEPENDS casacore/*.cpp)
add_library(tessera_casacore MODULE ${casacore_sources})
set_target_properties(tessera_casacore PROPERTIES UNITY_BUILD OFF LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_include_directories(tessera_casacore PRIVATE ${PROJECT_SOURCE_DIR})
target_include_directories(tessera_casacore SYSTEM PRIVATE ${CASACORE_INCLUDE_DIR})
target_link_libraries(tessera_casacore PRIVATE ${casacore_libraries})
target_compile_definitions(tessera_casacore PRIVATE TESSERA_VERSION="${TESSERA_VERSION}")
# The headers of casacore 3.5 use members of std::allocator that C++20 has removed.
tessera_settings(tessera_casacore LEVEL -O2 STANDARD 17 FEW)
# A package of its own: cpack --config CPackCasacore.cmake
install(TARGETS tessera_casacore LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tessera COMPONENT casacore EXCLUDE_FROM_ALL)
add_dependencies(tessera_cli tessera_casacore)
