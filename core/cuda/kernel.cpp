// SPDX-License-Identifier: Apache-2.0
#include "core/kernel.hpp"

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

#include "core/cuda/compile.hpp"
#include "core/cuda/embedded_kernels.hpp"
#include "core/cuda/kernel_clock.hpp"
#include "core/cuda/nvrtc.hpp"
#include "core/cuda/open_device.hpp"
#include "core/once_per_key.hpp"
#include "core/sealed_file.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace cuda {
namespace {

constexpr int kSharedWithoutAsking = 48 * 1024;

class LoadedKernel final : public GpuKernel {
 public:
  LoadedKernel(OpenDevice& device, std::string what, CUmodule module, const char* symbol,
               const char* origin);

  void prefer_shared(int percent) const override;
  int registers() const override { return attribute(CU_FUNC_ATTRIBUTE_NUM_REGS); }
  int static_shared_bytes() const override {
    return attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  }
  std::string origin() const override { return origin_; }
  void* native() const override { return function_; }
  int blocks_at_once(int threads, int shared_bytes) const override;

 protected:
  void launch_bytes(Stream& stream, Extent3 grid, Extent3 block, int shared_bytes, const void* args,
                    std::size_t bytes, bool together) const override;

 private:
  int attribute(CUfunction_attribute which) const;
  void allow_shared(int bytes) const;

  OpenDevice& device_;
  std::string what_, origin_;
  CUfunction function_ = nullptr;
  mutable std::mutex mutex_;
  mutable int shared_allowed_ = 0;  // dynamic bytes that a launch may request
  mutable std::atomic<bool> launched_ = false;
};

LoadedKernel::LoadedKernel(OpenDevice& device, std::string what, CUmodule module,
                           const char* symbol, const char* origin)
    : device_(device), what_(std::move(what)), origin_(origin) {
  check(driver().cuModuleGetFunction(&function_, module, symbol),
        fmt::format("{}: looking for {}", what_, symbol));
  shared_allowed_ = kSharedWithoutAsking - attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
}

int LoadedKernel::attribute(CUfunction_attribute which) const {
  const CurrentContext current(device_.context);
  int value = 0;
  check(driver().cuFuncGetAttribute(&value, which, function_), what_);
  return value;
}

void LoadedKernel::prefer_shared(int percent) const {
  const CurrentContext current(device_.context);
  check(driver().cuFuncSetAttribute(function_, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
                                    percent),
        what_);
}

void LoadedKernel::allow_shared(int bytes) const {
  const std::lock_guard lock(mutex_);
  if (bytes <= shared_allowed_) return;
  const CUresult result = driver().cuFuncSetAttribute(
      function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes);
  if (result != CUDA_SUCCESS)
    check(result, fmt::format("{}: it needs {} bytes of shared memory; {} has {} per block", what_,
                              bytes, device_.name(), device_.info.shared_bytes_per_block));
  shared_allowed_ = bytes;
}

int LoadedKernel::blocks_at_once(int threads, int shared_bytes) const {
  const CurrentContext current(device_.context);
  allow_shared(shared_bytes);
  int blocks = 0;
  check(driver().cuOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, function_, threads, static_cast<std::size_t>(shared_bytes)),
        what_);
  return blocks * device_.info.multiprocessors;
}

void LoadedKernel::launch_bytes(Stream& stream, Extent3 grid, Extent3 block, int shared_bytes,
                                const void* args, std::size_t, bool together) const {
  if (stream.device() != device_.info.index)
    throw Error(ErrorKind::failure,
                fmt::format("{}: it is loaded on {}, the stream is on device {}", what_,
                            device_.name(), stream.device()));
  const CurrentContext current(device_.context);
  allow_shared(shared_bytes);
  void* parameters[] = {const_cast<void*>(args)};  // the driver only reads it
  const auto shared = static_cast<unsigned>(shared_bytes);
  const auto queue = static_cast<CUstream>(stream.cuda_stream());
  const KernelMark mark(queue, launched_);
  const CUresult result =
      together ? driver().cuLaunchCooperativeKernel(function_, grid.x, grid.y, grid.z, block.x,
                                                    block.y, block.z, shared, queue, parameters)
               : driver().cuLaunchKernel(function_, grid.x, grid.y, grid.z, block.x, block.y,
                                         block.z, shared, queue, parameters, nullptr);
  if (result != CUDA_SUCCESS)
    check(result,
          fmt::format("{}: launching {}x{}x{} blocks of {}x{}x{} threads, {} bytes shared", what_,
                      grid.x, grid.y, grid.z, block.x, block.y, block.z, shared_bytes));
  launched_ = true;
}

