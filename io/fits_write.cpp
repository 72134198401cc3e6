// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "io/fits_cards.hpp"
#include "io/fits_header.hpp"
#include "io/fits_samples.hpp"
#include "io/fits_source.hpp"
#include "io/fits_sum.hpp"
#include "io/output.hpp"
#include "io/packed_rows.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

std::vector<std::string> structure_cards(const ImageInfo& info) {
  const FitsNumbers numbers = fits_numbers(info.type);
  const std::vector<long long> axes = fits_axes_of(info.size);
  std::vector<std::string> cards{
      fits_card("SIMPLE", "T", "a FITS file"),
      fits_card("BITPIX", fmt::format("{}", numbers.bitpix), "bits a number; negative: floats"),
      fits_card("NAXIS", fmt::format("{}", axes.size()), "")};
  for (size_t i = 0; i < axes.size(); ++i)
    cards.push_back(fits_card(fmt::format("NAXIS{}", i + 1), fmt::format("{}", axes[i]), ""));
  if (numbers.scaled()) {
    cards.push_back(fits_card("BSCALE", "1", ""));
    cards.push_back(fits_card("BZERO", fmt::format("{:.0f}", numbers.zero), "unsigned numbers"));
  }
  return cards;
}

/// Numbers one after the other: rows may come in any order of planes.
class PlainFitsSink : public ImageSink {
 public:
  PlainFitsSink(const std::string& path, const ImageInfo& info, const WriteOptions& options)
      : output_(path, options.force),
        info_(info),
        cards_(structure_cards(info)),
        next_rows_(static_cast<size_t>(info.size.planes)) {
    for (std::string& card : fits_cards_to_keep(options)) cards_.push_back(std::move(card));
    data_offset_ = std::ssize(fits_header_bytes(cards_, 0));
    const long long bytes = info.size.samples() * bytes_of(info.type);
    data_end_ = data_offset_ + (bytes + kFitsBlock - 1) / kFitsBlock * kFitsBlock;
    output_.file().reserve(data_end_);
  }

  void write_plane(int plane, Rows rows, AnyView from) override {
    int& next_row = next_rows_.at(static_cast<size_t>(plane));
    check_plane_rows(info_, rows, from.info());
    check_next_row(rows, next_row);
    next_row = rows.end;
    for (int channel = 0; channel < info_.size.channels; ++channel)
      write_channel(plane, channel, rows, from);
  }

  void finish() override {
    for (const int next_row : next_rows_)
      check_next_row({info_.size.height, info_.size.height}, next_row);
    const long long bytes = info_.size.samples() * bytes_of(info_.type);
    const std::string filling(static_cast<size_t>(data_end_ - data_offset_ - bytes), '\0');
    output_.file().write_all(data_offset_ + bytes, filling.data(), std::ssize(filling));
    const std::string header = fits_header_bytes(cards_, sum_.value());
    output_.file().write_all(0, header.data(), std::ssize(header));
    output_.finish();
  }

 private:
  // As many rows a write as fit a megabyte.
  void write_channel(int plane, int channel, Rows rows, AnyView from) {
    constexpr long long kPartBytes = 1 << 20;
    const Size& size = info_.size;
    const long long row = 1LL * size.width * bytes_of(info_.type);
    const long long first = (1LL * plane * size.channels + channel) * size.height + rows.first;
    const int part = static_cast<int>(std::clamp<long long>(kPartBytes / row, 1, rows.count()));
    raw_.resize(static_cast<size_t>(part * row));
    for (int y = 0; y < rows.count(); y += part) {
      const int count = std::min(part, rows.count() - y);
      for (int i = 0; i < count; ++i)
        encode_fits(info_.type, from.address(0, y + i) + channel * bytes_of(info_.type), from.pixel,
                    raw_.data() + i * row, size.width);
      const long long position = (first + y) * row;
      sum_.add(position, raw_.data(), count * row);
      output_.file().write_all(data_offset_ + position, raw_.data(), count * row);
    }
  }

  Output output_;
  ImageInfo info_;
  std::vector<std::string> cards_;
  std::vector<int> next_rows_;  ///< one a plane
  long long data_offset_ = 0, data_end_ = 0;
  FitsSum sum_;
  std::vector<unsigned char> raw_;
};

void check_compression(const std::string& path, const ImageInfo& info, Compression compression) {
  const bool known = compression == Compression::rice || compression == Compression::deflate;
  if (!known)
    throw Error(ErrorKind::usage,
                fmt::format("{}: FITS has no compression {}; it can be none, rice or deflate", path,
                            name_of(compression)));
  if (compression == Compression::rice && !is_integer(info.type))
    throw Error(ErrorKind::usage,
                fmt::format("{}: rice would round the values of {}; give --compression deflate, "
                            "which keeps them",
                            path, name_of(info.type)));
}

}  // namespace

std::vector<long long> fits_axes_of(const Size& size) {
  std::vector<long long> axes{size.width, size.height};
  if (size.channels > 1) axes.push_back(size.channels);
  if (size.planes > 1) axes.push_back(size.planes);
  return axes;
}

std::vector<std::string> fits_cards_to_keep(const WriteOptions& options) {
  std::vector<std::string> cards = kept_fits_cards(options.header, options.origin, options.plane);
  std::vector<std::string> history = options.history;
  if (!options.command.empty()) history.push_back("command: " + options.command);
  for (std::string& card : fits_history(history)) cards.push_back(std::move(card));
  return cards;
}

std::unique_ptr<ImageSink> create_fits(const std::string& path, const ImageInfo& info,
                                       const WriteOptions& options) {
  if (options.compression == Compression::automatic || options.compression == Compression::none)
    return std::make_unique<PlainFitsSink>(path, info, options);
  check_compression(path, info, options.compression);
  return create_fits_tiles(path, info, options);
}

}  // namespace tessera
