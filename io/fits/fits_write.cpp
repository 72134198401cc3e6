// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <vector>

#include "io/fits/fits_cards.hpp"
#include "io/fits/fits_hdu_write.hpp"
#include "io/fits/fits_source.hpp"
#include "io/output.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

class PlainFitsSink : public ImageSink {
 public:
  PlainFitsSink(const std::string& path, const ImageInfo& info, const WriteOptions& options)
      : output_(path, options.force, Output::Writers::all_ranks),
        writer_(output_.file(), {info, fits_axes_of(info.size)}, options) {
    output_.begin([this] { writer_.make_room(); });
  }

  void write_plane(int plane, Rows rows, AnyView from) override {
    writer_.write_plane(plane, rows, from);
  }

  void finish() override {
    writer_.finish();
    output_.finish();
  }

 private:
  Output output_;
  FitsHduWriter writer_;
};

void check_compression(const std::string& path, const ImageInfo& info, Compression compression) {
  const bool known = compression == Compression::rice || compression == Compression::deflate;
  if (!known)
    throw Error(ErrorKind::usage,
                fmt::format("{}: FITS has no compression {}; it can be none, rice or deflate", path,
                            name_of(compression)));
  if (compression == Compression::rice && !is_integer(info.type))
    throw Error(ErrorKind::usage,
                fmt::format("{}: rice would round the values of {}; give compression deflate, "
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
  std::vector<std::string> history = history_to_write(options);
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
