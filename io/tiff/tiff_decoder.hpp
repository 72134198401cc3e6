// SPDX-License-Identifier: Apache-2.0
/// libtiff's own codecs, for one page. libtiff sees a small directory made from checked values, as
/// if it lay after the end of the file, and never the file's own directory.
#pragma once

#include <cstdarg>
#include <string>
#include <string_view>
#include <vector>

#include "io/tiff/tiff_block_decoder.hpp"

struct tiff;

namespace tessera {

/// The last error of libtiff, or else its first warning, kept as plain data: no exception may pass
/// through libtiff.
struct TiffMessage {
  char text[240] = "";
  static int keep(tiff* handle, void* message, const char* module, const char* format,
                  va_list values);
  /// For decoding: libtiff's decoders only warn of most damage, fill in something and go on.
  static int keep_warning(tiff* handle, void* message, const char* module, const char* format,
                          va_list values);
  static int ignore(tiff*, void*, const char*, const char*, va_list) { return 1; }
};

/// Whether libtiff ran out of memory, which only its messages tell, as opposed to a file that needs
/// more than Tessera allows.
inline bool lacks_memory(std::string_view message) {
  const auto says = [&](const char* part) { return message.find(part) != std::string_view::npos; };
  return (says("memory") && !says("limit")) || says("No space for") || says("Cannot allocate");
}

class TiffDecoder final : public TiffBlockDecoder {
 public:
  /// Throws Error(input) if a codec refuses the page.
  TiffDecoder(const TiffFile& file, const TiffPage& page, bool cut_short);
  TiffDecoder(const TiffDecoder&) = delete;
  TiffDecoder& operator=(const TiffDecoder&) = delete;
  ~TiffDecoder() override;

  bool decode_block(long long block, unsigned char* stored, long long stored_bytes,
                    unsigned char* to, long long bytes) override;
  int decode_rows(int plane, Rows rows, unsigned char* to) override;
  std::string message() const override { return message_.text; }

 private:
  static long long read(void* self, void* to, long long count);
  static unsigned long long seek(void* self, unsigned long long offset, int whence);
  static unsigned long long size(void* self);
  void make_directory(bool cut_short);
  std::vector<long long> counts_inside() const;
  void open();
  bool skip_to(int row, int plane);

  const TiffFile& file_;
  const TiffPage& page_;
  std::string header_, directory_;
  bool opening_ = true;  ///< the header is shown only then: data may lie under it
  long long position_ = 0;
  TiffMessage message_;
  tiff* handle_ = nullptr;
  int next_row_ = 0, strip_plane_ = -1;
  std::string skipped_;  ///< room for a row
};

}  // namespace tessera
