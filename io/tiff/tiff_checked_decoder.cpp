// SPDX-License-Identifier: Apache-2.0
#include "io/tiff/tiff_checked_decoder.hpp"

#include <fmt/format.h>
#include <tiffio.h>

#include <algorithm>

#include "core/counted.hpp"
#include "core/refuse.hpp"
#include "io/tiff/tiff_predictor.hpp"

namespace tessera {
namespace {

constexpr long long kStoredAtOnce = 1LL << 20;
constexpr const char* kGoesOn = "its data goes on after its last row";

void in_order_of_bits(const TiffPage& page, unsigned char* stored, long long bytes) {
  if (page.fill_order == FILLORDER_LSB2MSB) TIFFReverseBits(stored, bytes);
}

std::string ends_early(long long made, long long bytes) {
  return fmt::format("its data ends after {} of {}", made, counted(bytes, "byte"));
}

}  // namespace

TiffCheckedDecoder::TiffCheckedDecoder(const TiffFile& file, const TiffPage& page,
                                       std::unique_ptr<TiffInflater> inflater)
    : file_(file),
      page_(page),
      inflater_(std::move(inflater)),
      offsets_(page.offsets),
      counts_(page.counts) {
  if (const std::string wrong = wrong_predictor(page); !wrong.empty())
    refuse_input(page.where(), wrong);
  skipped_.resize(static_cast<size_t>(page.grid.row_bytes));
}

bool TiffCheckedDecoder::is_complete(const TiffInflater::Result& made, long long bytes) {
  message_ = made.wrong;
  const auto there = static_cast<long long>(made.made);
  if (message_.empty() && !made.ended)
    message_ = there < bytes ? "its data is cut short" : kGoesOn;
  else if (message_.empty() && there < bytes)
    message_ = ends_early(there, bytes);
  else if (message_.empty() && there % page_.grid.row_bytes != 0)
    message_ = kGoesOn;
  return message_.empty();
}

bool TiffCheckedDecoder::decode_block(long long, unsigned char* stored, long long stored_bytes,
                                      unsigned char* to, long long bytes) {
  in_order_of_bits(page_, stored, stored_bytes);
  const TiffInflater::Stored all(stored, static_cast<size_t>(stored_bytes));
  // Some programs write the last of several strips with as many rows as the others.
  const long long most = page_.grid.height * page_.grid.row_bytes;
  TiffInflater::Bytes room(to, static_cast<size_t>(bytes));
  if (most > bytes) {
    taller_.resize(static_cast<size_t>(most));
    room = taller_;
  }
  if (!is_complete(inflater_->whole(all, room), bytes)) return false;
  if (most > bytes) std::copy_n(taller_.data(), bytes, to);
  undo_predictor(page_, file_.swapped(), to, bytes / page_.grid.row_bytes);
  return true;
}

void TiffCheckedDecoder::begin_strip(long long strip) {
  strip_ = strip;
  row_ = page_.rows_of(strip % page_.grid.down).first;
  next_ = std::min(offsets_.at(strip), file_.bytes());
  end_ = next_ + std::min(counts_.at(strip), file_.bytes() - next_);
  unused_ = {};
  ended_ = false;
  inflater_->begin();
}

bool TiffCheckedDecoder::refill() {
  if (!unused_.empty() || next_ == end_) return !unused_.empty();
  part_.resize(static_cast<size_t>(std::min(kStoredAtOnce, end_ - next_)));
  file_.file().read_all(next_, part_.data(), static_cast<long long>(part_.size()));
  next_ += static_cast<long long>(part_.size());
  in_order_of_bits(page_, part_.data(), static_cast<long long>(part_.size()));
  unused_ = part_;
  return true;
}

bool TiffCheckedDecoder::fill(unsigned char* to, long long bytes) {
  TiffInflater::Bytes room(to, static_cast<size_t>(bytes));
  while (!room.empty() && !ended_) {
    const bool more = refill();
    const TiffInflater::Result made = inflater_->part(unused_, room);
    unused_ = unused_.subspan(made.used);
    room = room.subspan(made.made);
    ended_ = made.ended;
    if (made.wrong.empty() && (ended_ || more || made.made > 0)) continue;
    message_ = made.wrong.empty() ? "its data is cut short" : made.wrong;
    return false;
  }
  if (room.empty()) return true;
  message_ = ends_early(bytes - static_cast<long long>(room.size()), bytes);
  return false;
}

// After the last row: `more` bytes may follow, then the end with its checksum.
bool TiffCheckedDecoder::ends_here(long long more) {
  for (long long made_bytes = 0; !ended_;) {
    const bool further = refill();
    const TiffInflater::Result made = inflater_->part(unused_, skipped_);
    unused_ = unused_.subspan(made.used);
    ended_ = made.ended;
    made_bytes += static_cast<long long>(made.made);
    if (!made.wrong.empty())
      message_ = made.wrong;
    else if (made_bytes > more)
      message_ = kGoesOn;
    else if (!ended_ && !further && made.made == 0)
      message_ = "its data is cut short";
    if (!message_.empty()) return false;
  }
  return true;
}

bool TiffCheckedDecoder::next_row(unsigned char* to) {
  const TiffBlockGrid& grid = page_.grid;
  if (!fill(to, grid.row_bytes)) return false;
  undo_predictor(page_, file_.swapped(), to, 1);
  const Rows strip = page_.rows_of(strip_ % grid.down);
  ++row_;
  return row_ < strip.end || ends_here((grid.height - strip.count()) * grid.row_bytes);
}

int TiffCheckedDecoder::decode_rows(int plane, Rows rows, unsigned char* to) {
  message_.clear();
  const long long strip = page_.grid.index(plane, rows.first / page_.grid.height, 0);
  if (strip != strip_ || row_ > rows.first) begin_strip(strip);
  while (message_.empty() && row_ < rows.first)
    if (!next_row(skipped_.data())) break;
  int done = 0;
  while (message_.empty() && done < rows.count() && next_row(to + done * page_.grid.row_bytes))
    ++done;
  if (!message_.empty()) strip_ = -1;
  return done;
}

}  // namespace tessera
