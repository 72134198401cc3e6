// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "io/child_process.hpp"
#include "io/output.hpp"
#include "jobs/cells/cells_page_data.hpp"
#include "jobs/cells/cells_page_film.hpp"
#include "report/base64.hpp"
#include "report/page.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr const char* kScripts[] = {"cells_page_data.js",     "cells_page_overlay.js",
                                    "cells_page_view.js",     "cells_page_film.js",
                                    "cells_page_charts.js",   "cells_page_table.js",
                                    "cells_page_measures.js", "cells_page_edits.js",
                                    "cells_page_correct.js",  "cells_page.js"};
constexpr const char* kNoFfmpeg =
    "the page shows no film: this needs the ffmpeg program, which was not found; install it";
// A multiple of three bytes, as base64 requires of pieces.
constexpr long long kPiece = 3LL << 16;

long long fixed_bytes() {
  long long bytes = 0;
  for (const std::string_view name :
       {kPageHead, std::string_view("cells_page.html"), std::string_view("cells_page.css")})
    bytes += static_cast<long long>(page_text(name).size());
  for (const char* script : kScripts) bytes += static_cast<long long>(page_text(script).size());
  return bytes;
}

class PageFile {
 public:
  PageFile(const std::string& path, bool force) : output_(path, force) {}

  void write(std::string_view text) {
    output_.file().write_all(bytes_, text.data(), static_cast<long long>(text.size()));
    bytes_ += static_cast<long long>(text.size());
  }
  void write_base64(const File& file, long long bytes) {
    std::vector<unsigned char> piece(kPiece);
    for (long long at = 0; at < bytes; at += kPiece)
      write(base64({piece.data(), static_cast<std::size_t>(file.read_some(
                                      at, piece.data(), std::min(kPiece, bytes - at)))}));
  }
  void finish() { output_.finish(); }

 private:
  Output output_;
  long long bytes_ = 0;
};

}  // namespace

std::string write_cells_report(const CellsFilmResult& result, const std::string& input,
                               const FilmReading& reading, const std::string& path, bool force,
                               const Progress& progress, long long most_bytes) {
  PageFile page(path, force);  // begun first: an impossible name is reported before the work
  std::string note = find_program("ffmpeg", "TESSERA_FFMPEG").empty() ? kNoFfmpeg : "";
  std::optional<PageFilm> shown;
  if (note.empty()) {
    const ShownFilm longest{99999, 99999, kPageFilmRate};
    const long long others =
        fixed_bytes() + static_cast<long long>(cells_page_data(result, longest, note).size() +
                                               html_text(result.film.name).size());
    try {
      shown = encode_page_film(input, reading, result.film.frames,
                               (most_bytes - others) / 4 * 3 - 3, path, progress);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::failure) throw;  // an ffmpeg without H.264 counts as missing
      note = std::string("the page shows no film: ") + error.what();
    }
  }
  const ShownFilm about =
      shown ? ShownFilm{shown->width, shown->height, kPageFilmRate} : ShownFilm{};
  fill_page(
      page_text("cells_page.html"), [&](std::string_view text) { page.write(text); },
      [&](std::string_view name) {
        if (name == "title") page.write(html_text(result.film.name + ": cells"));
        if (name == "style") page.write(page_text("cells_page.css"));
        if (name == "data") page.write(cells_page_data(result, about, note));
        if (name == "film" && shown) page.write_base64(shown->file, shown->bytes);
        if (name == "script")
          for (const char* script : kScripts) page.write(page_text(script));
      });
  page.finish();
  return note;
}

}  // namespace tessera
