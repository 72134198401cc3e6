// SPDX-License-Identifier: Apache-2.0
/// The bytes of a FITS file, plain or in gzip.
#pragma once

#include <memory>
#include <string>

#include "io/file.hpp"
#include "io/limits.hpp"

namespace tessera {

/// Inflates no further than requested, so that a header can be checked first.
class FitsBytes {
 public:
  FitsBytes(const std::string& path, const ReadLimits& limits);
  FitsBytes(const FitsBytes&) = delete;
  FitsBytes& operator=(const FitsBytes&) = delete;
  ~FitsBytes();

  const std::string& path() const { return file_.path(); }
  bool in_gzip() const { return inflater_ != nullptr; }
  /// The length of the file as it is stored.
  long long stored_bytes() const { return stored_bytes_; }

  /// How many of the first `end` bytes exist: `end`, or fewer if the file ends sooner. Throws
  /// Error(input) if `end` is more than max-expansion allows.
  long long available(long long end);
  /// Like File::read_some.
  long long read_some(long long offset, void* to, long long count);
  /// Holds the bytes that `available` counted.
  const File& file() const;
  /// Verifies gzip's checksum, unless much data follows; `damage` then says what is wrong. Only
  /// bytes that were requested before can be read after this.
  void check_end();
  /// The reason why inflating stopped; "" if it reached the end of the file.
  const std::string& damage() const;

 private:
  class Inflater;

  File file_;
  long long stored_bytes_;
  ReadLimits limits_;
  std::unique_ptr<Inflater> inflater_;
};

}  // namespace tessera
