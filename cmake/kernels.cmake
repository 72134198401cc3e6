# SPDX-License-Identifier: Apache-2.0
# GPU kernels: UNIT.cu is compiled to a fat binary (device code only) and embedded together with the
# texts of all .cuh files, from which the run-time compiler makes tuned variants.
set(TESSERA_CUDA_ARCHITECTURES "80;90" CACHE STRING
    "GPU architectures with code of their own; others, from 80 on, have the driver compile it")

# If nvcc cannot be used: an error if CUDA was requested, otherwise a build for the CPU only.
macro(tessera_without_cuda reason)
  if(NOT TESSERA_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR "tessera: TESSERA_CUDA is ON but ${reason}")
  endif()
  set(TESSERA_HAVE_CUDA OFF)
  message(STATUS "tessera: ${reason}; building for the CPU only")
endmacro()

if(TESSERA_HAVE_CUDA)
  execute_process(COMMAND ${TESSERA_NVCC} --version OUTPUT_VARIABLE nvcc_text ERROR_QUIET)
  string(REGEX MATCH "release ([0-9]+\\.[0-9]+)" nvcc_release "${nvcc_text}")
  set(nvcc_version "${CMAKE_MATCH_1}")
  get_filename_component(nvcc_folder "${TESSERA_NVCC}" REALPATH)
  get_filename_component(nvcc_folder "${nvcc_folder}" DIRECTORY)
  file(GLOB cuda_folders "${nvcc_folder}/../include" "${nvcc_folder}/../targets/*/include")
  find_path(TESSERA_CUDA_INCLUDE cuda.h HINTS ${cuda_folders})
  if(nvcc_version VERSION_LESS 12.0)  # the first with C++20
    tessera_without_cuda("nvcc is version '${nvcc_version}', but 12.0 or later is needed")
  elseif(NOT TESSERA_CUDA_INCLUDE)
    tessera_without_cuda("cuda.h was not found next to nvcc (set TESSERA_CUDA_INCLUDE to its folder)")
  endif()
endif()

# -gencode flags of one unit: NAME_sm90a.cu uses instructions that only this architecture has.
function(tessera_architecture_flags source result)
  set(flags)
  if(source MATCHES "_sm90a\\.cu$")
    set(flags -gencode arch=compute_90a,code=sm_90a)
  else()
    foreach(architecture ${TESSERA_CUDA_ARCHITECTURES})
      list(APPEND flags -gencode arch=compute_${architecture},code=sm_${architecture})
    endforeach()
    list(APPEND flags -gencode arch=compute_80,code=compute_80)
  endif()
  set(${result} ${flags} PARENT_SCOPE)
endfunction()

# Contraction is off as on the CPU (cmake/compile.cmake); core/cuda/compile.cpp gives the same option to
# the run-time compiler.
function(tessera_compile_kernel source image)
  tessera_architecture_flags(${source} architectures)
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
  add_custom_command(
    OUTPUT ${image}
    COMMAND ${TESSERA_NVCC} -fatbin -std=c++20 -O3 --fmad=false ${architectures}
            $<$<BOOL:${TESSERA_WERROR}>:-Werror=all-warnings>
            -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}
            -MD -MT ${image} -MF ${image}.d -o ${image} ${source}
    DEPENDS ${source}
    DEPFILE ${image}.d
    COMMENT "Compiling kernels of ${name}"
    COMMAND_EXPAND_LISTS VERBATIM)
endfunction()

# The images of `kernels`, embedded in a target; the callers' TESSERA_EMBEDDED, TESSERA_SYMBOLS and
# TESSERA_UNITS get their rows, `result` the image files.
macro(tessera_embed_units kernels folder result)
  foreach(source ${kernels})
    get_filename_component(unit ${source} NAME_WE)
    tessera_compile_kernel(${source} ${folder}/${unit}.fatbin)
    list(APPEND ${result} ${folder}/${unit}.fatbin)
    tessera_embed_file(tessera_unit_${unit} ${unit} ${folder}/${unit}.fatbin
                       TESSERA_EMBEDDED TESSERA_SYMBOLS TESSERA_UNITS)
  endforeach()
endmacro()

