# SPDX-License-Identifier: Apache-2.0
# How every target is compiled.
#
# Contraction is off so that an FMA is there only where it is written: results then have the same
# bits whatever the optimiser does (the bits contract, ARCHITECTURE.md).
function(tessera_settings target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE -ffp-contract=off -Wall -Wextra -Wshadow -Wconversion
                         -Wno-sign-conversion
                         # options are written {.border = ...}: what is left out has its default
                         -Wno-missing-field-initializers
                         # g++ 12 sees overlaps in std::string's operator+ that are not there
                         $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    # g++ 13 takes every reference made with a temporary argument for one to the temporary
    target_compile_options(${target} PRIVATE -Wno-dangling-reference)
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
    target_compile_options(${target} PUBLIC ${flags} -fno-omit-frame-pointer -g)
    target_link_options(${target} PUBLIC ${flags})
  endif()
  # SSSE3, SSE4 and SVE are not worth their tests; tests also build targets the compiler could prove
  # unneeded, so that every one is swept.
  target_compile_definitions(${target} PRIVATE
    HWY_DISABLED_TARGETS=\(HWY_SSSE3|HWY_SSE4|HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128\)
    HWY_WANT_AVX3_DL=1 $<$<BOOL:${TESSERA_TESTS}>:HWY_COMPILE_ALL_ATTAINABLE=1>)
endfunction()
