// SPDX-License-Identifier: Apache-2.0
/// Tables on disk.
#pragma once

#include <string>
#include <vector>

#include "tune/table.hpp"

namespace tessera {

/// The lines of a file; none when there is no such file. Throws Error(input) when it is damaged.
std::vector<TuningLine> read_table(const std::string& path);

/// Puts a header (machine, driver and compiler, versions of the sites) and the lines in the file's
/// place: it is the old one or the new one, whole. Folders are made. Throws Error(resources).
void write_table(const std::string& path, const std::string& machine_text,
                 const std::vector<TuningLine>& lines);

/// What the header of a file says of the machine; empty where it says nothing.
std::string machine_text_of(const std::string& path);

/// "Neoverse-V1, 2 threads", "NVIDIA H200, driver 13.0, NVRTC 13.0".
std::string cpu_text();
std::string device_text(int device);

}  // namespace tessera
