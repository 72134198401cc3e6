// SPDX-License-Identifier: Apache-2.0
/// libpng reports errors by longjmp, which must not pass over C++ objects with destructors. All
/// calls of libpng are therefore made inside `png_attempt`, by code that only touches plain data.
#pragma once

#include <png.h>

#include <csetjmp>
#include <cstdio>

namespace tessera {

/// What libpng said, kept where a jump does not lose it.
struct PngMessage {
  char text[160] = "";
};

[[noreturn]] inline void png_keep_message(png_structp png, png_const_charp text) {
  auto* message = static_cast<PngMessage*>(png_get_error_ptr(png));
  std::snprintf(message->text, sizeof message->text, "%s", text);
  png_longjmp(png, 1);
}

inline void png_ignore_warning(png_structp, png_const_charp) {}

/// False when libpng failed inside `body`; the struct can then only be destroyed.
template <class Body>
bool png_attempt(png_structp png, const Body& body) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  body();
  return true;
}

}  // namespace tessera
