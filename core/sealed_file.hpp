// SPDX-License-Identifier: Apache-2.0
/// Files in the cache whose contents are run. Each ends with a seal, a code that only the owner of
/// a key can make (HMAC-SHA256 over the file's name and contents); the key is a file of the same
/// folder that only its owner can read.
#pragma once

#include <optional>
#include <string>

namespace tessera {

/// The contents of a sealed file. Nothing if there is none, or if it is not to be trusted: it or
/// its folder belongs to somebody else, others may write to it, or the seal does not fit.
/// ignored_sealed_note() then says why.
std::optional<std::string> read_sealed(const std::string& path);

/// Written under another name first, so that no reader sees half a file. Makes the folder (mode
/// 0700) and the key if they are missing. A folder that cannot be written to is not an error: the
/// contents can be made again.
void write_sealed(const std::string& path, const std::string& contents);

/// One sentence about the sealed files that were ignored so far; empty if there are none.
std::string ignored_sealed_note();

}  // namespace tessera
