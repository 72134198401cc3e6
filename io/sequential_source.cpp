// SPDX-License-Identifier: Apache-2.0
#include "io/sequential_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/counted.hpp"
#include "core/stop.hpp"
#include "io/packed_rows.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Memory for rows kept after decoding: neighbouring strips share rows, and borders read the last
/// rows again, which must not restart decoding from the top. 64 MiB are 440 rows of 50000 RGB
/// pixels.
constexpr long long kKeptBytes = 64LL << 20;

}  // namespace

Error decoding_error(const File& file, const std::string& where, bool ended, const char* reason) {
  if (ended)
    return {ErrorKind::input, fmt::format("{}: the file ends after {}, in {}", file.path(),
                                          counted(file.bytes(), "byte"), where)};
  return {ErrorKind::input, fmt::format("{}: {} is damaged: {}", file.path(), where, reason)};
}

SequentialSource::SequentialSource(const std::string& path, const ReadOptions& options, Start start)
    : file_(File::open_to_read(path)), options_(options), start_(std::move(start)) {
  decoder_ = start_(file_, options_);
  info_ = decoder_->info();
  details_ = decoder_->details();
  metadata_ = decoder_->metadata();
  const long long budget = options.limits.bytes > 0 ? options.limits.bytes / 4 : kKeptBytes;
  const long long most = std::max(1LL, std::min(kKeptBytes, budget) / row_bytes(info_));
  capacity_ = decoder_->passes() > 1
                  ? info_.size.height
                  : static_cast<int>(std::min<long long>(most, info_.size.height));
}

void SequentialSource::read_plane(int, Rows rows, AnyMutableView to) {
  check_rows(info_, rows, to.info());
  if ((!decoder_ && !missing_) || rows.first < next_row_ - capacity_) restart();
  for (int row = rows.first; row < rows.end; ++row) {
    while (next_row_ <= row) decode();
    scatter_row(kept_row(row), to, row - rows.first);
  }
}

void SequentialSource::restart() {
  decoder_.reset();
  decoder_ = start_(file_, options_);
  if (decoder_->info() != info_)
    throw Error(ErrorKind::input, file_.path() + ": it changed while it was being read");
  next_row_ = 0;
  missing_ = false;
}

// After an error the decoder is unusable: the next read starts over.
void SequentialSource::decode() {
  poll_stop();
  if (!kept_) make_kept();
  if (missing_) {
    fill_missing(info_.type, kept_row(next_row_), 1LL * info_.size.width * info_.size.channels);
    ++next_row_;
    return;
  }
  auto decoder = std::move(decoder_);
  if (next_row_ == 0) decoder->begin();
  if (decoder->passes() > 1)
    decode_passes(*decoder);
  else
    decode_row(*decoder);
  if (missing_) return;
  if (next_row_ == info_.size.height) finish(*decoder);
  decoder_ = std::move(decoder);
}

void SequentialSource::decode_row(RowDecoder& decoder) {
  try {
    decoder.next_row(kept_row(next_row_), next_row_);
    ++next_row_;
  } catch (const Error& error) {
    if (!allowed(error)) throw;
    missing_ = true;
    warn(fmt::format("{}; rows {} to {} of {} are missing", error.what(), next_row_,
                     info_.size.height - 1, info_.size.height));
  }
}

// The pixels of passes before the damage are kept: an interlaced image has some in all its rows.
void SequentialSource::decode_passes(RowDecoder& decoder) {
  fill_missing(kept_.view());
  int pass = 0, row = 0;
  try {
    for (pass = 0; pass < decoder.passes(); ++pass)
      for (row = 0; row < info_.size.height; ++row) {
        poll_stop();
        decoder.next_row(kept_row(row), row);
      }
  } catch (const Error& error) {
    if (!allowed(error)) throw;
    missing_ = true;
    warn(
        fmt::format("{}; the pixels of pass {} of {} from row {} on and of later passes are "
                    "missing",
                    error.what(), pass + 1, decoder.passes(), row));
  }
  next_row_ = info_.size.height;
}

void SequentialSource::finish(RowDecoder& decoder) {
  try {
    if (decoder.warning().empty()) decoder.finish();
  } catch (const Error& error) {
    if (!allowed(error)) throw;
    return warn(fmt::format("{}; no row is missing", error.what()));
  }
  if (!decoder.warning().empty()) warn(decoder.warning());
}

bool SequentialSource::allowed(const Error& error) const {
  return options_.allow_truncated && error.kind() == ErrorKind::input;
}

void SequentialSource::make_kept() {
  ImageInfo kept = info_;
  kept.size.height = capacity_;
  check_memory(file_.path(), kept, options_.limits);
  kept_ = Image(kept);
}

}  // namespace tessera