function(tessera_embed_kernels target)
  if(NOT TESSERA_HAVE_CUDA)
    return()
  endif()
  file(GLOB_RECURSE kernels CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/ops/*.cu ${PROJECT_SOURCE_DIR}/core/*.cu)
  file(GLOB_RECURSE texts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/ops/*.cuh ${PROJECT_SOURCE_DIR}/core/*.cuh)
  foreach(list kernels texts)
    list(FILTER ${list} EXCLUDE REGEX "/ops/[^/]+/study/")
  endforeach()
  list(APPEND texts ${PROJECT_SOURCE_DIR}/include/tessera/view.hpp
       ${PROJECT_SOURCE_DIR}/include/tessera/border.hpp)
  set(folder ${PROJECT_BINARY_DIR}/kernels)
  file(MAKE_DIRECTORY ${folder})

  set(TESSERA_EMBEDDED "")
  set(TESSERA_SYMBOLS "")
  set(TESSERA_UNITS "")
  set(TESSERA_TEXTS "")
  set(images)
  tessera_embed_units("${kernels}" ${folder} images)
  foreach(text ${texts})
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${text})
    string(REGEX REPLACE "^include/" "" path ${path})
    string(MAKE_C_IDENTIFIER tessera_text_${path} symbol)
    tessera_embed_file(${symbol} ${path} ${text} TESSERA_EMBEDDED TESSERA_SYMBOLS TESSERA_TEXTS)
  endforeach()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/embedded.S.in ${folder}/embedded_kernels.S @ONLY)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/embedded_kernels.cpp.in ${folder}/embedded_kernels.cpp @ONLY)
  set_source_files_properties(${folder}/embedded_kernels.S PROPERTIES OBJECT_DEPENDS "${images};${texts}")
  target_sources(${target} PRIVATE ${folder}/embedded_kernels.S ${folder}/embedded_kernels.cpp)
  target_include_directories(${target} SYSTEM PRIVATE ${TESSERA_CUDA_INCLUDE})
endfunction()

# The studies' kernels, their texts (also used to count lines of code, which includes the product's
# kernels) and published figures: a separate registry, which only programs with studies contain.
function(tessera_embed_study target)
  file(GLOB texts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/ops/*/study/*.cu
       ${PROJECT_SOURCE_DIR}/ops/*/study/*.cuh ${PROJECT_SOURCE_DIR}/ops/*/study/*.tsv
       ${PROJECT_SOURCE_DIR}/ops/*/study/c[0-9]_*.[ch]pp ${PROJECT_SOURCE_DIR}/ops/*/study/plain_*.[ch]pp
       ${PROJECT_SOURCE_DIR}/ops/faraday/study/faraday_*_rungs.cpp
       ${PROJECT_SOURCE_DIR}/ops/xengine/study/xengine_*_rungs.cpp
       ${PROJECT_SOURCE_DIR}/ops/noise/study/noise_*_rungs.cpp
       ${PROJECT_SOURCE_DIR}/ops/enhance/parts/*.*h* ${PROJECT_SOURCE_DIR}/ops/convolve/parts/*.hpp
       ${PROJECT_SOURCE_DIR}/core/fft_*.hpp ${PROJECT_SOURCE_DIR}/core/turn-inl.hpp
       ${PROJECT_SOURCE_DIR}/core/cuda/line_fft*.cuh)
  # The product's methods with which studies compare their rungs.
  file(GLOB_RECURSE product_texts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/ops/*.cuh)
  foreach(operation enhance correlate cells faraday xengine noise)
    file(GLOB_RECURSE operation_texts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/ops/${operation}/*.[ch]pp
         ${PROJECT_SOURCE_DIR}/ops/${operation}/*.cu)
    list(APPEND product_texts ${operation_texts})
  endforeach()
  list(FILTER product_texts EXCLUDE REGEX "/ops/[^/]+/(study|parts)/|_(test|bench)\\.cpp$")
  list(APPEND texts ${product_texts})
  file(GLOB kernels CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/ops/*/study/*.cu)
  set(folder ${PROJECT_BINARY_DIR}/study)
  file(MAKE_DIRECTORY ${folder})
  set(TESSERA_EMBEDDED "")
  set(TESSERA_SYMBOLS "")
  set(TESSERA_UNITS "")
  set(TESSERA_TEXTS "")
  set(images)
  foreach(text ${texts})
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${text})
    string(MAKE_C_IDENTIFIER tessera_study_${path} symbol)
    tessera_embed_file(${symbol} ${path} ${text} TESSERA_EMBEDDED TESSERA_SYMBOLS TESSERA_TEXTS)
  endforeach()
  set(TESSERA_STUDY_CUDA 0)
  if(TESSERA_HAVE_CUDA)
    set(TESSERA_STUDY_CUDA 1)
    tessera_embed_units("${kernels}" ${folder} images)
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/embedded.S.in ${folder}/embedded_study.S @ONLY)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/embedded_study.cpp.in ${folder}/embedded_study.cpp @ONLY)
  set_source_files_properties(${folder}/embedded_study.S PROPERTIES OBJECT_DEPENDS "${images};${texts}")
  target_sources(${target} PRIVATE ${folder}/embedded_study.S ${folder}/embedded_study.cpp)
endfunction()
