// SPDX-License-Identifier: Apache-2.0
#include "io/fits/fits_beams.hpp"

#include <fmt/format.h>

#include <numbers>
#include <optional>

#include "core/refuse.hpp"
#include "io/fits/fits_table.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// A column: the place of its number in a row, and the factor to degrees.
struct BeamColumn {
  long long offset = -1;
  char type = 'E';
  double factor = 1;
};

double degrees_of(const FitsHeader& header, const std::string& unit) {
  if (unit.empty() || unit == "deg" || unit == "DEG") return 1;
  if (unit == "arcmin") return 1.0 / 60;
  if (unit == "arcsec") return 1.0 / 3600;
  if (unit == "mas") return 1.0 / 3.6e6;
  if (unit == "rad") return 180 / std::numbers::pi;
  refuse_input(header.name(),
               fmt::format("a column of its beams is in '{}'; it must be in deg, arcmin, arcsec, "
                           "mas or rad",
                           unit));
}

double number_at(const unsigned char* row, const BeamColumn& column) {
  return fits_cell(row + column.offset, column.type);
}

/// The columns of a table by their names.
class BeamColumns {
 public:
  explicit BeamColumns(const FitsHeader& header) {
    const long long fields = header.needed_integer("TFIELDS", 0, 999);
    long long offset = 0;
    for (long long n = 1; n <= fields; ++n) {
      const FitsForm form = fits_form(header.text(fmt::format("TFORM{}", n)));
      const std::string name = header.text(fmt::format("TTYPE{}", n));
      BeamColumn* const column = wanted(name);
      if (column) {
        if (form.repeat != 1 ||
            std::string_view("EDIJK").find(form.letter) == std::string_view::npos)
          refuse_input(header.name(), fmt::format("its column {} is '{}'; it must be one number",
                                                  name, header.text(fmt::format("TFORM{}", n))));
        const bool is_angle = name.starts_with('B');
        *column = {offset, form.letter,
                   is_angle ? degrees_of(header, header.text(fmt::format("TUNIT{}", n))) : 1};
      }
      offset += form.bytes();
    }
    bytes_ = header.needed_integer("NAXIS1", 1, 1 << 16);
    if (major.offset < 0 || minor.offset < 0 || angle.offset < 0 || offset > bytes_)
      refuse_input(header.name(),
                   "it lacks one of the columns BMAJ, BMIN and BPA, or its rows are "
                   "shorter than its columns");
  }

  BeamRow row(const unsigned char* bytes) const {
    const auto index = [&](const BeamColumn& column) {
      return column.offset < 0 ? 0 : static_cast<int>(number_at(bytes, column));
    };
    return {number_at(bytes, major) * major.factor, number_at(bytes, minor) * minor.factor,
            number_at(bytes, angle) * angle.factor, index(channel), index(polarisation)};
  }
  long long bytes() const { return bytes_; }
  bool has_channels() const { return channel.offset >= 0; }

 private:
  BeamColumn* wanted(const std::string& name) {
    if (name == "BMAJ") return &major;
    if (name == "BMIN") return &minor;
    if (name == "BPA") return &angle;
    if (name == "CHAN") return &channel;
    return name == "POL" ? &polarisation : nullptr;
  }

  BeamColumn major, minor, angle, channel, polarisation;
  long long bytes_ = 0;
};

void read_rows_of(FitsBytes& bytes, const FitsHdu& hdu, const ReadOptions& options,
                  BeamTable& table) {
  const BeamColumns columns(hdu.header);
  const long long rows = hdu.header.needed_integer("NAXIS2", 0, 1LL << 40);
  check_count(bytes.path(), "pages", rows, options.limits.pages);
  std::vector<unsigned char> row(static_cast<std::size_t>(columns.bytes()));
  for (long long n = 0; n < rows; ++n) {
    if (bytes.read_some(hdu.data_offset + n * columns.bytes(), row.data(), columns.bytes()) <
        columns.bytes())
      refuse_input(hdu.header.name(), fmt::format("its {} beams end after {}", rows, n));
    table.rows.push_back(columns.row(row.data()));
    if (!columns.has_channels()) table.rows.back().channel = static_cast<int>(n);
  }
}

}  // namespace

BeamTable read_beam_table(FitsBytes& bytes, const FitsHdu& image, const ReadOptions& options) {
  BeamTable table;
  if (!image.header.is_true("CASAMBM")) return table;
  try {
    long long offset = 0;
    for (int number = 0;; ++number) {
      check_count(bytes.path(), "pages", number, options.limits.pages);
      const auto hdu = read_hdu(bytes, number, offset, options.limits);
      if (!hdu)
        refuse_input(image.header.name(),
                     "its card CASAMBM announces beams in a table BEAMS, and "
                     "the file has no such table");
      if (hdu->kind() == "BINTABLE" && hdu->header.text("EXTNAME") == "BEAMS") {
        read_rows_of(bytes, *hdu, options, table);
        return table;
      }
      offset = next_hdu_offset(*hdu);
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    table.rows.clear();
    table.wrong = error.what();
  }
  return table;
}

}  // namespace tessera
