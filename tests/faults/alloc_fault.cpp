// SPDX-License-Identifier: Apache-2.0
// Allocations that fail, counted from the start of main:
//   TESSERA_FAULT_ALLOC=once:K            the K-th
//   TESSERA_FAULT_ALLOC=from:K            the K-th and all after it
//   TESSERA_FAULT_ALLOC=each:P:SEED:K     one in P, at random, from the K-th on
//   TESSERA_FAULT_REPORT=FILE             how many there were, at the end
// Allocations by NVIDIA's libraries and by glibc's loader never fail: the driver ends the process
// if one does, and the loader dereferences what it did not get while it opens libcublas
// (glibc 2.36). Nor do those that glibc makes to note the destructor of a thread's variable: it
// ends the process, too.
#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <cstdint>
#include <initializer_list>

#include "tests/faults/fault_start.hpp"

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}

namespace {

enum class Mode { none, once, from, each };
Mode mode = Mode::none;
long long first = 0, period = 16, seed = 0;
std::atomic<bool> counting{false};
std::atomic<long long> count{0};
thread_local bool noting_destructor = false;

void read_settings() {
  const char* text = getenv("TESSERA_FAULT_ALLOC");
  if (!text) return;
  if (sscanf(text, "once:%lld", &first) == 1) mode = Mode::once;
  if (sscanf(text, "from:%lld", &first) == 1) mode = Mode::from;
  if (sscanf(text, "each:%lld:%lld:%lld", &period, &seed, &first) == 3) mode = Mode::each;
}

bool one_in_period(long long number) {
  auto bits = static_cast<std::uint64_t>(number * 1000003 + seed) * 0x9e3779b97f4a7c15u;
  bits ^= bits >> 29;
  return bits % static_cast<std::uint64_t>(period) == 0;
}

bool is_spared(void* caller) {
  dl_find_object found;
  if (_dl_find_object(caller, &found) != 0) return false;
  const char* name = strrchr(found.dlfo_link_map->l_name, '/');
  for (const char* start : {"/libcu", "/libnv", "/ld-linux", "/libgfortran"})
    if (name && strncmp(name, start, strlen(start)) == 0) return true;
  return false;
}

bool fails(void* caller) {
  if (!counting.load(std::memory_order_relaxed) || noting_destructor || is_spared(caller))
    return false;
  const long long number = ++count;
  const bool now = mode == Mode::once   ? number == first
                   : mode == Mode::from ? number >= first
                   : mode == Mode::each ? number >= first && one_in_period(number)
                                        : false;
  if (now) errno = ENOMEM;
  return now;
}

int (*real_main)(int, char**, char**) = nullptr;

int counted_main(int argc, char** argv, char** environment) {
  read_settings();
  counting = true;
  return real_main(argc, argv, environment);
}

[[gnu::destructor]] void at_end() {
  counting = false;
  if (tessera::faults::in_the_tool())
    tessera::faults::report("TESSERA_FAULT_REPORT", "allocations", count);
}

}  // namespace

extern "C" {

[[gnu::visibility("default")]] int __libc_start_main(int (*start)(int, char**, char**), int argc,
                                                     char** argv, void (*init)(), void (*fini)(),
                                                     void (*end)(), void* stack) {
  const auto libc = tessera::faults::next(&__libc_start_main, "__libc_start_main");
  real_main = start;
  return libc(tessera::faults::in_the_tool() ? counted_main : start, argc, argv, init, fini, end,
              stack);
}

[[gnu::visibility("default")]] int __cxa_thread_atexit_impl(void (*destructor)(void*), void* object,
                                                            void* library) {
  static const auto libc =
      tessera::faults::next(&__cxa_thread_atexit_impl, "__cxa_thread_atexit_impl");
  noting_destructor = true;
  const int status = libc(destructor, object, library);
  noting_destructor = false;
  return status;
}
[[gnu::visibility("default")]] void* malloc(size_t bytes) noexcept {
  return fails(__builtin_return_address(0)) ? nullptr : __libc_malloc(bytes);
}
[[gnu::visibility("default")]] void* calloc(size_t number, size_t bytes) noexcept {
  return fails(__builtin_return_address(0)) ? nullptr : __libc_calloc(number, bytes);
}
[[gnu::visibility("default")]] void* realloc(void* old, size_t bytes) noexcept {
  return fails(__builtin_return_address(0)) ? nullptr : __libc_realloc(old, bytes);
}
[[gnu::visibility("default")]] void* aligned_alloc(size_t alignment, size_t bytes) noexcept {
  return fails(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, bytes);
}
[[gnu::visibility("default")]] int posix_memalign(void** to, size_t alignment,
                                                  size_t bytes) noexcept {
  void* memory = fails(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, bytes);
  if (!memory) return ENOMEM;
  *to = memory;
  return 0;
}
}
