// SPDX-License-Identifier: Apache-2.0
#include "io/fits/fits_bytes.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace tessera {
namespace {

constexpr long long kPartBytes = 1 << 18;

bool begins_like_gzip(const File& file) {
  unsigned char start[2] = {};
  return file.read_some(0, start, 2) == 2 && start[0] == 0x1f && start[1] == 0x8b;
}

}  // namespace

/// Inflates gzip data into a file without a name, as far as requested.
class FitsBytes::Inflater {
 public:
  explicit Inflater(const File& from)
      : from_(from), to_(anonymous_file(from.path())), in_(kPartBytes), out_(kPartBytes) {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK)
      throw Error(ErrorKind::resources, from.path() + ": there is no memory to inflate it");
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  long long inflate_to(long long end) {
    while (made_ < end && !ended_) step(std::min(kPartBytes, end - made_));
    return std::min(end, made_);
  }
  // Continues to the end of the gzip member, where its checksum is, and drops the inflated bytes.
  void look_at_rest(long long most) {
    const long long enough = made_ + most;
    keeps_ = false;
    while (made_ < enough && !ended_) step(kPartBytes);
    keeps_ = true;
  }
  const File& file() const { return to_; }
  const std::string& damage() const { return damage_; }

 private:
  void step(long long most) {
    if (stream_.avail_in == 0 && !refill()) return;
    stream_.next_out = out_.data();
    stream_.avail_out = static_cast<uInt>(most);
    const int state = inflate(&stream_, Z_NO_FLUSH);
    const long long got = most - stream_.avail_out;
    if (keeps_) to_.write_all(made_, out_.data(), got);
    made_ += got;
    if (state == Z_STREAM_END)
      begin_next_member();
    else if (state != Z_OK && state != Z_BUF_ERROR)
      stop(fmt::format("its gzip data is damaged before byte {}", taken_ - stream_.avail_in));
  }

  bool refill() {
    const long long got = from_.read_some(taken_, in_.data(), kPartBytes);
    taken_ += got;
    stream_.next_in = in_.data();
    stream_.avail_in = static_cast<uInt>(got);
    if (got == 0) stop(fmt::format("its gzip data ends early, at byte {}", taken_));
    return got > 0;
  }

  // Bytes after a whole member that are not another member do not belong to the image.
  void begin_next_member() {
    unsigned char next[2] = {};
    const long long place = taken_ - stream_.avail_in;
    ended_ = from_.read_some(place, next, 2) < 2 || next[0] != 0x1f || next[1] != 0x8b ||
             inflateReset(&stream_) != Z_OK;
  }

  void stop(const std::string& why) {
    ended_ = true;
    damage_ = why;
  }

  const File& from_;
  File to_;
  std::vector<unsigned char> in_, out_;
  z_stream stream_{};
  long long taken_ = 0, made_ = 0;
  bool ended_ = false, keeps_ = true;
  std::string damage_;
};

FitsBytes::FitsBytes(const std::string& path, const ReadLimits& limits)
    : file_(File::open_to_read(path)), stored_bytes_(file_.bytes()), limits_(limits) {
  if (begins_like_gzip(file_)) inflater_ = std::make_unique<Inflater>(file_);
}
FitsBytes::~FitsBytes() = default;

long long FitsBytes::available(long long end) {
  if (!inflater_) return std::min(end, stored_bytes_);
  check_expansion(path(), end, stored_bytes_, limits_);
  return inflater_->inflate_to(end);
}

long long FitsBytes::read_some(long long offset, void* to, long long count) {
  const long long there = available(offset + count);
  return there <= offset ? 0 : file().read_some(offset, to, there - offset);
}

void FitsBytes::check_end() {
  constexpr long long kMostRest = 64LL << 20;  // of later HDUs and other bytes after the image
  if (inflater_) inflater_->look_at_rest(kMostRest);
}

const File& FitsBytes::file() const { return inflater_ ? inflater_->file() : file_; }

const std::string& FitsBytes::damage() const {
  static const std::string none;
  return inflater_ ? inflater_->damage() : none;
}

}  // namespace tessera
