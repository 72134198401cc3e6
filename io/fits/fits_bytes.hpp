// SPDX-License-Identifier: Apache-2.0
/// The bytes of a FITS file, as they are or out of gzip.
#pragma once

#include <memory>
#include <string>

#include "io/file.hpp"
#include "io/limits.hpp"

namespace tessera {

/// Inflates no further than it is asked to: what a header claims can be checked first.
class FitsBytes {
 public:
  FitsBytes(const std::string& path, const ReadLimits& limits);
  FitsBytes(const FitsBytes&) = delete;
  FitsBytes& operator=(const FitsBytes&) = delete;
  ~FitsBytes();

  const std::string& path() const { return file_.path(); }
  bool in_gzip() const { return inflater_ != nullptr; }
  /// Of the file as it is stored.
  long long stored_bytes() const { return stored_bytes_; }

  /// How many of the first `end` bytes there are: `end`, or less where the file ends sooner. Throws
  /// Error(input) when `end` is more than --max-expansion allows.
  long long available(long long end);
  /// As File::read_some.
  long long read_some(long long offset, void* to, long long count);
  /// Holds what `available` counted.
  const File& file() const;
  /// Looks at gzip's checksum, unless much follows; `damage` then says what is wrong. Nothing can
  /// be read past what was asked for before.
  void check_end();
  /// What stopped the inflater, if not the end of the file; "" else.
  const std::string& damage() const;

 private:
  class Inflater;

  File file_;
  long long stored_bytes_;
  ReadLimits limits_;
  std::unique_ptr<Inflater> inflater_;
};

}  // namespace tessera
