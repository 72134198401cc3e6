# SPDX-License-Identifier: Apache-2.0
# Run by the build: makes one page per command of TOOL in FOLDER with HELP2MAN.
cmake_minimum_required(VERSION 3.25)

function(output_of variable)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE text RESULT_VARIABLE code ERROR_VARIABLE problem)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "man pages: ${ARGN} failed: ${problem}")
  endif()
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# A command is a list, "sample;scene". Its purpose is the line after "Usage:".
function(make_page)
  list(JOIN ARGN "-" page)
  string(PREPEND page "tessera-")
  string(REGEX REPLACE "-$" "" page "${page}")
  output_of(help ${TOOL} ${ARGN} --help)
  string(REGEX MATCH "^Usage:[^\n]*\n([^\n]*)" ignored "${help}")
  # help2man would give every page the name of the program.
  file(WRITE ${FOLDER}/${page}.h2m "[NAME]\n${page} \\- ${CMAKE_MATCH_1}\n")
  list(JOIN ARGN " " words)
  output_of(ignored ${HELP2MAN} --no-info --section=1 --manual=Tessera --include=${FOLDER}/${page}.h2m
            --version-string=${version} --output=${FOLDER}/${page}.1 "${TOOL} ${words}")
  file(REMOVE ${FOLDER}/${page}.h2m)
  # Examples are command lines; help2man would join them.
  file(READ ${FOLDER}/${page}.1 text)
  string(REPLACE ".SH EXAMPLES\n.IP\n" ".SH EXAMPLES\n.IP\n.nf\n" text "${text}")
  file(WRITE ${FOLDER}/${page}.1 "${text}")
  if(help MATCHES "\nCommands:\n(.*)\nOptions:\n")
    string(REGEX MATCHALL "\n  [a-z-]+ " commands "\n${CMAKE_MATCH_1}")
    foreach(command ${commands})
      string(STRIP "${command}" command)
      make_page(${ARGN} ${command})
    endforeach()
  endif()
endfunction()

output_of(version ${TOOL} --version)
string(STRIP "${version}" version)
file(MAKE_DIRECTORY ${FOLDER})
make_page()
