// SPDX-License-Identifier: Apache-2.0
#include "jobs/table_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/refuse.hpp"
#include "io/data_table_file.hpp"
#include "io/file.hpp"
#include "io/hdu_name.hpp"
#include "io/output.hpp"

namespace tessera {
namespace {

enum class TableFormat : unsigned char { none, csv, tsv, fits, votable };

TableFormat table_format(const std::string& path) {
  const std::size_t dot = path.find_last_of("./");
  std::string ending = dot == std::string::npos ? "" : path.substr(dot);
  std::ranges::transform(ending, ending.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".csv") return TableFormat::csv;
  if (ending == ".tsv") return TableFormat::tsv;
  if (ending == ".fits" || ending == ".fit" || ending == ".fts") return TableFormat::fits;
  if (ending == ".vot" || ending == ".xml" || ending == ".votable") return TableFormat::votable;
  return TableFormat::none;
}

std::string whole_text(const std::string& path) {
  constexpr long long kMost = 1LL << 31;
  const File file = File::open_to_read(path);
  const long long bytes = file.bytes();
  if (bytes > kMost)
    refuse_input(path, fmt::format("it has {} bytes; tables of up to 2 GiB are read", bytes));
  std::string text(static_cast<std::size_t>(bytes), '\0');
  file.read_all(0, text.data(), bytes);
  return text;
}

[[noreturn]] void refuse_ending(const std::string& path) {
  refuse(path,
         "its ending names no format of tables; give a name that ends with .fits, .csv, .tsv, "
         ".vot or .xml");
}

}  // namespace

void check_table_name(const std::string& path) {
  if (table_format(path) == TableFormat::none) refuse_ending(path);
}

Table read_table(const std::string& path, const ReadOptions& options) {
  const HduName name = split_hdu(path);
  ReadOptions own = options;
  if (!name.hdu.empty()) own.hdu = name.hdu;
  switch (table_format(name.path)) {
    case TableFormat::csv:
      return table_of_text(path, whole_text(path), ',');
    case TableFormat::tsv:
      return table_of_text(path, whole_text(path), '\t');
    case TableFormat::votable:
      return table_of_votable(path, whole_text(path));
    case TableFormat::fits:
      return read_fits_table(name.path, own);
    case TableFormat::none:
      break;
  }
  refuse_ending(path);
}

void write_table(const std::string& path, const Table& table, bool force,
                 const std::vector<std::string>& history) {
  std::string bytes;
  switch (table_format(path)) {
    case TableFormat::csv:
      bytes = text_of_table(table, ',');
      break;
    case TableFormat::tsv:
      bytes = text_of_table(table, '\t');
      break;
    case TableFormat::votable:
      bytes = votable_of_table(table, history);
      break;
    case TableFormat::fits:
      bytes = fits_table_bytes(table, history);
      break;
    case TableFormat::none:
      refuse_ending(path);
  }
  write_text(path, bytes, force);
}

double table_number(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return std::numeric_limits<double>::quiet_NaN();
  text = text.substr(first, text.find_last_not_of(kBlank) - first + 1);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return std::numeric_limits<double>::quiet_NaN();
  return value;
}

std::string table_cell(const TableColumn& column, std::size_t row) {
  if (column.kind == TableKind::text) return column.texts[row];
  const double value = column.numbers[row];
  if (column.kind == TableKind::i32)
    return std::isnan(value) ? "" : fmt::format("{}", static_cast<long long>(value));
  if (std::isnan(value)) return "nan";
  if (column.kind == TableKind::f32) return fmt::format("{}", static_cast<float>(value));
  return fmt::format("{}", value);
}

}  // namespace tessera
