# SPDX-License-Identifier: Apache-2.0
# How every target is compiled.

# If ccache is installed, it reuses earlier results. It must ignore the time at which a
# precompiled header was made.
find_program(TESSERA_CCACHE ccache)
if(TESSERA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros ${TESSERA_CCACHE})
endif()

# SIMD targets: SSSE3, SSE4 and SVE are not worth their tests. With tests, targets that the compiler could
# prove unnecessary are built too, so that every one is tested; under a sanitizer AVX-512 is built once, with all
# its extensions. Only these files know Highway.
set(tessera_simd_sources "(_simd|/core/isa|/core/cpu_fma|/core/isa_test)\\.cpp$")
function(tessera_simd_settings source)
  set(left_out "HWY_SSSE3|HWY_SSE4|HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128")
  if(TESSERA_SANITIZE)
    string(APPEND left_out "|HWY_AVX3")
  endif()
  set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS "HWY_DISABLED_TARGETS=\(${left_out}\)"
    HWY_WANT_AVX3_DL=1 $<$<BOOL:${TESSERA_TESTS}>:HWY_COMPILE_ALL_ATTAINABLE=1>)
  if(TESSERA_SANITIZE STREQUAL "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Checks by call: with checks inlined, the transforms take g++ minutes.
    set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS --param=asan-instrumentation-with-call-threshold=0)
  endif()
  if(TESSERA_SANITIZE STREQUAL "fuzz")
    # No reader calls them, and with every branch counted they take clang minutes each.
    set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=all)
    set_property(SOURCE ${source} PROPERTY SKIP_PRECOMPILE_HEADERS ON)  # they are instrumented
  endif()
endfunction()

# With CMAKE_UNITY_BUILD (clean and CI builds: CMakePresets.json) a folder's files are compiled as one
# source, 16 at a time, which takes a fifth of the time. Names in unnamed namespaces must therefore be
# unique in their folder. Exceptions are SIMD files, which compile themselves once per target, files
# named after their intrinsics, which are alike by design, and kernels that tests compile as C++, which
# define names that other sources must not see.
function(tessera_source_settings target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    if(source MATCHES "${tessera_simd_sources}")
      tessera_simd_settings(${source})
    elseif(source MATCHES "\\.cpp$" AND NOT source MATCHES "_(on_cpu_test|sse2|avx2|vnni|amx|i8mm|neon|scalar)\\.cpp$")
      get_filename_component(folder ${source} DIRECTORY)
      string(REPLACE "${PROJECT_SOURCE_DIR}/" "" room "${folder}")
      string(MAKE_C_IDENTIFIER "${room}" room)
      math(EXPR part "0${count_${room}} / 16")
      math(EXPR count_${room} "0${count_${room}} + 1")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room}_${part})
    endif()
  endforeach()
endfunction()

# A defect in memory must end the process, not run what a hostile file says: canaries on the stack, checked
# calls of libc (which need optimisation), programs at random addresses, and tables of the linker that are read-only
# from the start. tools/check_hardened.py reads the results (ctest: hardened). Sanitizers check more than this and replace the same calls.
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)
function(tessera_harden target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE -fstack-protector-strong
                         "$<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
  target_link_options(${target} PRIVATE LINKER:-z,relro,-z,now,-z,noexecstack)
endfunction()

# tessera_settings(TARGET [LEVEL -O1|-O2] [HEADERS_OF OTHER] [STANDARD 17] [FEW]): LEVEL is the optimisation level of a
# Release build if it is not -O3. Targets with the same flags share the precompiled headers of the first, which take
# as long to compile as several sources; a target of FEW sources goes without.
#
# Contraction is off, so that there is an FMA only where the source has one: results then have the same
# bits whatever the optimiser does (the bits contract, ARCHITECTURE.md).
function(tessera_settings target)
  cmake_parse_arguments(PARSE_ARGV 1 with FEW "LEVEL;HEADERS_OF;STANDARD" "")
  if(with_STANDARD)  # for headers of others that C++20 refuses
    set_target_properties(${target} PROPERTIES CXX_STANDARD ${with_STANDARD})
  else()
    target_compile_features(${target} PUBLIC cxx_std_20)
  endif()
  target_compile_options(${target} PRIVATE -ffp-contract=off -Wall -Wextra -Wshadow -Wconversion
                         -Wno-sign-conversion
                         # options are written {.border = ...}: members left out have their defaults
                         -Wno-missing-field-initializers
                         # g++ 12 sees overlaps in std::string's operator+ that are not there
                         $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    # g++ 13 takes every reference returned from a call with a temporary for a reference to it
    target_compile_options(${target} PRIVATE -Wno-dangling-reference)
  endif()
  if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # with more code to inline, g++ 12 and 13 warn falsely of negative string lengths and uninitialised maps;
    # the dev preset keeps these warnings
    target_compile_options(${target} PRIVATE -Wno-stringop-overflow -Wno-array-bounds -Wno-maybe-uninitialized)
  endif()
  if(TESSERA_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(TESSERA_SANITIZE STREQUAL "fuzz")
    set(flags -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined)
  elseif(TESSERA_SANITIZE)
    set(flags -fsanitize=${TESSERA_SANITIZE})
  endif()
  if(TESSERA_SANITIZE)
    target_compile_options(${target} PUBLIC ${flags} -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC ${flags})
  else()
    tessera_harden(${target})
  endif()
  if(with_LEVEL)  # cold code is not worth full optimisation
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${with_LEVEL}>)
  endif()
  if(with_HEADERS_OF)
    target_precompile_headers(${target} REUSE_FROM ${with_HEADERS_OF})
  elseif(NOT with_FEW)
    target_precompile_headers(${target} PRIVATE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/precompiled.hpp)
  endif()
  if(TESSERA_CCACHE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  endif()
  tessera_source_settings(${target})
endfunction()
