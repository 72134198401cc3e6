// SPDX-License-Identifier: Apache-2.0
/// CBLAS, opened by the first method that multiplies matrices with it. OpenBLAS starts its threads
/// when it is loaded: linked, it would do so in every command, and with little address space its
/// end waits forever for threads that could not start.
#pragma once

#include <string>

namespace tessera {

/// The functions that are used, with the enumerations of cblas.h as plain numbers.
struct Cblas {
  static constexpr int kRowMajor = 101, kColumnMajor = 102;
  static constexpr int kAsIs = 111, kTransposed = 112, kAdjoint = 113, kLower = 122;

  template <class T>
  using RealProduct = void(int order, int a_turned, int b_turned, int m, int n, int k, T alpha,
                           const T* a, int a_step, const T* b, int b_step, T beta, T* c,
                           int c_step);
  using ComplexProduct = void(int order, int a_turned, int b_turned, int m, int n, int k,
                              const void* alpha, const void* a, int a_step, const void* b,
                              int b_step, const void* beta, void* c, int c_step);
  using Herk = void(int order, int triangle, int turned, int n, int k, float alpha, const void* a,
                    int a_step, float beta, void* c, int c_step);

  RealProduct<float>* sgemm = nullptr;
  RealProduct<double>* dgemm = nullptr;
  ComplexProduct *cgemm = nullptr, *zgemm = nullptr;
  Herk* cherk = nullptr;
  /// Only OpenBLAS has these two.
  void (*set_threads)(int) = nullptr;
  int (*threads)() = nullptr;
};

/// "" or the reason, as part of a sentence.
const std::string& why_no_cblas();
/// All functions of a product are there if why_no_cblas() is "". OpenBLAS has one thread, unless it
/// was in the process before or OPENBLAS_NUM_THREADS says otherwise.
const Cblas& cblas();
/// The same with a thread per core, for measurements of the library itself.
const Cblas& cblas_on_all_cores();

}  // namespace tessera
