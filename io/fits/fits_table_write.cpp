// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "io/fits/fits_cards.hpp"
#include "io/fits/fits_sum.hpp"
#include "io/fits/fits_table.hpp"

namespace tessera {
namespace {

/// The value of an integer that is not there.
constexpr std::int32_t kNoInteger = -2147483647 - 1;

std::size_t longest_text(const TableColumn& column) {
  std::size_t most = 1;
  for (const std::string& text : column.texts) most = std::max(most, text.size());
  return most;
}

std::string form_text(const TableColumn& column) {
  switch (column.kind) {
    case TableKind::f64:
      return "1D";
    case TableKind::f32:
      return "1E";
    case TableKind::i32:
      return "1J";
    case TableKind::text:
      break;
  }
  return fmt::format("{}A", longest_text(column));
}

template <class Bits>
void append_bits(std::string& bytes, Bits bits) {
  for (int shift = 8 * static_cast<int>(sizeof(Bits)) - 8; shift >= 0; shift -= 8)
    bytes += static_cast<char>(bits >> shift & 0xff);
}

void append_cell(std::string& bytes, const TableColumn& column, std::size_t row,
                 std::size_t width) {
  if (column.kind == TableKind::text) {
    std::string text = column.texts[row];
    text.resize(width, '\0');
    bytes += text;
    return;
  }
  const double value = column.numbers[row];
  if (column.kind == TableKind::f64)
    append_bits(bytes, std::bit_cast<std::uint64_t>(value));
  else if (column.kind == TableKind::f32)
    append_bits(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
  else
    append_bits(bytes, static_cast<std::uint32_t>(
                           std::isnan(value) ? kNoInteger : static_cast<std::int32_t>(value)));
}

void pad_block(std::string& bytes, char with) {
  const auto block = static_cast<std::size_t>(kFitsBlock);
  bytes.resize((bytes.size() + block - 1) / block * block, with);
}

std::string number_text(long long value) { return fmt::format("{}", value); }

}  // namespace

std::string table_hdus(const Table& table, const std::vector<std::string>& history) {
  const auto rows = static_cast<std::size_t>(table.rows());
  std::vector<std::size_t> widths;
  for (const TableColumn& column : table.columns)
    widths.push_back(static_cast<std::size_t>(fits_form(form_text(column)).bytes()));
  std::string data;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t c = 0; c < widths.size(); ++c)
      append_cell(data, table.columns[c], row, widths[c]);
  const std::size_t width = rows > 0 ? data.size() / rows : [&] {
    std::size_t sum = 0;
    for (const std::size_t each : widths) sum += each;
    return sum;
  }();
  pad_block(data, '\0');
  FitsSum sum;
  sum.add(0, data.data(), std::ssize(data));

  std::vector<std::string> cards{
      fits_card("XTENSION", "'BINTABLE'", "a binary table"),
      fits_card("BITPIX", "8", ""),
      fits_card("NAXIS", "2", ""),
      fits_card("NAXIS1", number_text(static_cast<long long>(width)), "bytes of a row"),
      fits_card("NAXIS2", number_text(table.rows()), "rows"),
      fits_card("PCOUNT", "0", ""),
      fits_card("GCOUNT", "1", ""),
      fits_card("TFIELDS", number_text(std::ssize(table.columns)), "columns")};
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const TableColumn& column = table.columns[c];
    const auto add = [&](const char* stem, const std::string& text, const std::string& comment) {
      if (!text.empty())
        cards.push_back(fits_card(fmt::format("{}{}", stem, c + 1), fits_text(text), comment));
    };
    add("TTYPE", column.name, "");
    add("TFORM", form_text(column), "");
    add("TUNIT", column.unit, "");
    add("TUCD", column.ucd, "");
    add("TCOMM", column.description, "");
    if (column.kind == TableKind::i32)
      cards.push_back(fits_card(fmt::format("TNULL{}", c + 1), number_text(kNoInteger), ""));
  }
  for (const auto& [keyword, text] : table.notes)
    cards.push_back(fits_card(keyword, fits_text(text), ""));
  for (const std::string& line : fits_history(history)) cards.push_back(line);

  std::string bytes = fits_header_bytes(
      {fits_card("SIMPLE", "T", "conforms to FITS standard"), fits_card("BITPIX", "8", ""),
       fits_card("NAXIS", "0", "the table follows"), fits_card("EXTEND", "T", "")},
      0);
  bytes += fits_header_bytes(cards, sum.value());
  return bytes + data;
}

}  // namespace tessera
