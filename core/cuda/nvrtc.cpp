// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/nvrtc.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "core/cuda/embedded_kernels.hpp"
#include "core/cuda/libraries.hpp"
#include "tessera/error.hpp"

namespace tessera::cuda {
namespace {

// NVRTC's own types: a handle and results that are 0 for success. nvrtc.h is not part of every
// toolkit, and a program built here must run with another toolkit's compiler.
using Program = struct NvrtcProgram*;

struct Nvrtc {
  Library library{"the run-time compiler NVRTC",
                  {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}};
  int (*version)(int*, int*) = nullptr;
  int (*architecture_count)(int*) = nullptr;
  int (*architectures)(int*) = nullptr;
  int (*create)(Program*, const char*, const char*, int, const char* const*,
                const char* const*) = nullptr;
  int (*destroy)(Program*) = nullptr;
  int (*compile)(Program, int, const char* const*) = nullptr;
  int (*log_size)(Program, std::size_t*) = nullptr;
  int (*log)(Program, char*) = nullptr;
  int (*cubin_size)(Program, std::size_t*) = nullptr;
  int (*cubin)(Program, char*) = nullptr;
  const char* (*error_string)(int) = nullptr;
  bool works =
      library.load("nvrtcVersion", version) &&
      library.load("nvrtcGetNumSupportedArchs", architecture_count) &&
      library.load("nvrtcGetSupportedArchs", architectures) &&
      library.load("nvrtcCreateProgram", create) && library.load("nvrtcDestroyProgram", destroy) &&
      library.load("nvrtcCompileProgram", compile) &&
      library.load("nvrtcGetProgramLogSize", log_size) && library.load("nvrtcGetProgramLog", log) &&
      library.load("nvrtcGetCUBINSize", cubin_size) && library.load("nvrtcGetCUBIN", cubin) &&
      library.load("nvrtcGetErrorString", error_string);
};

const Nvrtc& nvrtc() {
  static const Nvrtc& opened = *new Nvrtc;  // never closed: see Library
  return opened;
}

void check_nvrtc(int result, const char* doing) {
  if (result != 0)
    throw Error(ErrorKind::failure,
                fmt::format("kernel: {}: NVRTC says {}", doing, nvrtc().error_string(result)));
}

std::string first_error(const std::string& log) {
  const std::size_t at = log.find("error");
  if (at == std::string::npos) return log.substr(0, log.find('\n'));
  const std::size_t start = log.rfind('\n', at);
  const std::size_t begin = start == std::string::npos ? 0 : start + 1;
  return log.substr(begin, log.find('\n', at) - begin);
}

std::string log_of(Program program) {
  std::size_t size = 0;
  check_nvrtc(nvrtc().log_size(program, &size), "reading the compiler's log");
  std::string log(size, '\0');
  check_nvrtc(nvrtc().log(program, log.data()), "reading the compiler's log");
  return log.substr(0, log.find('\0'));
}

std::shared_ptr<NvrtcProgram> make_program(const std::string& source) {
  std::vector<const char*> names, texts;
  std::vector<std::string> paths;  // string_views are not zero-terminated
  for (const KernelSet& set : kernel_sets())
    for (const EmbeddedText& text : set.texts) {
      paths.emplace_back(text.name);
      texts.push_back(text.text.data());
    }
  for (const std::string& path : paths) names.push_back(path.c_str());
  Program program = nullptr;
  check_nvrtc(nvrtc().create(&program, source.c_str(), "kernel.cu", static_cast<int>(names.size()),
                             texts.data(), names.data()),
              "starting the compiler");
  return {program, [](Program made) { nvrtc().destroy(&made); }};
}

}  // namespace

std::string nvrtc_version() {
  int major = 0, minor = 0;
  if (!nvrtc().works || nvrtc().version(&major, &minor) != 0) return "";
  return fmt::format("{}.{}", major, minor);
}

bool nvrtc_supports(const std::string& architecture) {
  int count = 0;
  if (!nvrtc().works || nvrtc().architecture_count(&count) != 0) return false;
  std::vector<int> known(static_cast<std::size_t>(count));
  if (nvrtc().architectures(known.data()) != 0) return false;
  const int wanted = std::atoi(architecture.c_str() + architecture.find('_') + 1);
  return std::find(known.begin(), known.end(), wanted) != known.end();
}

std::string nvrtc_compile(const std::string& source, const std::vector<std::string>& options) {
  if (!nvrtc().works)
    throw Error(ErrorKind::failure, fmt::format("kernel: {}", nvrtc().library.reason()));
  const std::shared_ptr<NvrtcProgram> program = make_program(source);
  std::vector<const char*> words;
  for (const std::string& option : options) words.push_back(option.c_str());
  if (nvrtc().compile(program.get(), static_cast<int>(words.size()), words.data()) != 0)
    throw Error(ErrorKind::failure,
                fmt::format("kernel: it does not compile: {}", first_error(log_of(program.get()))));
  std::size_t size = 0;
  check_nvrtc(nvrtc().cubin_size(program.get(), &size), "reading the compiled kernel");
  std::string image(size, '\0');
  check_nvrtc(nvrtc().cubin(program.get(), image.data()), "reading the compiled kernel");
  return image;
}

}  // namespace tessera::cuda
