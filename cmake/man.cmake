# SPDX-License-Identifier: Apache-2.0
# Man pages made from the tool's --help, one per command, in build/man: `man -M build/man tessera`.
find_program(TESSERA_HELP2MAN help2man)
if(NOT TESSERA_HELP2MAN)
  message(STATUS "tessera: help2man is missing; man pages are left out")
  return()
endif()
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/man/man1/tessera.1
  COMMAND ${CMAKE_COMMAND} -DTOOL=$<TARGET_FILE:tessera_cli> -DHELP2MAN=${TESSERA_HELP2MAN}
          -DFOLDER=${PROJECT_BINARY_DIR}/man/man1 -P ${PROJECT_SOURCE_DIR}/cmake/man_pages.cmake
  DEPENDS tessera_cli ${PROJECT_SOURCE_DIR}/cmake/man_pages.cmake
  COMMENT "Making man pages" VERBATIM)
add_custom_target(tessera_man ALL DEPENDS ${PROJECT_BINARY_DIR}/man/man1/tessera.1)
