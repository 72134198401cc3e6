// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/compile.hpp"

#include <fmt/format.h>

#include <vector>

#include "core/cuda/embedded_kernels.hpp"
#include "core/cuda/nvrtc.hpp"
#include "core/cuda/text_hash.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace cuda {
namespace {

struct UnitHeader {
  std::string_view name;
  const KernelSet& set;
};

UnitHeader header_of(const std::string& unit) {
  const std::string ending = "/" + unit + ".cuh";
  for (const KernelSet& set : kernel_sets())
    for (const EmbeddedText& text : set.texts)
      if (text.name.ends_with(ending)) return {text.name, set};
  throw Error(ErrorKind::failure, fmt::format("kernel: there is no {}.cuh in this build", unit));
}

std::string source_of(const KernelName& name) {
  return fmt::format(
      "#include \"{}\"\n"
      "namespace tessera {{\n"
      "extern \"C\" __global__ void {} kernel(const __grid_constant__ {} args) {{ {}(args); }}\n"
      "}}\n",
      header_of(name.unit).name,
      name.bounds.empty() ? "" : fmt::format("__launch_bounds__({})", name.bounds), name.args,
      name.body);
}

// The same rules as ahead of time (cmake/kernels.cmake), so that the bits are the same.
// -default-device: parts of view.hpp that only the host uses have no __device__.
std::vector<std::string> options_for(const std::string& architecture) {
  return {"-std=c++20", "--fmad=false", "-default-device", "--gpu-architecture=" + architecture};
}

}  // namespace

std::string architecture_of(const std::string& unit, int major, int minor) {
  return fmt::format("sm_{}{}{}", major, minor, unit.ends_with("_sm90a") ? "a" : "");
}

std::string compile_to_cubin(const KernelName& name, const std::string& architecture) {
  return nvrtc_compile(source_of(name), options_for(architecture));
}

std::string cubin_path(const KernelName& name, const std::string& architecture) {
  const std::string folder = cache_folder();
  if (folder.empty()) return "";
  Hash hash;
  // The texts it may include. A program with its own kernels shares the library's kernels with
  // programs that have none.
  for (const EmbeddedText& text : embedded_kernel_texts()) hash.add(text.name).add(text.text);
  for (const EmbeddedText& text : header_of(name.unit).set.texts)
    hash.add(text.name).add(text.text);
  hash.add(source_of(name)).add(nvrtc_version());
  for (const std::string& option : options_for(architecture)) hash.add(option);
  return fmt::format("{}/kernels/{}.cubin", folder, hash.text());
}

}  // namespace cuda

bool run_time_compiler_found() { return !cuda::nvrtc_version().empty(); }

}  // namespace tessera
