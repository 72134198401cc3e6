// SPDX-License-Identifier: Apache-2.0
/// Files that Tessera keeps between runs: tuning tables, compiled kernels, manifests, unfinished
/// sums. Something else may stand under their names, and opening it must neither wait nor reach
/// another file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tessera {

/// open(2) for a regular file, repeated if a signal interrupts it. Returns a descriptor that is
/// closed on exec, or -1 with errno. Throws Error(input) if a symbolic link, a pipe, a folder, a
/// device or a socket stands there; none of them is waited for, created or followed.
int open_regular(const std::string& path, int flags, unsigned mode = 0);

/// All bytes of such a file; nothing if it cannot be read or does not exist. Throws as above.
std::optional<std::string> read_regular(const std::string& path);

/// The same for files that decide what runs: throws Error(input) also if a user other than this one
/// and root owns the file, or if its mode lets others write to it.
std::optional<std::string> read_own(const std::string& path);

/// Whether there is such a folder; throws Error(input) if others own it or may write to it.
bool is_own_folder(const std::string& path);

/// Writes such a file under another name first, so that no reader sees half of it; makes its
/// folder. Throws Error(resources).
void write_regular(const std::string& path, const std::string& text);

/// For a file that gets lines whenever something was measured, so that work that was stopped
/// continues where it was: makes it, and its folder, with this text in it. Throws Error(resources).
void begin_grown(const std::string& path, const std::string& text);
/// Added with one write, so that lines stay whole however the process ends. Throws
/// Error(resources).
void add_to_grown(const std::string& path, const std::string& lines);
/// Leaves out a last line that a crash cut short, here and in the file, where the next one would be
/// appended to it. False, with errno, if the file cannot be changed.
bool cut_to_whole_lines(const std::string& path, std::string& text);

/// False, with errno, if not all bytes were written.
bool write_all(int descriptor, std::string_view bytes);

/// Whether this user or root owns an open file: the contents of others' files are not believed.
bool is_owned_here(int descriptor);

}  // namespace tessera