// Loading needs the device's context to be current: find_kernel ensures it.
CUmodule load_module(const OpenDevice& device, std::string_view image, const std::string& what) {
  CUmodule module = nullptr;
  const CUresult result = driver().cuModuleLoadData(&module, image.data());
  if (result == CUDA_ERROR_NO_BINARY_FOR_GPU)
    throw Error(
        ErrorKind::resources,
        fmt::format("{}: this build has no code for {}, which is sm_{}{}; build with "
                    "-DTESSERA_CUDA_ARCHITECTURES={}{}",
                    what, device.name(), device.info.compute_major, device.info.compute_minor,
                    device.info.compute_major, device.info.compute_minor));
  if (result != CUDA_SUCCESS)
    check(result, fmt::format("{}: loading it on {}", what, device.name()));
  return module;
}

std::string_view unit_image(const std::string& unit) {
  std::string known;
  for (const KernelSet& set : kernel_sets())
    for (const EmbeddedUnit& embedded : set.units) {
      if (embedded.name == unit) return embedded.image;
      known += (known.empty() ? "" : ", ") + std::string(embedded.name);
    }
  throw Error(
      ErrorKind::failure,
      fmt::format("kernel: there is no unit '{}' in this build; there are {}", unit, known));
}

// Everything found so far. Never destroyed: kernels live as long as the process.
struct Found {
  OncePerKey<std::pair<int, std::string>, CUmodule> modules;
  OncePerKey<std::tuple<int, std::string, std::string, std::string, std::string, std::string>,
             LoadedKernel>
      kernels;
};

CUmodule module_of(Found& found, const OpenDevice& device, const std::string& unit) {
  return found.modules.get({device.info.index, unit}, [&] {
    return std::make_unique<CUmodule>(load_module(device, unit_image(unit), "kernel " + unit));
  });
}

std::unique_ptr<LoadedKernel> load_entry(Found& found, OpenDevice& device, const KernelName& name) {
  return std::make_unique<LoadedKernel>(device, "kernel " + name.entry,
                                        module_of(found, device, name.unit), name.entry.c_str(),
                                        "ahead of time");
}

struct BodyLoader {
  OpenDevice& device;
  std::string what, path;

  std::unique_ptr<LoadedKernel> load(const std::string& image, const char* origin) const {
    return std::make_unique<LoadedKernel>(device, what, load_module(device, image, what), "kernel",
                                          origin);
  }
  // A valid file may still be refused, for example by another driver; then it is made again.
  std::unique_ptr<LoadedKernel> load_from_disk() const {
    const auto image = path.empty() ? std::nullopt : read_sealed(path);
    if (!image) return nullptr;
    try {
      return load(*image, "compiled before, from disk");
    } catch (const Error&) {
      return nullptr;
    }
  }
};

std::unique_ptr<LoadedKernel> load_body(OpenDevice& device, const KernelName& name,
                                        const std::string& architecture) {
  const BodyLoader loader{device, "kernel " + name.body, cubin_path(name, architecture)};
  if (auto kernel = loader.load_from_disk()) return kernel;
  const std::string image = compile_to_cubin(name, architecture);
  if (!loader.path.empty()) write_sealed(loader.path, image);
  return loader.load(image, "compiled at run time");
}

std::string architecture_for(const DeviceInfo& device, const std::string& unit) {
  return architecture_of(unit, device.compute_major, device.compute_minor);
}

}  // namespace
}  // namespace cuda

bool compile_kernel(const KernelName& name, const std::string& architecture) {
  const std::string path = cuda::cubin_path(name, architecture);
  if (!path.empty() && read_sealed(path)) return false;
  const std::string image = cuda::compile_to_cubin(name, architecture);
  if (!path.empty()) write_sealed(path, image);
  return true;
}

bool compiles_for(int device, const std::string& unit) {
  const std::vector<DeviceInfo>& devices = this_machine().devices;
  if (device < 0 || device >= std::ssize(devices)) return false;
  const DeviceInfo& info = devices[static_cast<std::size_t>(device)];
  return cuda::nvrtc_supports(cuda::architecture_for(info, unit));
}

const GpuKernel& find_kernel(int device, const KernelName& name) {
  static auto& found = *new cuda::Found;
  cuda::OpenDevice& opened = cuda::open_device(device);
  const std::string architecture = cuda::architecture_for(opened.info, name.unit);
  // An entry is one kernel, even if it is requested under other names: two kernels would each set
  // its shared memory limit.
  const bool compiled = !name.body.empty() && cuda::nvrtc_supports(architecture);
  const auto load = [&] {
    const cuda::CurrentContext current(opened.context);
    return compiled ? cuda::load_body(opened, name, architecture)
                    : cuda::load_entry(found, opened, name);
  };
  if (!compiled) return found.kernels.get({device, name.unit, name.entry, "", "", ""}, load);
  return found.kernels.get({device, name.unit, name.entry, name.body, name.args, name.bounds},
                           load);
}

}  // namespace tessera
