// SPDX-License-Identifier: Apache-2.0
#include "io/tiff/tiff_directory.hpp"

#include <fmt/format.h>
#include <tiffio.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <unordered_set>

#include "core/counted.hpp"
#include "core/refuse.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr long long kPartValues = 4096;

bool holds_whole_numbers(int type) {
  return type == TIFF_BYTE || type == TIFF_SHORT || type == TIFF_LONG || type == TIFF_IFD ||
         type == TIFF_LONG8 || type == TIFF_IFD8;
}

}  // namespace

int tiff_type_bytes(int type) {
  constexpr int kBytes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};
  return type < 0 || type >= static_cast<int>(std::size(kBytes)) ? 0 : kBytes[type];
}

const TiffEntry* TiffDirectory::find(int tag) const {
  const auto found = std::ranges::find(entries, tag, &TiffEntry::tag);
  return found == entries.end() ? nullptr : &*found;
}

TiffFile::TiffFile(const std::string& path)
    : file_(File::open_to_read(path)), bytes_(file_.bytes()) {
  unsigned char start[8] = {};
  if (file_.read_some(0, start, sizeof start) < 8)
    refuse_input(path,
                 fmt::format("it has {}; a TIFF header needs at least 8", counted(bytes_, "byte")));
  little_ = start[0] == 'I' && start[1] == 'I';
  swapped_ = little_ != (std::endian::native == std::endian::little);
  const long long version = number(start + 2, 2);
  if ((!little_ && !(start[0] == 'M' && start[1] == 'M')) || (version != 42 && version != 43))
    refuse_input(path, "it does not begin like a TIFF, with II or MM, then 42 or 43");
  big_ = version == 43;
  if (big_ && (bytes_ < 16 || number(start + 4, 2) != 8 || number(start + 6, 2) != 0))
    refuse_input(path,
                 "its BigTIFF header is damaged; it should have 16 bytes and offsets of 8 bytes");
}

long long unsigned_number(const unsigned char* at, int count, bool little) {
  unsigned long long value = 0;
  for (int i = 0; i < count; ++i) value = value << 8 | at[little ? count - 1 - i : i];
  constexpr unsigned long long kMost = std::numeric_limits<long long>::max();
  return static_cast<long long>(std::min(value, kMost));
}

long long TiffFile::number_at(long long offset, int count) const {
  unsigned char bytes[8];
  file_.read_all(offset, bytes, count);
  return number(bytes, count);
}

TiffFile::Extent TiffFile::extent(long long offset, long long page) const {
  const int count_bytes = big_ ? 8 : 2;
  if (offset > bytes_ - count_bytes)
    throw Error(ErrorKind::input,
                fmt::format("{}: page {}: its header should be at byte {}; the file has {} bytes",
                            path(), page, offset, bytes_));
  Extent found;
  found.entries = number_at(offset, count_bytes);
  found.first_entry = offset + count_bytes;
  const long long room = bytes_ - found.first_entry - pointer_bytes();
  if (found.entries > room / entry_bytes())
    throw Error(ErrorKind::input,
                fmt::format("{}: page {}: its header at byte {} has {}, which {} past the "
                            "file's {}",
                            path(), page, offset, counted(found.entries, "tag"),
                            found.entries == 1 ? "ends" : "end", counted(bytes_, "byte")));
  found.end = found.first_entry + found.entries * entry_bytes();
  return found;
}

std::vector<long long> TiffFile::directories(const ReadLimits& limits, bool allow_truncated,
                                             std::string& warning) const {
  std::vector<long long> offsets;
  std::unordered_set<long long> seen;
  long long next = big_ ? number_at(8, 8) : number_at(4, 4);
  while (next != 0) {
    const auto page = static_cast<long long>(offsets.size());
    if (!seen.insert(next).second)
      refuse_input(path(),
                   fmt::format("its pages form a circle: page {} follows page {}",
                               std::ranges::find(offsets, next) - offsets.begin(), page - 1));
    check_count(path(), "pages", page + 1, std::min(limits.pages, 0x7fffffffLL));
    Extent found;
    try {
      found = extent(next, page);
    } catch (const Error& error) {
      if (!allow_truncated || offsets.empty()) throw;
      warning = std::string(error.what()) + "; the list of pages was taken to end there";
      break;
    }
    check_count(fmt::format("{}: page {}", path(), page), "tags", found.entries, limits.tags);
    offsets.push_back(next);
    next = number_at(found.end, pointer_bytes());
  }
  if (offsets.empty()) refuse_input(path(), "it has no pages; a TIFF needs one");
  return offsets;
}

