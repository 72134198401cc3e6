// SPDX-License-Identifier: Apache-2.0
/// Image files: which formats there are, and how one is opened or made. Whole images are read and
/// written by tessera/image_files.hpp.
///
/// A new format is a file of its own and one row of the table in formats.cpp.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/image_file.hpp"
#include "tessera/image_files.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// One row of the table. A null function: the format cannot be read, or not written, here.
struct Format {
  const char* name;                     ///< "PNG"
  std::vector<std::string> extensions;  ///< ".png"; lower case, the usual one first
  const char* library;                  ///< what it needs; "" when nothing
  bool (*matches)(std::string_view first_bytes) = nullptr;
  std::unique_ptr<ImageSource> (*open)(const std::string& path,
                                       const ReadOptions& options) = nullptr;
  std::unique_ptr<ImageSink> (*create)(const std::string& path, const ImageInfo& info,
                                       const WriteOptions& options) = nullptr;
  bool pages = false;    ///< takes --page
  bool frames = false;   ///< takes --first-frame and --frames
  bool refused = false;  ///< known only to be refused by name

  bool built_in() const { return can_read() || can_write(); }
  bool can_read() const { return open != nullptr; }
  bool can_write() const { return create != nullptr; }
};

/// All formats Tessera knows of, those left out of this build and those refused included.
const std::vector<Format>& formats();

/// The format a file's extension stands for, in any case; null where there is none.
const Format* format_of_name(const std::string& path);

/// The formats of this build with their usual extensions: "NPY (.npy), PNG (.png)".
std::string format_names();

/// Opens a file by what is in it, and by its extension where that says nothing. Throws Error(input)
/// naming the file and what is wrong with it.
std::unique_ptr<ImageSource> open_image(const std::string& path, const ReadOptions& options = {});

/// Starts a file whose format follows from the extension. It appears whole, at `finish`. Throws
/// Error(usage) for a name, size or type the format cannot take and for a file that exists.
std::unique_ptr<ImageSink> create_image(const std::string& path, const ImageInfo& info,
                                        const WriteOptions& options = {});

}  // namespace tessera
