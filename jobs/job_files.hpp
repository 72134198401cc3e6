// SPDX-License-Identifier: Apache-2.0
/// Files as jobs take them: by name, or "-" for standard input and output.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/image_file.hpp"
#include "io/output.hpp"
#include "jobs/settings.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// "standard input" for "-", else the name: what messages call the file.
std::string input_name(const std::string& path);

/// An image file; "-" is standard input, copied to a temporary file first because rows are read out
/// of order.
std::unique_ptr<ImageSource> open_input(const std::string& path, const ReadOptions& options);
/// The same for a run whose --memory-limit also applies to data that readers keep in memory.
std::unique_ptr<ImageSource> open_input(const std::string& path, ReadOptions options,
                                        const RunSettings& settings);

/// An image file; "-" is an NPY on standard output, sent when it is complete.
std::unique_ptr<ImageSink> create_output(const std::string& path, const ImageInfo& info,
                                         const WriteOptions& options);

/// Throws Error(usage) if an output is the input file itself, under whatever name.
void check_apart(const std::string& input, const std::string& output, const std::string& advice);

/// Throws Error(usage) if one of the outputs is one of the files that are read, under whatever
/// name: a job replaces results, not what they are made of. Empty names do not count.
void check_not_read(const std::string& operation, const std::vector<std::string>& outputs,
                    const std::vector<std::string>& read);

/// "640x480 u8 x3, 2 planes": an image in a few words.
std::string describe(const ImageInfo& info);

}  // namespace tessera
