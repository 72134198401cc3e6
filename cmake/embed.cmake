# SPDX-License-Identifier: Apache-2.0
# Files embedded in the library: kernels (kernels.cmake), tuning tables, pages of reports.

# The assembler's text and the registry's line for one embedded file.
function(tessera_embed_file symbol key file assembly declarations rows)
  string(APPEND ${assembly} "  .balign 64\n  .hidden ${symbol}\n  .globl ${symbol}\n${symbol}:\n"
         "  .incbin \"${file}\"\n  .hidden ${symbol}_end\n  .globl ${symbol}_end\n"
         "${symbol}_end:\n  .byte 0\n")
  string(APPEND ${declarations} "extern const char ${symbol}[], ${symbol}_end[];\n")
  string(APPEND ${rows} "    {\"${key}\", {${symbol}, length(${symbol}, ${symbol}_end)}},\n")
  foreach(variable ${assembly} ${declarations} ${rows})
    set(${variable} "${${variable}}" PARENT_SCOPE)
  endforeach()
endfunction()

# Texts that `function`, declared in `header`, returns by the names of their files.
function(tessera_embed_texts target what function header)
  set(TESSERA_FUNCTION ${function})
  set(TESSERA_HEADER ${header})
  set(TESSERA_EMBEDDED "")
  set(TESSERA_SYMBOLS "")
  set(TESSERA_TEXTS "")
  foreach(file ${ARGN})
    get_filename_component(name ${file} NAME)
    string(REGEX REPLACE "\\.tsv$" "" name ${name})
    string(MAKE_C_IDENTIFIER tessera_${what}_${name} symbol)
    tessera_embed_file(${symbol} ${name} ${file} TESSERA_EMBEDDED TESSERA_SYMBOLS TESSERA_TEXTS)
  endforeach()
  set(made ${PROJECT_BINARY_DIR}/${what}/embedded_${what})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/embedded.S.in ${made}.S @ONLY)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/embedded_texts.cpp.in ${made}.cpp @ONLY)
  set_source_files_properties(${made}.S PROPERTIES OBJECT_DEPENDS "${ARGN}")
  target_sources(${target} PRIVATE ${made}.S ${made}.cpp)
endfunction()

# tuning/*.tsv, so that a copied binary or a Python wheel has its tables.
function(tessera_embed_tuning target)
  file(GLOB tables CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tuning/*.tsv)
  tessera_embed_texts(${target} tuning embedded_tuning_tables core/embedded.hpp ${tables})
endfunction()

# The parts of the web pages of reports.
function(tessera_embed_pages target)
  file(GLOB texts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/report/*.html
       ${PROJECT_SOURCE_DIR}/report/*.css ${PROJECT_SOURCE_DIR}/report/*.js)
  tessera_embed_texts(${target} pages embedded_pages report/page.hpp ${texts})
endfunction()
