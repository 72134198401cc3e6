// SPDX-License-Identifier: Apache-2.0
/// The bytes of a TIFF header and directory, to be written to a file or handed to libtiff.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace tessera {

class TiffFields {
 public:
  TiffFields(bool big, bool swapped) : big_(big), swapped_(swapped) {}

  /// `type` is TIFF_SHORT, TIFF_LONG or TIFF_LONG8.
  void add(int tag, int type, const std::vector<long long>& values);
  void add_text(int tag, const std::string& text);
  /// A fraction near a positive value, exact for decimal numbers of a few digits.
  void add_fraction(int tag, double value);
  /// Values given as bytes, in this machine's byte order.
  void add_bytes(int tag, int type, long long count, std::string values);
  /// Values that lie elsewhere in the file: more bytes than an entry holds.
  void add_elsewhere(int tag, int type, long long count, long long offset);

  bool big() const { return big_; }
  int pointer_bytes() const { return big_ ? 8 : 4; }
  /// The first bytes of the file.
  std::string header(long long first_directory) const;
  /// The directory and its values, placed at `offset`.
  std::string directory(long long offset) const;
  /// The place in `directory` of the offset of the next one.
  long long next_at() const;
  std::string number(long long value, int bytes) const;

 private:
  struct Field {
    int type;
    long long count;
    std::string values;  ///< empty if they lie elsewhere
    long long offset;
  };
  bool big_, swapped_;
  std::map<int, Field> fields_;  ///< TIFF wants tags in ascending order
};

}  // namespace tessera
