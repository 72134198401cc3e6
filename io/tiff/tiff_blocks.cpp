// SPDX-License-Identifier: Apache-2.0
#include "io/tiff/tiff_blocks.hpp"

#include <fmt/format.h>
#include <tiffio.h>

#include <algorithm>

#include "core/counted.hpp"
#include "core/stop.hpp"
#include "io/image_file.hpp"
#include "io/packed_rows.hpp"
#include "io/tiff/tiff_decoder.hpp"

namespace tessera {
namespace {

/// Larger strips are decoded some rows at a time.
constexpr long long kLargeStrip = 16LL << 20, kPartBytes = 4LL << 20;
/// Tiles are decoded whole; larger ones (4096x4096 f32) must respect the memory limits.
constexpr long long kLargeTile = 64LL << 20;
/// Compressed bytes of a block that libtiff keeps at once.
constexpr long long kMostStored = 256LL << 20;
/// Neighbouring pieces share rows, and a row of blocks is read piece by piece.
constexpr long long kLeastKept = 64LL << 20, kMostKept = 128LL << 20;
constexpr long long kReadBytes = 1LL << 20;

}  // namespace

TiffBlocks::TiffBlocks(const TiffFile& file, TiffPage page, const ReadLimits& limits,
                       TiffLosses* losses)
    : file_(file), page_(std::move(page)), losses_(losses) {
  check_blocks(limits);
  plan_parts(limits);
}

void TiffBlocks::plan_parts(const ReadLimits& limits) {
  const TiffBlockGrid& grid = page_.grid;
  const long long block_bytes = grid.height * grid.row_bytes;
  const bool in_rows = page_.compressed() && !grid.tiled && block_bytes > kLargeStrip;
  part_rows_ = static_cast<int>(in_rows ? std::clamp(kPartBytes / grid.row_bytes, 1LL, grid.height)
                                        : grid.height);
  most_kept_bytes_ =
      std::clamp(2 * block_bytes * grid.across * grid.planes(), kLeastKept, kMostKept);
  if (limits.bytes > 0) most_kept_bytes_ = std::min(most_kept_bytes_, limits.bytes / 4);
  row_decoders_.resize(static_cast<size_t>(grid.planes()));
}

// Before anything is allocated or decoded.
void TiffBlocks::check_blocks(const ReadLimits& limits) {
  const TiffBlockGrid& grid = page_.grid;
  long long all_bytes = 0;
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::input, page_.where() + ": " + what);
  };
  if (page_.compressed() && grid.tiled && grid.height * grid.row_bytes > kLargeTile) {
    ImageInfo tile = page_.info;
    tile.size.width = static_cast<int>(grid.width);
    tile.size.height = static_cast<int>(grid.height);
    check_memory(page_.where() + ", a tile", tile, limits);
  }
  for (long long block = 0; block < grid.count(); ++block) {
    const Stored from = stored(block);
    if (!from.wrong.empty() && !losses_) refuse(page_.name_of(block) + " " + from.wrong);
    if (page_.compressed() && from.bytes > kMostStored)
      refuse(fmt::format("{} stores {} compressed bytes; it can store {}", page_.name_of(block),
                         from.bytes, kMostStored));
    all_bytes = std::min(all_bytes + from.bytes, file_.bytes());
  }
  check_expansion(page_.where(), page_.info, all_bytes, limits);
}

long long TiffBlocks::plain_bytes(long long block) const {
  const TiffBlockGrid& grid = page_.grid;
  const long long rows =
      grid.tiled ? grid.height : page_.rows_of(block / grid.across % grid.down).count();
  return rows * grid.row_bytes;
}

TiffBlocks::Stored TiffBlocks::stored(long long block) {
  const bool plain = !page_.compressed();
  const long long needed = plain_bytes(block);
  Stored from;
  from.offset = page_.offsets.at(block);
  if (from.offset > 0) from.offset += std::min(page_.shift, file_.bytes());
  const long long said = page_.counts.size() > 0 ? page_.counts.at(block) : needed;
  const long long wanted = plain ? std::min(said, needed) : said;
  from.bytes = std::clamp(file_.bytes() - from.offset, 0LL, wanted);
  if (from.offset == 0 || said == 0)
    from.wrong = "has no data";
  else if (from.bytes < wanted)
    from.wrong = fmt::format("is cut short: it has {} from byte {}; the file has {}",
                             counted(wanted, "byte"), from.offset, file_.bytes());
  else if (plain && said < needed)
    from.wrong = fmt::format("stores {}; its rows need {}", counted(said, "byte"), needed);
  if (from.offset == 0) from.bytes = 0;
  if (from.bytes == 0) from.offset = 0;  // it may be near the maximum of its type
  return from;
}

