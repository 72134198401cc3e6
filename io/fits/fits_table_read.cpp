// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/counted.hpp"
#include "core/refuse.hpp"
#include "io/fits/fits_table.hpp"
#include "io/limits.hpp"

namespace tessera {
namespace {

constexpr long long kMostTableBytes = 1LL << 31;

std::uint64_t big_endian_bits(const unsigned char* from, int count) {
  std::uint64_t bits = 0;
  for (int i = 0; i < count; ++i) bits = bits << 8 | from[i];
  return bits;
}

struct TableCells {
  std::size_t column = 0;  ///< of the table
  long long offset = 0;
  FitsForm form;
  double scale = 1, zero = 0;
  std::optional<long long> null;
};

bool is_chosen(const FitsHdu& hdu, const ReadOptions& options) {
  if (options.page) return hdu.number == *options.page;
  if (options.hdu.empty()) return hdu.kind() == "BINTABLE" && !hdu.is_tiled();
  return hdu.header.text("EXTNAME") == options.hdu || std::to_string(hdu.number) == options.hdu;
}

FitsHdu find_table(FitsBytes& bytes, const ReadOptions& options) {
  long long offset = 0;
  for (int number = 0;; ++number) {
    check_count(bytes.path(), "pages", number, options.limits.pages);
    auto hdu = read_hdu(bytes, number, offset, options.limits);
    if (!hdu && number == 0) refuse_input(bytes.path(), "it does not begin like a FITS file");
    if (!hdu) {
      const bool named = options.page || !options.hdu.empty();
      refuse_input(bytes.path(), fmt::format("none of its {} HDUs is {}", number,
                                             named ? "the one named" : "a binary table"));
    }
    if (is_chosen(*hdu, options)) {
      if (hdu->kind() != "BINTABLE" || hdu->is_tiled())
        refuse_input(hdu->header.name(),
                     fmt::format("it is {}; it must be a binary table (BINTABLE)", hdu->kind()));
      return *std::move(hdu);
    }
    offset = next_hdu_offset(*hdu);
  }
}

/// A number as people write it: whole numbers without a point.
std::string cell_text(double value, char letter) {
  if (std::isnan(value)) return "";
  if (letter == 'E') return fmt::format("{}", static_cast<float>(value));
  return fmt::format("{}", value);
}

void take_cell(const unsigned char* row, const TableCells& cells, TableColumn& column) {
  const unsigned char* at = row + cells.offset;
  if (cells.form.letter == 'A') {
    std::string text(reinterpret_cast<const char*>(at),
                     static_cast<std::size_t>(cells.form.repeat));
    text.resize(std::min(text.find('\0'), text.size()));
    while (!text.empty() && text.back() == ' ') text.pop_back();
    double number = 0;
    const std::optional<double> value = fits_real(text);
    number = value ? *value : std::numeric_limits<double>::quiet_NaN();
    column.numbers.push_back(number);
    column.texts.push_back(std::move(text));
    return;
  }
  const char letter = cells.form.letter;
  double value = fits_cell(at, letter);
  const bool whole = std::string_view("BIJK").find(letter) != std::string_view::npos;
  if (whole && cells.null && value == static_cast<double>(*cells.null))
    value = std::numeric_limits<double>::quiet_NaN();
  value = value * cells.scale + cells.zero;
  column.numbers.push_back(value);
  // Identifiers of 64 bits have more digits than a double.
  if (letter == 'K' && cells.scale == 1 && cells.zero == 0 && !std::isnan(value))
    column.texts.push_back(fmt::format("{}", static_cast<std::int64_t>(big_endian_bits(at, 8))));
  else
    column.texts.push_back(cell_text(value, letter));
}

}  // namespace

long long FitsForm::bytes() const {
  return letter == 'X' ? (repeat + 7) / 8 : repeat * fits_form_bytes(letter);
}

FitsForm fits_form(const std::string& text) {
  FitsForm form;
  std::size_t at = 0;
  long long count = 0;
  while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) && at < 9)
    count = 10 * count + (text[at++] - '0');
  if (at > 0) form.repeat = count;
  if (at < text.size()) form.letter = text[at];
  return form;
}

double fits_cell(const unsigned char* at, char letter) {
  switch (letter) {
    case 'E':
      return std::bit_cast<float>(static_cast<std::uint32_t>(big_endian_bits(at, 4)));
    case 'D':
      return std::bit_cast<double>(big_endian_bits(at, 8));
    case 'B':
      return *at;
    case 'L':
      return *at == 'T' ? 1 : 0;
    case 'I':
      return static_cast<std::int16_t>(big_endian_bits(at, 2));
    case 'K':
      return static_cast<double>(static_cast<std::int64_t>(big_endian_bits(at, 8)));
    default:
      return static_cast<std::int32_t>(big_endian_bits(at, 4));
  }
}

Table read_table_hdu(const std::string& path, const ReadOptions& options) {
  FitsBytes bytes(path, options.limits);
  const FitsHdu hdu = find_table(bytes, options);
  const FitsHeader& header = hdu.header;
  const long long fields = header.needed_integer("TFIELDS", 0, 999);
  const long long width = header.needed_integer("NAXIS1", 0, 1 << 20);
  const long long rows = header.needed_integer("NAXIS2", 0, 1LL << 40);
  if (width > 0 && rows > kMostTableBytes / width)
    refuse_input(header.name(), fmt::format("its table has {} rows of {} bytes; at most 2 GiB are "
                                            "read",
                                            rows, width));
  Table table;
  std::vector<TableCells> cells;
  long long offset = 0;
  for (long long n = 1; n <= fields; ++n) {
    const auto of = [n](const char* stem) { return fmt::format("{}{}", stem, n); };
    const FitsForm form = fits_form(header.text(of("TFORM")));
    const bool is_text = form.letter == 'A';
    if (is_text || (form.repeat == 1 &&
                    std::string_view("BIJKEDL").find(form.letter) != std::string_view::npos)) {
      cells.push_back({table.columns.size(), offset, form, header.real(of("TSCAL")).value_or(1),
                       header.real(of("TZERO")).value_or(0), header.integer(of("TNULL"))});
      TableColumn column;
      column.name = header.text(of("TTYPE"));
      column.unit = header.text(of("TUNIT"));
      column.kind = is_text ? TableKind::text : TableKind::f64;
      table.columns.push_back(std::move(column));
    }
    if (form.bytes() == 0 && form.repeat > 0)
      refuse_input(header.name(), fmt::format("its TFORM{} is '{}', which FITS does not define", n,
                                              header.text(of("TFORM"))));
    offset += form.bytes();
  }
  if (offset > width)
    refuse_input(header.name(), fmt::format("its columns take {} and its rows have {}",
                                            counted(offset, "byte"), width));
  std::vector<unsigned char> row(static_cast<std::size_t>(width));
  for (long long n = 0; n < rows && width > 0; ++n) {
    if (bytes.read_some(hdu.data_offset + n * width, row.data(), width) < width)
      refuse_input(header.name(), fmt::format("its {} {} after {}", counted(rows, "row"),
                                              rows == 1 ? "ends" : "end", n));
    for (const TableCells& each : cells) take_cell(row.data(), each, table.columns[each.column]);
  }
  return table;
}

}  // namespace tessera
