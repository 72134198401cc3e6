// SPDX-License-Identifier: Apache-2.0
// The header of the copy that cfitsio reads: only cards that were checked.
#include <fmt/format.h>

#include <algorithm>

#include "core/refuse.hpp"
#include "io/fits/fits_cards.hpp"
#include "io/fits/fits_tiles.hpp"

namespace tessera {
namespace {

std::string quoted(const std::string& text) {
  std::string value = "'";
  for (const char c : text) value += c == '\'' ? "''" : std::string(1, c);
  return fmt::format("{:<9}'", value);
}

class CardList {
 public:
  void add(const std::string& keyword, const std::string& value) {
    cards_.push_back(fits_card(keyword, value, ""));
  }
  void add(const std::string& keyword, long long value) { add(keyword, fmt::format("{}", value)); }
  void add(const std::string& keyword, double value) {
    add(keyword, fmt::format("{:.17E}", value));
  }
  std::vector<std::string> take() { return std::move(cards_); }

 private:
  std::vector<std::string> cards_;
};

// Parameters of a method, such as ZNAME1 = 'BLOCKSIZE' and ZVAL1 = 32, in the order that cfitsio
// expects.
void add_parameters(const FitsHdu& hdu, const FitsTileTable& table, CardList& cards) {
  const FitsHeader& header = hdu.header;
  int made = 0;
  const auto add = [&](const char* name, const auto value) {
    cards.add(fmt::format("ZNAME{}", ++made), quoted(name));
    cards.add(fmt::format("ZVAL{}", made), value);
  };
  if (table.method.starts_with("RICE")) {
    add("BLOCKSIZE", table.rice.block);
    add("BYTEPIX", table.rice.bytes);
  }
  for (int n = 1; header.has(fmt::format("ZNAME{}", n)) && n < 100; ++n) {
    const std::string name = header.text(fmt::format("ZNAME{}", n));
    const std::string keyword = fmt::format("ZVAL{}", n);
    if (name == "SCALE") add("SCALE", header.real(keyword).value_or(0));
    if (name == "SMOOTH") add("SMOOTH", header.needed_integer(keyword, 0, 1));
  }
}

// How floats were rounded to integers.
void add_quantisation(const FitsHdu& hdu, CardList& cards) {
  const FitsHeader& header = hdu.header;
  constexpr std::string_view kKnown[] = {"NONE", "NO_DITHER", "SUBTRACTIVE_DITHER_1",
                                         "SUBTRACTIVE_DITHER_2"};
  if (header.has("ZQUANTIZ")) {
    const std::string method = header.text("ZQUANTIZ");
    if (std::ranges::count(kKnown, method) == 0)
      refuse_input(hdu.header.name(), fmt::format("its card ZQUANTIZ is '{}'; it can be {}", method,
                                                  fmt::join(kKnown, ", ")));
    cards.add("ZQUANTIZ", quoted(method));
  }
  if (header.has("ZDITHER0")) cards.add("ZDITHER0", header.needed_integer("ZDITHER0", 1, 10000));
  for (const char* keyword : {"ZSCALE", "ZZERO"})
    if (const auto value = header.real(keyword)) cards.add(keyword, *value);
  if (header.has("ZBLANK"))
    cards.add("ZBLANK", header.needed_integer("ZBLANK", -0x80000000LL, 0x7fffffff));
}

void add_image(const FitsHdu& hdu, const FitsTileTable& table, CardList& cards) {
  const long long bitpix = hdu.header.needed_integer("ZBITPIX", -64, 64);
  const FitsTiling& tiling = table.tiling;
  cards.add("ZIMAGE", "T");
  cards.add("ZCMPTYPE", quoted(table.method));
  cards.add("ZBITPIX", bitpix);
  cards.add("ZNAXIS", static_cast<long long>(tiling.axes.size()));
  for (size_t i = 0; i < tiling.axes.size(); ++i) {
    cards.add(fmt::format("ZNAXIS{}", i + 1), tiling.axes[i]);
    cards.add(fmt::format("ZTILE{}", i + 1), tiling.tile[i]);
  }
  add_parameters(hdu, table, cards);
  if (bitpix < 0) add_quantisation(hdu, cards);
  // PLIO adds this to unsigned numbers.
  if (const auto zero = hdu.header.real("BZERO")) cards.add("BZERO", *zero);
}

}  // namespace

std::vector<std::string> tile_table_cards(const FitsHdu& hdu, const FitsTileTable& table,
                                          long long heap_bytes) {
  CardList cards;
  const long long table_bytes = table.row_bytes * table.rows;
  cards.add("XTENSION", "'BINTABLE'");
  cards.add("BITPIX", 8LL);
  cards.add("NAXIS", 2LL);
  cards.add("NAXIS1", table.row_bytes);
  cards.add("NAXIS2", table.rows);
  cards.add("PCOUNT", table.heap_offset - table_bytes + heap_bytes);
  cards.add("GCOUNT", 1LL);
  cards.add("TFIELDS", static_cast<long long>(table.columns.size()));
  for (size_t i = 0; i < table.columns.size(); ++i) {
    cards.add(fmt::format("TTYPE{}", i + 1), quoted(table.columns[i].name));
    cards.add(fmt::format("TFORM{}", i + 1), quoted(table.columns[i].form));
  }
  cards.add("THEAP", table.heap_offset);
  add_image(hdu, table, cards);
  return cards.take();
}

}  // namespace tessera
