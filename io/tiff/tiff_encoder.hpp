// SPDX-License-Identifier: Apache-2.0
/// libtiff's codecs used for writing: strips of samples become compressed bytes in memory.
#pragma once

#include <string>
#include <vector>

#include "io/image_file.hpp"
#include "io/tiff/tiff_decoder.hpp"

namespace tessera {

/// TIFF's number for a compression; throws Error(usage) if TIFF does not have it.
int tiff_compression(const std::string& path, Compression compression);
/// TIFF's number for the kind of the samples.
int tiff_sample_format(Type type);
/// 2 for differences of integers, 3 for floats, 1 for none.
int tiff_predictor(int compression, Type type);

class TiffEncoder {
 public:
  TiffEncoder(std::string path, const ImageInfo& info, int compression);
  TiffEncoder(const TiffEncoder&) = delete;
  TiffEncoder& operator=(const TiffEncoder&) = delete;
  ~TiffEncoder() { close(); }

  /// Encodes a strip of any page; changes `rows`. The result is valid until the next call. Fastest
  /// in ascending order. Throws Error(failure).
  const std::vector<unsigned char>& encode(int strip, unsigned char* rows);

 private:
  static long long keep(void* self, const void* from, long long count);
  void open();
  void set_fields();
  void close();
  [[noreturn]] void fail() const;

  std::string path_;
  ImageInfo info_;
  int compression_;
  std::vector<unsigned char> made_;
  unsigned long long position_ = 0, end_ = 0;
  bool out_of_memory_ = false;
  TiffMessage message_;
  tiff* handle_ = nullptr;
  int next_strip_ = 0;  ///< of the handle: a strip that it has encoded would be moved
};

}  // namespace tessera