void TiffBlocks::read(Rows rows, AnyMutableView to) {
  if (rows.count() < 1) return;
  const TiffBlockGrid& grid = page_.grid;
  for (long long down = rows.first / grid.height; down <= (rows.end - 1) / grid.height; ++down)
    for (int plane = 0; plane < grid.planes(); ++plane)
      for (long long across = 0; across < grid.across; ++across) {
        poll_stop();
        read_block(plane, down, across, rows, to);
      }
}

void TiffBlocks::read_block(int plane, long long down, long long across, Rows rows,
                            AnyMutableView to) {
  const Rows block = page_.rows_of(down);
  const Rows all{std::max(block.first, rows.first), std::min(block.end, rows.end)};
  for (int row = all.first; row < all.end;) {
    const int first = block.first + (row - block.first) / part_rows_ * part_rows_;
    const Part part{plane,
                    across,
                    page_.grid.index(plane, down, across),
                    {first, std::min(first + part_rows_, block.end)}};
    const Rows wanted{row, std::min(part.rows.end, all.end)};
    const AnyMutableView into = target(part, wanted, rows, to);
    int good = 0;
    if (page_.compressed()) {
      const Decoded& from = decoded(part);
      good = std::clamp(from.rows - (row - first), 0, wanted.count());
      deliver(from.bytes.data() + (row - first) * page_.grid.row_bytes, false, good, into);
    } else {
      good = read_plain(part, wanted, into);
    }
    fill_missing(AnyMutableView(into.rows(good, wanted.count() - good)));
    row = wanted.end;
  }
}

AnyMutableView TiffBlocks::target(const Part& part, Rows wanted, Rows rows,
                                  AnyMutableView to) const {
  const auto x = static_cast<int>(part.across * page_.grid.width);
  const auto width = static_cast<int>(std::min<long long>(page_.grid.width, to.size.width - x));
  AnyMutableView view = to.region(x, wanted.first - rows.first, width, wanted.count());
  if (!page_.grid.separate) return view;
  view.data = view.address(0, 0) + part.plane * bytes_of(view.type);
  view.size.channels = 1;
  return view;
}

// Directly from the file: any row of a block is one seek.
int TiffBlocks::read_plain(const Part& part, Rows wanted, AnyMutableView to) {
  const long long row_bytes = page_.grid.row_bytes;
  const Stored from = stored(part.block);
  const int start = wanted.first - part.rows.first;
  const auto there = static_cast<int>(
      std::clamp(from.bytes / row_bytes - start, 0LL, static_cast<long long>(wanted.count())));
  if (there < wanted.count()) lose(part.block, from.wrong);
  const long long offset = from.offset + start * row_bytes;
  const long long samples = 1LL * to.size.width * page_.grid.block_channels();
  if (page_.coding.plain() && page_.fill_order != FILLORDER_LSB2MSB && packed_in_plane(to) &&
      samples * bytes_of(to.type) == row_bytes) {
    file_.file().read_all(offset, to.address(0, 0), there * row_bytes);
    decode_tiff(page_.coding, file_.swapped(), to.address(0, 0), to.address(0, 0), there * samples);
    return there;
  }
  const auto at_once = static_cast<int>(std::clamp(kReadBytes / row_bytes, 1LL, 1LL << 20));
  for (int done = 0; done < there; done += at_once) {
    const int rows = std::min(at_once, there - done);
    bytes_.resize(static_cast<size_t>(rows * row_bytes));
    file_.file().read_all(offset + done * row_bytes, bytes_.data(), rows * row_bytes);
    if (page_.fill_order == FILLORDER_LSB2MSB)
      TIFFReverseBits(bytes_.data(), static_cast<tmsize_t>(bytes_.size()));
    deliver(bytes_.data(), file_.swapped(), rows, AnyMutableView(to.rows(done, rows)));
  }
  return there;
}

