# SPDX-License-Identifier: Apache-2.0
# Completion scripts that the tool prints, at build/completion, under the names shells look for.
set(completion_folder ${PROJECT_BINARY_DIR}/completion)
set(completion_scripts ${completion_folder}/tessera ${completion_folder}/_tessera
    ${completion_folder}/tessera.fish)
add_custom_command(OUTPUT ${completion_scripts}
  COMMAND ${CMAKE_COMMAND} -DTOOL=$<TARGET_FILE:tessera_cli> -DFOLDER=${completion_folder}
          -P ${PROJECT_SOURCE_DIR}/cmake/completion_scripts.cmake
  DEPENDS tessera_cli ${PROJECT_SOURCE_DIR}/cmake/completion_scripts.cmake
  COMMENT "Making completion scripts" VERBATIM)
add_custom_target(tessera_completion ALL DEPENDS ${completion_scripts})
