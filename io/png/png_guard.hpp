// SPDX-License-Identifier: Apache-2.0
/// libpng reports errors by longjmp, which must not pass over C++ objects with destructors. All
/// calls of libpng are therefore made inside `png_attempt`, by code that only touches plain data.
#pragma once

#include <png.h>

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace tessera {

/// The message of libpng, kept where a jump does not lose it.
struct PngMessage {
  char text[160] = "";
  char warning[160] = "";  ///< the first about a chunk that was damaged, or that pixels depend on
  bool no_memory = false;  ///< libpng has no separate error for this
};

[[noreturn]] inline void png_keep_message(png_structp png, png_const_charp text) {
  auto* message = static_cast<PngMessage*>(png_get_error_ptr(png));
  std::snprintf(message->text, sizeof message->text, "%s", text);
  png_longjmp(png, 1);
}

inline png_voidp png_take_memory(png_structp png, png_alloc_size_t bytes) {
  png_voidp memory = std::malloc(bytes);
  if (!memory) static_cast<PngMessage*>(png_get_mem_ptr(png))->no_memory = true;
  return memory;
}

inline void png_give_memory(png_structp, png_voidp memory) { std::free(memory); }

inline void png_keep_warning(png_structp png, png_const_charp text) {
  auto* message = static_cast<PngMessage*>(png_get_error_ptr(png));
  const bool matters = std::strstr(text, "CRC error") || std::strncmp(text, "tRNS", 4) == 0;
  if (matters && message->warning[0] == '\0')
    std::snprintf(message->warning, sizeof message->warning, "%s", text);
}

/// False if libpng failed inside `body`; the struct can then only be destroyed.
template <class Body>
bool png_attempt(png_structp png, const Body& body) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  body();
  return true;
}

}  // namespace tessera
