# SPDX-License-Identifier: Apache-2.0
# find_package(tessera) gives tessera::tessera; in a build folder also tessera::jobs.
include(${CMAKE_CURRENT_LIST_DIR}/linked_libraries.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/tesseraTargets.cmake)