TiffDirectory TiffFile::directory(long long offset, int page) const {
  const Extent found = extent(offset, page);
  const std::string where = fmt::format("{}: page {}", path(), page);
  std::vector<unsigned char> bytes(static_cast<size_t>(found.end - found.first_entry));
  file_.read_all(found.first_entry, bytes.data(), static_cast<long long>(bytes.size()));
  TiffDirectory directory{page, where, {}};
  for (long long i = 0; i < found.entries; ++i) {
    const unsigned char* at = bytes.data() + i * entry_bytes();
    TiffEntry entry;
    entry.tag = static_cast<int>(number(at, 2));
    entry.type = static_cast<int>(number(at + 2, 2));
    entry.count = number(at + 4, pointer_bytes());
    const int value_at = 4 + pointer_bytes(), item = tiff_type_bytes(entry.type);
    const bool is_inline = item == 0 || entry.count <= pointer_bytes() / item;
    entry.offset = is_inline ? found.first_entry + i * entry_bytes() + value_at
                             : number(at + value_at, pointer_bytes());
    directory.entries.push_back(entry);
  }
  return directory;
}

std::string tiff_text(const TiffFile& file, const TiffDirectory& directory, int tag,
                      long long most) {
  const TiffEntry* entry = directory.find(tag);
  if (!entry || (entry->type != TIFF_ASCII && entry->type != TIFF_BYTE)) return "";
  const long long room = std::max(0LL, file.bytes() - entry->offset);
  std::string text(static_cast<size_t>(std::min({entry->count, room, most})), '\0');
  file.file().read_all(entry->offset, text.data(), std::ssize(text));
  return text.substr(0, text.find('\0'));
}

double tiff_rational(const TiffFile& file, const TiffDirectory& directory, int tag) {
  const TiffEntry* entry = directory.find(tag);
  unsigned char bytes[8] = {};
  if (!entry || entry->type != TIFF_RATIONAL || entry->count != 1 ||
      file.file().read_some(entry->offset, bytes, 8) < 8)
    return 0;
  const auto below = static_cast<double>(file.number(bytes + 4, 4));
  return below > 0 ? static_cast<double>(file.number(bytes, 4)) / below : 0;
}

TiffValues::TiffValues(const TiffFile& file, const TiffDirectory& directory, const TiffEntry& entry)
    : file_(&file), entry_(entry) {
  if (!holds_whole_numbers(entry.type))
    refuse_input(directory.where,
                 fmt::format("its tag {} holds values of type {}; whole numbers are "
                             "needed",
                             entry.tag, entry.type));
  const long long room = std::max(0LL, file.bytes() - entry.offset);
  if (entry.count < 1 || entry.count > room / tiff_type_bytes(entry.type))
    refuse_input(directory.where,
                 fmt::format("its tag {} has {} at byte {}, which the file of {} "
                             "bytes cannot hold",
                             entry.tag, counted(entry.count, "value"), entry.offset, file.bytes()));
}

long long TiffValues::at(long long index) {
  const int item = tiff_type_bytes(entry_.type);
  if (index < first_ || index >= end_) {
    first_ = index / kPartValues * kPartValues;
    end_ = std::min(first_ + kPartValues, entry_.count);
    part_.resize(static_cast<size_t>((end_ - first_) * item));
    file_->file().read_all(entry_.offset + first_ * item, part_.data(), (end_ - first_) * item);
  }
  return file_->number(part_.data() + (index - first_) * item, item);
}

}  // namespace tessera
