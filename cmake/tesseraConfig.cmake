# SPDX-License-Identifier: Apache-2.0
# find_package(tessera) gives tessera::tessera; with COMPONENTS files also tessera::files, and in a build
# folder tessera::jobs. COMPONENTS shared gives tessera::shared alone, which has all of tessera::files and needs
# no other package.
include(${CMAKE_CURRENT_LIST_DIR}/tesseraSharedTargets.cmake OPTIONAL)
if("${tessera_FIND_COMPONENTS}" STREQUAL "shared")
  set(tessera_FOUND TRUE)
  if(NOT TARGET tessera::shared)
    set(tessera_FOUND FALSE)
    set(tessera_NOT_FOUND_MESSAGE "tessera was built without its shared library; build it with -DTESSERA_SHARED=ON")
  endif()
  return()
endif()
include(${CMAKE_CURRENT_LIST_DIR}/linked_libraries.cmake)
if("files" IN_LIST tessera_FIND_COMPONENTS)
  include(${CMAKE_CURRENT_LIST_DIR}/files_libraries.cmake)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/jobs_libraries.cmake OPTIONAL)  # only in a build folder
include(${CMAKE_CURRENT_LIST_DIR}/tesseraTargets.cmake)

# A library that was found when Tessera was built may be missing here: this is reported now, not at link time.
foreach(tessera_part tessera ${tessera_FIND_COMPONENTS})
  set(tessera_lack "")
  if(NOT TARGET tessera::${tessera_part})
    set(tessera_lack "tessera has no component ${tessera_part}; it has files")
  else()
    get_target_property(tessera_links tessera::${tessera_part} INTERFACE_LINK_LIBRARIES)
    string(REGEX MATCHALL "[A-Za-z_]+::[A-Za-z_]+" tessera_links "${tessera_links}")
    foreach(tessera_link ${tessera_links})
      if(NOT TARGET ${tessera_link})
        string(CONCAT tessera_lack "tessera was built with ${tessera_link}, which is not "
               "found here; install its development files")
      endif()
    endforeach()
  endif()
  if(NOT tessera_lack)
    set(tessera_${tessera_part}_FOUND TRUE)
  elseif(tessera_part STREQUAL "tessera" OR tessera_FIND_REQUIRED_${tessera_part})
    set(tessera_FOUND FALSE)
    set(tessera_NOT_FOUND_MESSAGE "${tessera_lack}")
  endif()
endforeach()
