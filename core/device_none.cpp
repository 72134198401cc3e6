// SPDX-License-Identifier: Apache-2.0
/// Replaces core/cuda if CUDA is not built in.
#include <fmt/format.h>

#include "core/device.hpp"
#include "core/device_blas.hpp"
#include "core/device_calls.hpp"
#include "core/device_fft.hpp"
#include "core/graph_loop.hpp"
#include "core/kernel.hpp"
#include "core/kernel_time.hpp"
#include "core/pcie_lanes.hpp"
#include "core/plain_memory.hpp"
#include "core/texture.hpp"
#include "core/volume_block.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

[[noreturn]] void no_cuda(const std::string& what) {
  throw Error(
      ErrorKind::resources,
      fmt::format("{}: this build has no CUDA; build with nvcc installed or give backend cpu",
                  what));
}

}  // namespace

std::vector<DeviceInfo> find_devices(std::string& reason) {
  reason = "this build has no CUDA";
  return {};
}

std::unique_ptr<DeviceStream> make_device_stream(int device, bool, void*) {
  no_cuda(fmt::format("device {}", device));
}

std::vector<double> time_on_device(Stream& stream, const DeviceTiming&,
                                   const std::function<void()>&) {
  no_cuda(fmt::format("device {}", stream.device()));
}

KernelTime time_kernels(Stream& stream, const std::function<void()>&) {
  no_cuda(fmt::format("device {}", stream.device()));
}

int most_pcie_lanes(int) { return 0; }

std::shared_ptr<void> page_locked_memory(std::size_t) { return nullptr; }
void free_idle_device_memory() {}

LinkRates measure_link(int) { return {}; }

DeviceVersions device_versions() { return {}; }

DeviceCeilings measure_device(int device) { no_cuda(fmt::format("device {}", device)); }

const DeviceCalls& measure_device_calls(int device, std::size_t) {
  no_cuda(fmt::format("device {}", device));
}

const GpuKernel& find_kernel(int, const KernelName& name) {
  no_cuda(fmt::format("kernel {} of {}", name.entry, name.unit));
}

bool compile_kernel(const KernelName& name, const std::string&) {
  no_cuda(fmt::format("kernel {} of {}", name.entry, name.unit));
}

void run_volume_on_device(const VolumeBlock&, Stream& stream) {
  no_cuda(fmt::format("device {}", stream.device()));
}

Texture make_texture(int device, const float*, long long, int) {
  no_cuda(fmt::format("texture on device {}", device));
}
Texture make_texture(int device, const signed char*, long long, int) {
  no_cuda(fmt::format("texture on device {}", device));
}

Scratch plain_device_memory(int device, std::size_t) {
  no_cuda(fmt::format("memory on device {}", device));
}

std::string why_no_graph_loops() { return "built without CUDA"; }
std::unique_ptr<const GraphLoop> make_graph_loop(
    int device, const std::function<std::vector<LoopKernel>(unsigned long long handle)>&) {
  no_cuda(fmt::format("graph on device {}", device));
}

bool run_time_compiler_found() { return false; }
bool compiles_for(int, const std::string&) { return false; }

std::string why_no_device_fft() { return "built without CUDA"; }
std::unique_ptr<const DeviceFft> make_device_fft(int, int, int, Type) {
  throw Error(ErrorKind::failure, why_no_device_fft());
}

std::string why_no_device_blas() { return "built without CUDA"; }
void multiply_on_device(const DeviceProduct&, Stream&) {
  throw Error(ErrorKind::failure, why_no_device_blas());
}
void multiply_complex_on_device(const DeviceComplexProduct&, Stream&) {
  throw Error(ErrorKind::failure, why_no_device_blas());
}
void multiply_bytes_on_device(const DeviceByteProduct&, Stream&) {
  throw Error(ErrorKind::failure, why_no_device_blas());
}

}  // namespace tessera
