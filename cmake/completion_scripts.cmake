# SPDX-License-Identifier: Apache-2.0
# Run by the build: writes the completion scripts that TOOL prints to FOLDER.
cmake_minimum_required(VERSION 3.25)
file(MAKE_DIRECTORY ${FOLDER})
function(make_script shell name)
  execute_process(COMMAND ${TOOL} completion ${shell} OUTPUT_FILE ${FOLDER}/${name}
                  COMMAND_ERROR_IS_FATAL ANY)
endfunction()
make_script(bash tessera)
make_script(zsh _tessera)
make_script(fish tessera.fish)
