// SPDX-License-Identifier: Apache-2.0
#include "io/fits/fits_hdu_write.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/ranks.hpp"
#include "io/fits/fits_cards.hpp"
#include "io/fits/fits_header.hpp"
#include "io/fits/fits_samples.hpp"
#include "io/fits/fits_source.hpp"
#include "io/packed_rows.hpp"

namespace tessera {
namespace {

std::vector<std::string> structure_cards(const FitsHduWriter::Image& image) {
  const FitsNumbers numbers = fits_numbers(image.info.type);
  std::vector<std::string> cards{
      image.primary ? fits_card("SIMPLE", "T", "a FITS file")
                    : fits_card("XTENSION", "'IMAGE   '", "an image"),
      fits_card("BITPIX", fmt::format("{}", numbers.bitpix), "bits per number; negative: floats"),
      fits_card("NAXIS", fmt::format("{}", image.axes.size()), "")};
  for (size_t i = 0; i < image.axes.size(); ++i)
    cards.push_back(fits_card(fmt::format("NAXIS{}", i + 1), fmt::format("{}", image.axes[i]), ""));
  if (!image.primary) {
    cards.push_back(fits_card("PCOUNT", "0", ""));
    cards.push_back(fits_card("GCOUNT", "1", ""));
  }
  if (numbers.scaled()) {
    cards.push_back(fits_card("BSCALE", "1", ""));
    cards.push_back(fits_card("BZERO", fmt::format("{:.0f}", numbers.zero), "unsigned numbers"));
  }
  return cards;
}

/// The sum of a file's numbers from those of the rows that each rank wrote.
void add_sums_of_ranks(FitsSum& sum) {
  if (ranks().count() == 1 || ranks().apart()) return;
  FitsSum all;
  for (const std::string& one : ranks().gathered(std::to_string(sum.value())))
    all.add(static_cast<std::uint32_t>(std::stoul(one)));
  sum = all;
}

}  // namespace

FitsHduWriter::FitsHduWriter(const File& file, Image image, const WriteOptions& options)
    : file_(file),
      image_(std::move(image)),
      cards_(structure_cards(image_)),
      order_(image_.info),
      sparse_(options.sparse) {
  for (std::string& card : fits_cards_to_keep(options)) cards_.push_back(std::move(card));
  if (image_.last_words) cards_.push_back(fits_history({""}).front());
  data_offset_ = image_.offset + std::ssize(fits_header_bytes(cards_, 0));
  const long long bytes = image_.info.size.samples() * bytes_of(image_.info.type);
  data_end_ = data_offset_ + (bytes + kFitsBlock - 1) / kFitsBlock * kFitsBlock;
}

void FitsHduWriter::make_room() const {
  sparse_ ? file_.extend(data_end_) : file_.reserve(data_end_);
}

void FitsHduWriter::write_plane(int plane, Rows rows, AnyView from) {
  check_plane_rows(image_.info, rows, from.info());
  order_.next(plane, rows);
  for (int channel = 0; channel < image_.info.size.channels; ++channel)
    write_channel(plane, channel, rows, from);
}

void FitsHduWriter::finish() {
  const Size& size = image_.info.size;
  order_.check_whole();
  add_sums_of_ranks(sum_);
  if (!ranks().first()) return;
  const long long bytes = size.samples() * bytes_of(image_.info.type);
  const std::string filling(static_cast<size_t>(data_end_ - data_offset_ - bytes), '\0');
  file_.write_all(data_offset_ + bytes, filling.data(), std::ssize(filling));
  if (image_.last_words) cards_.back() = fits_history({image_.last_words()}).front();
  const std::string header = fits_header_bytes(cards_, sum_.value());
  file_.write_all(image_.offset, header.data(), std::ssize(header));
}

// Each write has as many rows as fit in a megabyte.
void FitsHduWriter::write_channel(int plane, int channel, Rows rows, AnyView from) {
  constexpr long long kPartBytes = 1 << 20;
  const Size& size = image_.info.size;
  const Type type = image_.info.type;
  const long long row = 1LL * size.width * bytes_of(type);
  const long long first = (1LL * plane * size.channels + channel) * size.height + rows.first;
  const int part = static_cast<int>(std::clamp<long long>(kPartBytes / row, 1, rows.count()));
  raw_.resize(static_cast<size_t>(part * row));
  for (int y = 0; y < rows.count(); y += part) {
    const int count = std::min(part, rows.count() - y);
    for (int i = 0; i < count; ++i)
      encode_fits(type, from.address(0, y + i) + channel * bytes_of(type), from.pixel,
                  raw_.data() + i * row, size.width);
    const long long position = (first + y) * row;
    sum_.add(position, raw_.data(), count * row);
    if (sparse_)
      file_.write_around_zeros(data_offset_ + position, raw_.data(), count * row);
    else
      file_.write_all(data_offset_ + position, raw_.data(), count * row);
  }
}

}  // namespace tessera
