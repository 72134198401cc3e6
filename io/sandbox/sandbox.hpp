// SPDX-License-Identifier: Apache-2.0
/// Decoding in another process, which has no rights except to compute: if a stranger's file breaks
/// a decoder, nothing but that process is lost. Pixels come back through shared memory.
#pragma once

#include <memory>
#include <string>

#include "io/formats.hpp"

namespace tessera {

/// The file as its format would open it. The process is the `tessera` program: this one, if it is
/// the tool, otherwise TESSERA_TOOL or the one on PATH. Throws Error(failure) if there is none.
std::unique_ptr<ImageSource> open_in_sandbox(const std::string& path, const Format& format,
                                             const ReadOptions& options);

/// The first argument with which the tool is started to decode for another process.
inline constexpr const char* kSandboxArgument = "decode-in-sandbox";

/// The tool then reads requests from standard input until it ends. Returns its exit code.
int serve_sandbox();

/// To be called by the tool's main function: its own file is the program to start.
void this_program_is_the_tool();

}  // namespace tessera
