// SPDX-License-Identifier: Apache-2.0
/// GPU kernels, compiled ahead of time or at run time.
///
/// The body is a __device__ template in `UNIT.cuh` over a plain Knobs value; `UNIT.cu` holds
/// one-line extern "C" entries for the default knobs, compiled ahead of time. Other knobs are
/// compiled at run time from the same text. Every kernel takes one argument, a plain struct.
///
///     const GpuKernel& kernel = find_kernel(stream.device(), {"convolve_direct", "direct_f32"});
///     kernel.launch(stream, {grid_x, grid_y}, {32, 8}, shared_bytes, args);
///
/// No CUDA header is needed to call these.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

struct Extent3 {
  unsigned x = 1, y = 1, z = 1;
};

/// The kernel to run. With `body` empty it is the ahead-of-time entry; otherwise the run-time
/// compiler makes   extern "C" __global__ void __launch_bounds__(BOUNDS)
///             kernel(const __grid_constant__ ARGS args) { BODY(args); }
/// in namespace tessera, after including UNIT.cuh.
struct KernelName {
  std::string unit;         ///< "convolve_direct"
  std::string entry;        ///< "direct_f32"
  std::string body;         ///< "" or "direct_tile<float, DirectKnobs{64, 4, 4}>"
  std::string args;         ///< "DirectArgs<float>", needed with a body
  std::string bounds = {};  ///< threads per block and blocks per multiprocessor the body is
                            ///< compiled for: "256, 2", or nothing
};

/// A launch has at most this many blocks in y and z.
inline constexpr int kMostBlocks = 65535;

/// The name of a type in a kernel's text: "unsigned char", "float" …
inline const char* kernel_type(Type type) {
  constexpr const char* kNames[] = {"unsigned char", "unsigned short", "float", "double"};
  return kNames[static_cast<int>(type)];
}

/// A loaded kernel of one device. Lives as long as the process.
class GpuKernel {
 public:
  virtual ~GpuKernel() = default;
  template <class Args>
  void launch(Stream& stream, Extent3 grid, Extent3 block, int shared_bytes,
              const Args& args) const {
    launch_bytes(stream, grid, block, shared_bytes, &args, sizeof(Args));
  }
  /// Arguments whose size is known only at run time.
  void launch(Stream& stream, Extent3 grid, Extent3 block, int shared_bytes,
              const std::vector<std::byte>& args) const {
    launch_bytes(stream, grid, block, shared_bytes, args.data(), args.size());
  }
  /// The same with all blocks on the device at once, so that they may wait for each other. Throws
  /// Error(failure) if there are more than `blocks_at_once`.
  template <class Args>
  void launch_together(Stream& stream, Extent3 grid, Extent3 block, int shared_bytes,
                       const Args& args) const {
    launch_bytes(stream, grid, block, shared_bytes, &args, sizeof(Args), true);
  }
  /// The number of blocks the device can hold at the same time if nothing else runs.
  virtual int blocks_at_once(int threads, int shared_bytes) const = 0;
  /// The part of the memory divided between shared memory and the L1 cache that is to be shared
  /// memory in later launches, in percent; -1: the driver decides. A hint: the needs of a launch
  /// come first.
  virtual void prefer_shared(int percent) const = 0;
  virtual int registers() const = 0;
  virtual int static_shared_bytes() const = 0;
  /// "ahead of time", "compiled at run time" or "compiled before, from disk"
  virtual std::string origin() const = 0;
  /// The driver's CUfunction.
  virtual void* native() const = 0;

 protected:
  virtual void launch_bytes(Stream& stream, Extent3 grid, Extent3 block, int shared_bytes,
                            const void* args, std::size_t bytes, bool together = false) const = 0;
};

/// Looks in memory, then on disk, then compiles; safe from any thread. A kernel that several
/// threads request is compiled once; different kernels are compiled at the same time. If a body is
/// requested and compiles_for returns false, the result is the entry. Throws Error(failure) with
/// the compiler's first error.
const GpuKernel& find_kernel(int device, const KernelName& name);

/// Whether find_kernel returns a unit's bodies on a device, not their entries: there is a run-time
/// compiler, and it knows the device. Callers whose shapes need a body must check this.
bool compiles_for(int device, const std::string& unit);

/// Compiles a body for a device that may be absent ("sm_90") and keeps it on disk, where
/// find_kernel will look on that device. Returns whether it was not there already. Throws
/// Error(failure).
bool compile_kernel(const KernelName& name, const std::string& architecture);

/// Whether NVRTC can be opened; without it tuned knobs fall back to the default entries.
bool run_time_compiler_found();

/// Whether TESSERA_KERNELS=run-time requests run-time compilation even with the default knobs; the
/// tests use it to show that both ways of making a kernel give the same bits.
bool force_run_time_kernels();

/// Where compiled kernels are kept: TESSERA_CACHE, XDG_CACHE_HOME/tessera or ~/.cache/tessera;
/// empty without a home; then nothing is kept.
std::string cache_folder();

}  // namespace tessera
