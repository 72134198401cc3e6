# SPDX-License-Identifier: Apache-2.0
# `cmake --install` of library, headers, tool, man pages and completion, and the CMake package
# `tessera`: one in the build folder, so that the Python module does not compile the library again,
# and one installed.
include(CMakePackageConfigHelpers)

set_target_properties(tessera PROPERTIES INTERFACE_INCLUDE_DIRECTORIES
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>;$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
set_target_properties(tessera_files PROPERTIES EXPORT_NAME files)
set_target_properties(tessera_jobs PROPERTIES EXPORT_NAME jobs)
add_library(tessera::tessera ALIAS tessera)
add_library(tessera::files ALIAS tessera_files)
add_library(tessera::jobs ALIAS tessera_jobs)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tessera)
install(TARGETS tessera tessera_files EXPORT tesseraTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET tessera_shared)
  install(TARGETS tessera_shared EXPORT tesseraSharedTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT tesseraSharedTargets NAMESPACE tessera:: DESTINATION ${package_dir})
endif()
install(TARGETS tessera_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/tessera DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT tesseraTargets NAMESPACE tessera:: DESTINATION ${package_dir})
install(FILES cmake/tesseraConfig.cmake cmake/linked_libraries.cmake cmake/files_libraries.cmake
        ${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake DESTINATION ${package_dir})
install(FILES LICENSE CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Man pages are made from the --help of the built tool, if help2man is found.
install(DIRECTORY ${PROJECT_BINARY_DIR}/man/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} OPTIONAL)
install(FILES ${completion_folder}/tessera
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${completion_folder}/_tessera DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${completion_folder}/tessera.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# All that is installed; scripts/demo builds only this.
add_custom_target(tessera_installable)
add_dependencies(tessera_installable tessera tessera_files tessera_cli tessera_completion)
foreach(optional tessera_man tessera_shared)
  if(TARGET ${optional})
    add_dependencies(tessera_installable ${optional})
  endif()
endforeach()

write_basic_package_version_file(${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
export(TARGETS tessera tessera_files tessera_jobs NAMESPACE tessera:: FILE ${PROJECT_BINARY_DIR}/tesseraTargets.cmake)
foreach(file tesseraConfig.cmake linked_libraries.cmake files_libraries.cmake jobs_libraries.cmake)
  configure_file(cmake/${file} ${PROJECT_BINARY_DIR}/${file} COPYONLY)
endforeach()

option(TESSERA_PYTHON "build the Python module at <build>/python" OFF)
if(TESSERA_PYTHON)
  add_subdirectory(python)
endif()
