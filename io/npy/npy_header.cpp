// SPDX-License-Identifier: Apache-2.0
#include "io/npy/npy_header.hpp"
#include "core/counted.hpp"
#include "core/refuse.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cctype>
#include <charconv>

#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Reads the few kinds of Python literals that occur in headers.
class HeaderText {
 public:
  HeaderText(const std::string& path, std::string_view text) : path_(path), text_(text) {}

  [[noreturn]] void fail(const std::string& expected) const {
    throw Error(ErrorKind::input, fmt::format("{}: its NPY header has no {} at byte {} of the text",
                                              path_, expected, at_));
  }
  bool accept(char c) {
    skip_spaces();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(fmt::format("'{}'", c));
  }
  std::string quoted() {
    const char quote = accept('"') ? '"' : '\'';
    if (quote == '\'') expect('\'');
    const size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) fail("closing quote");
    const std::string word(text_.substr(at_, end - at_));
    at_ = end + 1;
    return word;
  }
  bool boolean() {
    if (accept_word("True")) return true;
    if (!accept_word("False")) fail("True or False");
    return false;
  }
  long long integer() {
    skip_spaces();
    // Python has no such numbers.
    if (text_.substr(at_, 1) == "0" && at_ + 1 < text_.size() &&
        std::isdigit(static_cast<unsigned char>(text_[at_ + 1])))
      fail("axis length");
    long long value = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc() || value < 0) fail("axis length");
    at_ = static_cast<size_t>(end - text_.data());
    accept('L');  // as Python 2 wrote long integers
    return value;
  }
  std::vector<long long> tuple() {
    std::vector<long long> values;
    expect('(');
    while (!accept(')')) {
      values.push_back(integer());
      if (accept(',')) continue;
      expect(')');
      if (values.size() == 1) fail("comma after the only axis");
      break;
    }
    return values;
  }
  void expect_end() {
    skip_spaces();
    if (at_ != text_.size()) fail("end");
  }

 private:
  void skip_spaces() {
    while (at_ < text_.size() &&
           std::string_view(" \t\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }
  bool accept_word(std::string_view word) {
    skip_spaces();
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  const std::string& path_;
  std::string_view text_;
  size_t at_ = 0;
};

void check_all_there(const std::string& path, int descr, int order, int shape) {
  if (descr == 1 && order == 1 && shape == 1) return;
  throw Error(ErrorKind::input, path +
                                    ": its NPY header must have descr, fortran_order and shape, "
                                    "each once");
}

constexpr long long kMostHeaderBytes = 1 << 20;

}  // namespace

NpyText read_npy_text(const File& file) {
  const std::string& path = file.path();
  unsigned char start[12] = {};
  const long long got = file.read_some(0, start, sizeof start);
  if (got < 10)
    refuse_input(path,
                 fmt::format("it has {}; an NPY header needs at least 10", counted(got, "byte")));
  if (!std::string_view(reinterpret_cast<const char*>(start), 10).starts_with(kNpyMagic))
    refuse_input(path, "it does not begin like an NPY file: byte 0x93, then NUMPY");
  const int version = start[6];
  if (version < 1 || version > 3 || start[7] != 0)
    refuse_input(path, fmt::format("it is NPY version {}.{}; 1.0, 2.0 and 3.0 can be read", version,
                                   start[7]));
  const long long text_offset = version == 1 ? 10 : 12;
  if (got < text_offset)
    refuse_input(path, fmt::format("it has {} bytes; an NPY version {} header needs at least 12",
                                   got, version));
  long long length = start[8] | start[9] << 8;
  if (version > 1)
    length |= static_cast<long long>(start[10]) << 16 | static_cast<long long>(start[11]) << 24;
  if (length > kMostHeaderBytes || text_offset + length > file.bytes())
    refuse_input(path, fmt::format("its NPY header claims {}; the file has {}, and "
                                   "the limit is {}",
                                   counted(length, "byte"), file.bytes(), kMostHeaderBytes));
  std::string text(static_cast<size_t>(length), '\0');
  file.read_all(text_offset, text.data(), length);
  return {std::move(text), text_offset + length};
}

NpyHeader parse_npy_header(const std::string& path, std::string_view text) {
  NpyHeader header;
  HeaderText in(path, text);
  int descr = 0, order = 0, shape = 0;
  in.expect('{');
  while (!in.accept('}')) {
    const std::string key = in.quoted();
    in.expect(':');
    if (key == "descr") {
      ++descr;
      if (in.accept('['))
        throw Error(ErrorKind::input, path + ": its items are records; save one field at a time");
      header.descr = in.quoted();
    } else if (key == "fortran_order") {
      ++order;
      header.fortran_order = in.boolean();
    } else if (key == "shape") {
      ++shape;
      header.shape = in.tuple();
    } else {
      in.fail("known key");
    }
    if (in.accept(',')) continue;
    in.expect('}');
    break;
  }
  in.expect_end();
  check_all_there(path, descr, order, shape);
  return header;
}

std::string npy_header_bytes(const ImageInfo& info) {
  const Size& size = info.size;
  std::vector<int> shape{size.height, size.width};
  if (size.planes > 1) shape.insert(shape.begin(), size.planes);
  // Three axes are read back as planes if the last is 5 or more; a smaller one would be taken for
  // channels.
  if (size.channels > 1 || (size.planes > 1 && size.width <= 4)) shape.push_back(size.channels);
  const char* kind = is_signed_integer(info.type) ? "i" : is_integer(info.type) ? "u" : "f";
  const char* order = bytes_of(info.type) == 1                     ? "|"
                      : std::endian::native == std::endian::little ? "<"
                                                                   : ">";
  std::string text = fmt::format("{{'descr': '{}{}{}', 'fortran_order': False, 'shape': ({}), }}",
                                 order, kind, bytes_of(info.type), fmt::join(shape, ", "));
  return npy_bytes_of_text(std::move(text));
}

std::string npy_bytes_of_text(std::string text) {
  constexpr size_t kBeforeText = 10, kAlignment = 64;
  text.append(kAlignment - (kBeforeText + text.size() + 1) % kAlignment, ' ');
  text += '\n';
  const auto length = static_cast<unsigned>(text.size());
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(length & 0xff);
  bytes += static_cast<char>(length >> 8);
  return bytes + text;
}

}  // namespace tessera
