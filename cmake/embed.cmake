# SPDX-License-Identifier: Apache-2.0
# Files that travel inside the library: kernels (kernels.cmake) and tuning tables.

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

# tuning/*.tsv, so that a copied binary or a Python wheel has its tables.
function(tessera_embed_tuning target)
  file(GLOB tables CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tuning/*.tsv)
  set(TESSERA_EMBEDDED "")
  set(TESSERA_SYMBOLS "")
  set(TESSERA_TABLES "")
  foreach(table ${tables})
    get_filename_component(name ${table} NAME_WE)
    string(MAKE_C_IDENTIFIER tessera_tuning_${name} symbol)
    tessera_embed_file(${symbol} ${name} ${table} TESSERA_EMBEDDED TESSERA_SYMBOLS TESSERA_TABLES)
  endforeach()
  set(folder ${PROJECT_BINARY_DIR}/tuning)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/embedded.S.in ${folder}/embedded_tuning.S @ONLY)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/embedded_tuning.cpp.in ${folder}/embedded_tuning.cpp @ONLY)
  set_source_files_properties(${folder}/embedded_tuning.S PROPERTIES OBJECT_DEPENDS "${tables}")
  target_sources(${target} PRIVATE ${folder}/embedded_tuning.S ${folder}/embedded_tuning.cpp)
endfunction()
