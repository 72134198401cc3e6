// SPDX-License-Identifier: Apache-2.0
/// Tables on disk.
#pragma once

#include <string>
#include <vector>

#include "tune/table.hpp"

namespace tessera {

/// The lines of a file; none if there is no such file. Throws Error(input) if it is damaged.
std::vector<TuningLine> read_table(const std::string& path);

/// Replaces the file by a header (machine, driver and compiler, versions of the sites) and the
/// lines: it is always the complete old or new one. Creates folders. Throws Error(resources).
void write_table(const std::string& path, const std::string& machine_text,
                 const std::vector<TuningLine>& lines);

/// The machine named in the header of a file; empty if there is none.
std::string machine_text_of(const std::string& path);

/// "Neoverse-V1, 2 threads", "NVIDIA H200, driver 13.0, NVRTC 13.0".
std::string cpu_text();
std::string device_text(int device);

}  // namespace tessera
