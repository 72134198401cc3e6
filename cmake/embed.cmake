# SPDX-License-Identifier: Apache-2.0
# Embeds tuning/*.tsv, so that a copied binary or a Python wheel has its tables.
function(tessera_embed_tuning target)
  file(GLOB tables CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tuning/*.tsv)
  set(out ${PROJECT_BINARY_DIR}/generated/embedded_tuning)
  set(assembly "  .section .rodata\n")
  set(externs "")
  set(rows "")
  foreach(table ${tables})
    get_filename_component(name ${table} NAME_WE)
    string(MAKE_C_IDENTIFIER ${name} id)
    string(APPEND assembly
      "  .global tessera_tuning_${id}\n  .hidden tessera_tuning_${id}\ntessera_tuning_${id}:\n  .incbin \"${table}\"\n"
      "  .global tessera_tuning_${id}_end\n  .hidden tessera_tuning_${id}_end\ntessera_tuning_${id}_end:\n")
    string(APPEND externs "extern \"C\" const char tessera_tuning_${id}[], tessera_tuning_${id}_end[];\n")
    string(APPEND rows "      {\"${name}\", {tessera_tuning_${id}, static_cast<std::size_t>(tessera_tuning_${id}_end - tessera_tuning_${id})}},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${out}.S CONTENT "${assembly}  .section .note.GNU-stack,\"\",%progbits\n" @ONLY)
  file(CONFIGURE OUTPUT ${out}.cpp CONTENT
"#include <cstddef>\n#include \"core/embedded.hpp\"\n${externs}\nnamespace tessera {\nstd::vector<EmbeddedText> embedded_tuning_tables() {\n  return {\n${rows}  };\n}\n}  // namespace tessera\n" @ONLY)
  set_source_files_properties(${out}.S PROPERTIES OBJECT_DEPENDS "${tables}")
  target_sources(${target} PRIVATE ${out}.S ${out}.cpp)
endfunction()
