# SPDX-License-Identifier: Apache-2.0
# libFuzzer programs, fuzz_TARGET for every target of tests/fuzz/fuzz_targets.cpp: scripts/fuzz
# builds them with clang and runs them.
file(STRINGS tests/fuzz/fuzz_targets.cpp target_lines REGEX "^ +\\{\"[a-z_]+\", \"")
add_library(tessera_fuzz_targets STATIC tests/fuzz/fuzz_targets.cpp)
target_include_directories(tessera_fuzz_targets PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(tessera_fuzz_targets PUBLIC tessera_jobs fmt::fmt)
add_custom_target(fuzz_programs)
foreach(line ${target_lines})
  string(REGEX REPLACE "^ +{\"([a-z_]+)\",.*" "\\1" name "${line}")
  add_executable(fuzz_${name} tests/fuzz/fuzz_main.cpp)
  target_compile_definitions(fuzz_${name} PRIVATE TESSERA_FUZZ_TARGET="${name}")
  target_link_libraries(fuzz_${name} PRIVATE tessera_fuzz_targets -fsanitize=fuzzer)
  add_dependencies(fuzz_programs fuzz_${name})
endforeach()
