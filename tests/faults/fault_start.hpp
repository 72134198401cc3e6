// SPDX-License-Identifier: Apache-2.0
/// What the libraries that make calls fail have in common. They are loaded before all others
/// (LD_PRELOAD) and stand between the tool and libc.
#pragma once

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace tessera::faults {

/// Only the tool is meant, not the shell that starts it.
inline bool in_the_tool() { return strcmp(program_invocation_short_name, "tessera") == 0; }

/// The next definition of a function, libc's own.
template <class Function>
Function* next(Function* const&, const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// Adds a line to the file a test named for it. Takes no memory.
inline void report(const char* variable, const char* text, long long number) {
  const char* path = getenv(variable);
  if (!path) return;
  char line[80];
  const int length = snprintf(line, sizeof line, "%s %lld\n", text, number);
  const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return;
  [[maybe_unused]] const auto put = write(file, line, static_cast<size_t>(length));
  close(file);
}

}  // namespace tessera::faults