void TiffBlocks::deliver(const unsigned char* from, bool swapped, int rows, AnyMutableView to) {
  const long long samples = 1LL * to.size.width * page_.grid.block_channels();
  row_.resize(static_cast<size_t>(to.size.width) * to.size.channels * bytes_of(to.type));
  for (int y = 0; y < rows; ++y) {
    decode_tiff(page_.coding, swapped, from + y * page_.grid.row_bytes, row_.data(), samples);
    scatter_row(row_.data(), to, y);
  }
}

const TiffBlocks::Decoded& TiffBlocks::decoded(const Part& part) {
  const long long key = part.block * page_.info.size.height + part.rows.first;
  if (const auto found = kept_.find(key); found != kept_.end()) return found->second;
  Decoded made = decode(part);
  const auto bytes = static_cast<long long>(made.bytes.size());
  while (!kept_order_.empty() && kept_bytes_ + bytes > most_kept_bytes_) {
    const auto oldest = kept_.extract(kept_order_.front());
    kept_bytes_ -= static_cast<long long>(oldest.mapped().bytes.size());
    kept_order_.pop_front();
  }
  kept_order_.push_back(key);
  kept_bytes_ += bytes;
  return kept_[key] = std::move(made);
}

TiffBlocks::Decoded TiffBlocks::decode(const Part& part) {
  const Stored from = stored(part.block);
  const bool whole = part_rows_ == page_.grid.height && from.wrong.empty();
  const int rows = page_.grid.tiled ? part_rows_ : part.rows.count();
  Decoded made;
  made.bytes.resize(static_cast<size_t>(rows * page_.grid.row_bytes));
  if (part.block == ended_block_ && part.rows.first >= ended_row_) return made;
  if (whole && decode_block(part, from, made.bytes)) {
    made.rows = part.rows.count();
    return made;
  }
  std::string why = whole ? block_decoder_->message() : "";
  // If no losses are allowed, a block that failed as a whole is not decoded row by row.
  if (!page_.grid.tiled && from.bytes > 0 && (!whole || losses_)) {
    TiffBlockDecoder& decoder = row_decoder(part.plane);
    made.rows = decoder.decode_rows(part.plane, part.rows, made.bytes.data());
    if (made.rows < part.rows.count()) why = decoder.message();
    if (why.empty() && from.wrong.empty()) return made;
  }
  if (lacks_memory(why))
    throw Error(ErrorKind::resources, page_.where() + ": there is no memory to decode it");
  ended_block_ = part.block;
  ended_row_ = part.rows.first + made.rows;
  lose(part.block, from.wrong.empty() ? "is damaged: " + why : from.wrong);
  return made;
}

bool TiffBlocks::decode_block(const Part& part, const Stored& from,
                              std::vector<unsigned char>& to) {
  if (!block_decoder_) block_decoder_ = make_tiff_decoder(file_, page_, false);
  const auto bytes = static_cast<long long>(to.size());
  // A block that claims far more bytes than it holds is not read to its end.
  const long long stored_bytes = std::min(from.bytes, 10 * bytes + 4096);
  bytes_.resize(static_cast<size_t>(stored_bytes));
  file_.file().read_all(from.offset, bytes_.data(), stored_bytes);
  return block_decoder_->decode_block(part.block, bytes_.data(), stored_bytes, to.data(), bytes);
}

TiffBlockDecoder& TiffBlocks::row_decoder(int plane) {
  auto& decoder = row_decoders_[static_cast<size_t>(plane)];
  if (!decoder) decoder = make_tiff_decoder(file_, page_, losses_ != nullptr);
  return *decoder;
}

void TiffBlocks::lose(long long block, const std::string& why) {
  const std::string sentence = fmt::format("{}: {} {}", page_.where(), page_.name_of(block), why);
  if (!losses_) throw Error(ErrorKind::input, sentence);
  if (losses_->first.empty()) losses_->first = sentence;
  losses_->blocks.insert({page_.directory.page, block});
}

}  // namespace tessera
