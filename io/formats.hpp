// SPDX-License-Identifier: Apache-2.0
/// Image files: the formats, and how a file is opened or created. Whole images are read and written
/// by tessera/image_files.hpp.
///
/// A new format is a folder and one row of the table in formats.cpp.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/image_file.hpp"
#include "io/metadata_kinds.hpp"
#include "tessera/image_files.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// One row of the table. If a function is null, this build cannot read (or write) the format.
struct Format {
  const char* name;                     ///< "PNG"
  std::vector<std::string> extensions;  ///< ".png"; lower case, the usual one first
  const char* library;                  ///< the library it needs, or ""
  bool (*matches)(std::string_view first_bytes) = nullptr;
  std::unique_ptr<ImageSource> (*open)(const std::string& path,
                                       const ReadOptions& options) = nullptr;
  std::unique_ptr<ImageSink> (*create)(const std::string& path, const ImageInfo& info,
                                       const WriteOptions& options) = nullptr;
  /// Whether rows can be written in any order, so that ranks write to the same file; null: never.
  bool (*any_order)(const WriteOptions& options) = nullptr;
  bool pages = false;    ///< takes the option page
  bool frames = false;   ///< takes the options first-frame and frames
  bool refused = false;  ///< known only so that the refusal can name it
  MetadataKinds holds;   ///< what files of the format can say besides pixels

  bool built_in() const { return can_read() || can_write(); }
  bool can_read() const { return open != nullptr; }
  bool can_write() const { return create != nullptr; }
};

/// All formats that Tessera knows, including those left out of this build and those it refuses.
const std::vector<Format>& formats();

/// The format that a file's extension stands for, in upper or lower case; null if there is none.
const Format* format_of_name(const std::string& path);

/// The format of an existing file, by its first bytes or else its name. Throws Error(input) if it
/// cannot be read.
const Format& format_to_read(const std::string& path);

/// The formats of this build with their usual extensions: "NPY (.npy), PNG (.png)".
std::string format_names();

/// Opens a file by its contents, or by its extension if these do not tell the format;
/// "cube.fits[SCI]" is the HDU of that name. Throws Error(input) that names the file and what is
/// wrong with it.
std::unique_ptr<ImageSource> open_image(const std::string& name, const ReadOptions& options = {});

/// Starts a file whose format follows from the extension. The complete file appears at `finish`.
/// Throws Error(usage) for a name, size or type the format cannot take and for a file that exists.
std::unique_ptr<ImageSink> create_image(const std::string& path, const ImageInfo& info,
                                        const WriteOptions& options = {});

}  // namespace tessera
