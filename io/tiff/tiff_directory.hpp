// SPDX-License-Identifier: Apache-2.0
/// The directories of a TIFF file, read from its bytes: libtiff never sees a header that has not
/// been checked.
#pragma once

#include <string>
#include <vector>

#include "io/file.hpp"
#include "io/limits.hpp"

namespace tessera {

/// One tag: the claimed place and number of its values.
struct TiffEntry {
  int tag = 0, type = 0;
  long long count = 0;
  long long offset = 0;  ///< of the first value
};

struct TiffDirectory {
  int page = 0;
  std::string where;  ///< "FILE: page 3", the beginning of its errors
  std::vector<TiffEntry> entries;

  const TiffEntry* find(int tag) const;
};

/// An unsigned number of 1, 2, 4 or 8 bytes; at most 2^63 - 1.
long long unsigned_number(const unsigned char* at, int count, bool little);

/// Bytes of a value of a tag; 0 for unknown types.
int tiff_type_bytes(int type);

class TiffFile {
 public:
  /// Throws Error(input) unless it begins like a TIFF.
  explicit TiffFile(const std::string& path);

  const File& file() const { return file_; }
  const std::string& path() const { return file_.path(); }
  long long bytes() const { return bytes_; }
  bool big() const { return big_; }          ///< BigTIFF
  bool swapped() const { return swapped_; }  ///< not in this machine's byte order
  bool little() const { return little_; }

  /// In the file's order.
  long long number(const unsigned char* at, int count) const {
    return unsigned_number(at, count, little_);
  }

  /// The places of the directories, in the order of the pages. Throws Error(input) for chains that
  /// loop, leave the file or exceed max-pages; with `allow_truncated` those that leave the file end
  /// there, and `warning` says so.
  std::vector<long long> directories(const ReadLimits& limits, bool allow_truncated,
                                     std::string& warning) const;

  /// One of `directories`, whose checks it relies on.
  TiffDirectory directory(long long offset, int page) const;

 private:
  struct Extent {
    long long entries = 0, first_entry = 0, end = 0;
  };
  Extent extent(long long offset, long long page) const;
  int entry_bytes() const { return big_ ? 20 : 12; }
  int pointer_bytes() const { return big_ ? 8 : 4; }
  long long number_at(long long offset, int count) const;

  File file_;
  long long bytes_ = 0;
  bool big_ = false, swapped_ = false, little_ = false;
};

/// The text of a tag up to its first zero byte, at most `most` bytes of it; "" if it is not there
/// or not a text.
std::string tiff_text(const TiffFile& file, const TiffDirectory& directory, int tag,
                      long long most);

/// The fraction of a tag; 0 if it is not there or not a fraction.
double tiff_rational(const TiffFile& file, const TiffDirectory& directory, int tag);

/// The whole numbers of a tag, read in parts: an image may have millions of tiles.
class TiffValues {
 public:
  TiffValues() = default;
  /// Throws Error(input) if the tag does not hold whole numbers.
  TiffValues(const TiffFile& file, const TiffDirectory& directory, const TiffEntry& entry);

  long long size() const { return entry_.count; }
  long long at(long long index);

 private:
  const TiffFile* file_ = nullptr;
  TiffEntry entry_;
  long long first_ = 0, end_ = 0;  ///< the values in part_
  std::vector<unsigned char> part_;
};

}  // namespace tessera
