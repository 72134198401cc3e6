// SPDX-License-Identifier: Apache-2.0
#include "core/device_blas.hpp"

#include <fmt/format.h>

#include <complex>
#include <map>
#include <mutex>
#include <vector>

#include "core/cuda/kernel_clock.hpp"
#include "core/cuda/libraries.hpp"
#include "core/cuda/open_device.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace cuda {
namespace {

// The parts of cuBLAS in use; its header is not needed to build.
using BlasHandle = struct BlasContext*;
constexpr int kAsIs = 0, kTransposed = 1, kAdjoint = 2;            // CUBLAS_OP_N, _T, _C
constexpr int kDefaultMath = 0;                                    // without TF32
constexpr int kBytes = 3, kInts = 10, kInInts = 72, kAnyWay = -1;  // CUDA_R_8I, CUBLAS_COMPUTE_32I

template <class T>
using Multiply = int(BlasHandle, int, int, int, int, int, const T*, const T*, int, const T*, int,
                     const T*, T*, int);

/// cuComplex and cuDoubleComplex have the layout of std::complex.
template <class T>
using MultiplyComplex = Multiply<std::complex<T>>;

using MultiplyBytes = int(BlasHandle, int, int, int, int, int, const void*, const void*, int, int,
                          const void*, int, int, const void*, void*, int, int, int, int);

struct BlasLibrary {
  Library library{"libcublas", {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11"}};
  int (*cublasCreate)(BlasHandle*) = nullptr;
  int (*cublasDestroy)(BlasHandle) = nullptr;
  int (*cublasSetStream)(BlasHandle, CUstream) = nullptr;
  int (*cublasSetWorkspace)(BlasHandle, void*, std::size_t) = nullptr;
  int (*cublasSetMathMode)(BlasHandle, int) = nullptr;
  Multiply<float>* cublasSgemm = nullptr;
  Multiply<double>* cublasDgemm = nullptr;
  MultiplyComplex<float>* cublasCgemm = nullptr;
  MultiplyComplex<double>* cublasZgemm = nullptr;
  MultiplyBytes* cublasGemmEx = nullptr;

  BlasLibrary() {
    if (!library) return;
    library.load("cublasCreate_v2", cublasCreate) &&
        library.load("cublasDestroy_v2", cublasDestroy) &&
        library.load("cublasSetStream_v2", cublasSetStream) &&
        library.load("cublasSetWorkspace_v2", cublasSetWorkspace) &&
        library.load("cublasSetMathMode", cublasSetMathMode) &&
        library.load("cublasSgemm_v2", cublasSgemm) &&
        library.load("cublasDgemm_v2", cublasDgemm) &&
        library.load("cublasCgemm_v2", cublasCgemm) &&
        library.load("cublasZgemm_v2", cublasZgemm) && library.load("cublasGemmEx", cublasGemmEx);
  }
};

const BlasLibrary& blas_library() {
  static const BlasLibrary& library = *new BlasLibrary;  // lives as long as the process
  return library;
}

void check_blas(int result, const char* doing) {
  constexpr int kAllocationFailed = 3;
  if (result == 0) return;
  const bool memory = result == kAllocationFailed;
  throw Error(memory ? ErrorKind::resources : ErrorKind::failure,
              fmt::format("cuBLAS: {} failed with code {}{}", doing, result,
                          memory ? ": the device has too little memory; give backend cpu" : ""));
}

/// Idle handles, by device. A handle enqueues for one thread at a time; its work memory is the
/// stream's, so that the next thread may take it while the product has yet to run.
class HandlePool {
 public:
  BlasHandle take(const OpenDevice& device) {
    {
      const std::lock_guard lock(mutex_);
      Handles& mine = handles_[device.info.index];
      if (!mine.idle.empty()) {
        BlasHandle handle = mine.idle.back();
        mine.idle.pop_back();
        return handle;
      }
      mine.idle.reserve(++mine.made);
    }
    return make();
  }
  /// Allocates nothing: there is room for all that were made.
  void give_back(const OpenDevice& device, BlasHandle handle) {
    const std::lock_guard lock(mutex_);
    handles_[device.info.index].idle.push_back(handle);
  }

 private:
  struct Handles {
    std::vector<BlasHandle> idle;
    std::size_t made = 0;  ///< or tried
  };

  static BlasHandle make() {
    const BlasLibrary& blas = blas_library();
    BlasHandle handle = nullptr;
    check_blas(blas.cublasCreate(&handle), "making a handle");
    const int result = blas.cublasSetMathMode(handle, kDefaultMath);
    if (result != 0) blas.cublasDestroy(handle);
    check_blas(result, "choosing the arithmetic");
    return handle;
  }

  std::mutex mutex_;
  std::map<int, Handles> handles_;
};

/// A handle while a product is enqueued.
class BorrowedHandle {
 public:
  explicit BorrowedHandle(const OpenDevice& device)
      : device_(device), handle_(pool().take(device)) {}
  ~BorrowedHandle() { pool().give_back(device_, handle_); }
  BorrowedHandle(const BorrowedHandle&) = delete;
  BorrowedHandle& operator=(const BorrowedHandle&) = delete;

  BlasHandle handle() const { return handle_; }

 private:
  static HandlePool& pool() {
    static auto& handles = *new HandlePool;  // work that still runs at exit needs them
    return handles;
  }

  const OpenDevice& device_;
  BlasHandle handle_;
};

// cuBLAS is column-major: our rows are its columns, and c' = b' a'.
template <class T>
void multiply(Multiply<T>* gemm, BlasHandle handle, const DeviceProduct& p) {
  const T one = 1, before = p.add ? 1 : 0;
  check_blas(gemm(handle, kAsIs, kAsIs, p.columns, p.rows, p.inner, &one,
                  static_cast<const T*>(p.b), p.columns, static_cast<const T*>(p.a), p.inner,
                  &before, static_cast<T*>(p.c), p.columns),
             "a product");
}

template <class T>
void multiply(MultiplyComplex<T>* gemm, BlasHandle handle, const DeviceComplexProduct& p) {
  using Complex = std::complex<T>;
  const Complex one = 1, before = static_cast<T>(p.add ? 1 : 0);
  const bool left = p.adjoint == AdjointFactor::left, right = p.adjoint == AdjointFactor::right;
  check_blas(gemm(handle, right ? kAdjoint : kAsIs, left ? kAdjoint : kAsIs, p.columns, p.rows,
                  p.inner, &one, static_cast<const Complex*>(p.b), right ? p.inner : p.columns,
                  static_cast<const Complex*>(p.a), left ? p.rows : p.inner, &before,
                  static_cast<Complex*>(p.c), p.columns),
             "a complex product");
}

}  // namespace
}  // namespace cuda

std::string why_no_device_blas() { return cuda::blas_library().library.reason(); }

namespace cuda {
namespace {

/// Calls enqueue(library, handle) with a handle on the stream.
template <class Enqueue>
void with_handle(Stream& stream, Enqueue enqueue) {
  if (const std::string reason = why_no_device_blas(); !reason.empty())
    throw Error(ErrorKind::failure, reason);
  const Scratch work = stream.scratch(kDeviceProductBytes);
  const OpenDevice& device = open_device(stream.device());
  const CurrentContext current(device.context);
  const BorrowedHandle borrowed(device);
  const BlasLibrary& blas = blas_library();
  check_blas(blas.cublasSetStream(borrowed.handle(), static_cast<CUstream>(stream.cuda_stream())),
             "choosing a stream");
  check_blas(blas.cublasSetWorkspace(borrowed.handle(), work.data(), work.bytes()),
             "choosing work memory");
  const KernelMark mark(static_cast<CUstream>(stream.cuda_stream()), false);
  enqueue(blas, borrowed.handle());
}

}  // namespace
}  // namespace cuda

void multiply_on_device(const DeviceProduct& product, Stream& stream) {
  cuda::with_handle(stream, [&](const cuda::BlasLibrary& blas, cuda::BlasHandle handle) {
    if (product.type == Type::f64)
      cuda::multiply(blas.cublasDgemm, handle, product);
    else
      cuda::multiply(blas.cublasSgemm, handle, product);
  });
}

void multiply_complex_on_device(const DeviceComplexProduct& product, Stream& stream) {
  cuda::with_handle(stream, [&](const cuda::BlasLibrary& blas, cuda::BlasHandle handle) {
    if (product.type == Type::f64)
      cuda::multiply(blas.cublasZgemm, handle, product);
    else
      cuda::multiply(blas.cublasCgemm, handle, product);
  });
}

void multiply_bytes_on_device(const DeviceByteProduct& p, Stream& stream) {
  using namespace cuda;
  const int one = 1, zero = 0;
  with_handle(stream, [&](const BlasLibrary& blas, BlasHandle handle) {
    check_blas(blas.cublasGemmEx(handle, kTransposed, kAsIs, p.columns, p.rows, p.inner, &one, p.b,
                                 kBytes, p.inner, p.a, kBytes, p.inner, &zero, p.c, kInts,
                                 p.columns, kInInts, kAnyWay),
               "a product of bytes");
  });
}

}  // namespace tessera
