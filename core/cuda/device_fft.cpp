// SPDX-License-Identifier: Apache-2.0
#include "core/device_fft.hpp"

#include <fmt/format.h>

#include <mutex>

#include "core/cuda/kernel_clock.hpp"
#include "core/cuda/libraries.hpp"
#include "core/cuda/open_device.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace cuda {
namespace {

// The parts of cuFFT in use; its header is not needed to build.
using Handle = int;
constexpr int kR2C = 0x2a, kC2R = 0x2c, kD2Z = 0x6a, kZ2D = 0x6c;

struct FftLibrary {
  Library library{"libcufft", {"libcufft.so.12", "libcufft.so.11"}};
  int (*cufftCreate)(Handle*) = nullptr;
  int (*cufftSetAutoAllocation)(Handle, int) = nullptr;
  int (*cufftMakePlan2d)(Handle, int, int, int, std::size_t*) = nullptr;
  int (*cufftSetStream)(Handle, CUstream) = nullptr;
  int (*cufftSetWorkArea)(Handle, void*) = nullptr;
  int (*cufftExecR2C)(Handle, void*, void*) = nullptr;
  int (*cufftExecC2R)(Handle, void*, void*) = nullptr;
  int (*cufftExecD2Z)(Handle, void*, void*) = nullptr;
  int (*cufftExecZ2D)(Handle, void*, void*) = nullptr;
  int (*cufftDestroy)(Handle) = nullptr;

  FftLibrary() {
    if (!library) return;
    library.load("cufftCreate", cufftCreate) &&
        library.load("cufftSetAutoAllocation", cufftSetAutoAllocation) &&
        library.load("cufftMakePlan2d", cufftMakePlan2d) &&
        library.load("cufftSetStream", cufftSetStream) &&
        library.load("cufftSetWorkArea", cufftSetWorkArea) &&
        library.load("cufftExecR2C", cufftExecR2C) && library.load("cufftExecC2R", cufftExecC2R) &&
        library.load("cufftExecD2Z", cufftExecD2Z) && library.load("cufftExecZ2D", cufftExecZ2D) &&
        library.load("cufftDestroy", cufftDestroy);
  }
};

const FftLibrary& fft_library() {
  static const FftLibrary& library = *new FftLibrary;  // lives as long as the process
  return library;
}

void check_fft(int result, const char* doing) {
  constexpr int kAllocationFailed = 2, kNoWorkspace = 14;
  if (result == 0) return;
  const bool memory = result == kAllocationFailed || result == kNoWorkspace;
  throw Error(memory ? ErrorKind::resources : ErrorKind::failure,
              fmt::format("cuFFT: {} failed with code {}{}", doing, result,
                          memory ? ": the device has too little memory; give backend cpu" : ""));
}

/// One direction of a transform. Its work area is the stream's, so that streams do not share it.
class Direction {
 public:
  Direction(OpenDevice& device, int height, int width, int type) : device_(device) {
    const CurrentContext current(device.context);
    const FftLibrary& fft = fft_library();
    check_fft(fft.cufftCreate(&handle_), "making a plan");
    check_fft(fft.cufftSetAutoAllocation(handle_, 0), "making a plan");
    check_fft(fft.cufftMakePlan2d(handle_, height, width, type, &work_bytes_), "making a plan");
  }
  ~Direction() { fft_library().cufftDestroy(handle_); }
  Direction(const Direction&) = delete;
  Direction& operator=(const Direction&) = delete;

  void run(int (*execute)(Handle, void*, void*), Stream& stream, void* from, void* to) const {
    const Scratch work = stream.scratch(work_bytes_ + 256);
    const CurrentContext current(device_.context);
    const std::lock_guard lock(mutex_);  // stream and work area belong to the handle
    const FftLibrary& fft = fft_library();
    check_fft(fft.cufftSetStream(handle_, static_cast<CUstream>(stream.cuda_stream())),
              "choosing a stream");
    check_fft(fft.cufftSetWorkArea(handle_, work.data()), "choosing a work area");
    const KernelMark mark(static_cast<CUstream>(stream.cuda_stream()), false);
    check_fft(execute(handle_, from, to), "a transform");
  }

 private:
  OpenDevice& device_;
  Handle handle_ = 0;
  std::size_t work_bytes_ = 0;
  mutable std::mutex mutex_;
};

class CuFft final : public DeviceFft {
 public:
  CuFft(OpenDevice& device, int height, int width, bool single)
      : single_(single),
        forward_(device, height, width, single ? kR2C : kD2Z),
        inverse_(device, height, width, single ? kC2R : kZ2D) {}

  void forward(Stream& stream, void* real, void* complex) const override {
    const FftLibrary& fft = fft_library();
    forward_.run(single_ ? fft.cufftExecR2C : fft.cufftExecD2Z, stream, real, complex);
  }
  void inverse(Stream& stream, void* complex, void* real) const override {
    const FftLibrary& fft = fft_library();
    inverse_.run(single_ ? fft.cufftExecC2R : fft.cufftExecZ2D, stream, complex, real);
  }

 private:
  bool single_;
  Direction forward_, inverse_;
};

}  // namespace
}  // namespace cuda

std::string why_no_device_fft() { return cuda::fft_library().library.reason(); }

std::unique_ptr<const DeviceFft> make_device_fft(int device, int height, int width, Type type) {
  if (const std::string reason = why_no_device_fft(); !reason.empty())
    throw Error(ErrorKind::failure, reason);
  return std::make_unique<cuda::CuFft>(cuda::open_device(device), height, width, type == Type::f32);
}

}  // namespace tessera
