// SPDX-License-Identifier: Apache-2.0
/// Numbers per channel: frequencies, noise, weights; from files and headers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jobs/faraday/faraday_cube_file.hpp"
#include "jobs/faraday/faraday_memory.hpp"
#include "tessera/image.hpp"

namespace tessera {

/// Noise given as a number; nothing if the text is the name of a file. Throws Error(usage) for
/// numbers that are not above 0.
std::optional<double> faraday_noise_number(const std::string& text);

/// One number per line; '#' begins a comment, and empty lines do not count. Throws Error(input)
/// naming file and line.
std::vector<double> read_number_list(const std::string& path);

/// The same, one number per channel. Throws Error(usage) naming both files and both numbers.
std::vector<double> read_channel_list(const std::string& path, const FaradayCubeSource& cube,
                                      const char* what);

/// The frequencies that a cube, or its files, state, in hertz; empty if they do not.
std::vector<double> stated_frequencies(const FaradayCubeSource& cube);

/// Throws Error(usage) for frequencies of a list that cannot be in hertz, because all are below 1
/// MHz.
void check_hertz(const std::string& path, const std::vector<double>& frequencies);

/// The frequencies that a cube, or its files, state. Throws Error(usage) if there are none.
std::vector<double> header_frequencies(const FaradayCubeSource& cube);

/// "", or a sentence that names frequencies which occur more than once.
std::string duplicates_in(const std::vector<double>& frequencies);

/// An image with one value per pixel of the cube, f32; filled parts are added to the cube's
/// warnings. Throws Error(usage) naming both sizes, and Error(resources) if it does not fit into
/// the memory.
Image read_faraday_map(const std::string& path, const FaradayCubeSource& cube, const char* what,
                       const ReadOptions& reading, FaradayMemory& memory);

}  // namespace tessera
