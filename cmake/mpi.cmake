# SPDX-License-Identifier: Apache-2.0
# libtessera_mpi_openmpi.so and libtessera_mpi_mpich.so, from one source: the only files that are linked with MPI.
# The tool opens one of them when a launcher of that MPI has started it (jobs/launch.cpp, docs/scale.md).
foreach(mpi openmpi=ompi-c mpich=mpich)
  string(REPLACE "=" ";" mpi ${mpi})
  list(GET mpi 0 name)
  list(GET mpi 1 package)
  if(TESSERA_SANITIZE OR NOT PKG_CONFIG_FOUND)
    continue()
  endif()
  pkg_check_modules(TESSERA_MPI_${name} QUIET IMPORTED_TARGET ${package})
  if(NOT TESSERA_MPI_${name}_FOUND)
    message(STATUS "tessera: ${package} is missing; runs under mpirun of ${name} are left out")
    continue()
  endif()
  set(library tessera_mpi_${name})
  add_library(${library} MODULE mpi/mpi_ranks.cpp)
  set_target_properties(${library} PROPERTIES UNITY_BUILD OFF LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  target_include_directories(${library} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${library} PRIVATE PkgConfig::TESSERA_MPI_${name})
  target_compile_definitions(${library} PRIVATE TESSERA_VERSION="${TESSERA_VERSION}"
                             OMPI_SKIP_MPICXX=1 MPICH_SKIP_MPICXX=1)  # the old C++ interface
  tessera_settings(${library} LEVEL -O2 FEW)
  # Not in the Debian package, which would need every MPI then.
  install(TARGETS ${library} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tessera COMPONENT mpi EXCLUDE_FROM_ALL)
  add_dependencies(tessera_cli ${library})
endforeach()
