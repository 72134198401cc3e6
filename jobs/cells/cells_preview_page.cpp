// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_preview_page.hpp"

#include <algorithm>
#include <string_view>

#include "report/base64.hpp"
#include "report/json.hpp"
#include "report/page.hpp"

namespace tessera {
namespace {

constexpr const char* kPreviewScripts[] = {"page_elements.js", "page_picture.js", "page_bars.js",
                                           "cells_preview_histogram.js", "cells_preview.js"};
constexpr const char* kPreviewStyles[] = {"cells_page.css", "cells_preview.css"};
/// The longer side of a picture; four of them are at most 6 MB of page.
constexpr int kMostPictureSide = 1024;

std::string preview_data(const CellsPreview& preview, const std::vector<PreviewPicture>& pictures) {
  Json data = to_json(preview);
  // The same film and options make the same page, whatever it is called.
  data.erase("seconds");
  data.erase("output");
  data["version"] = "tessera " TESSERA_VERSION;
  data["pictures"] = Json::array();
  for (const PreviewPicture& picture : pictures)
    data["pictures"].push_back({{"width", picture.width},
                                {"height", picture.height},
                                {"side", picture.side},
                                {"levels", base64(picture.levels)}});
  return script_json(data.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

PreviewPicture preview_picture(View<const std::uint8_t> frame) {
  const Size size = frame.size;
  const int side = (std::max(size.width, size.height) - 1) / kMostPictureSide + 1;
  PreviewPicture picture{(size.width - 1) / side + 1, (size.height - 1) / side + 1, side, {}};
  for (int top = 0; top < size.height; top += side)
    for (int left = 0; left < size.width; left += side) {
      const int bottom = std::min(top + side, size.height);
      const int right = std::min(left + side, size.width);
      int sum = 0;
      for (int y = top; y < bottom; ++y)
        for (int x = left; x < right; ++x) sum += frame.at(x, y);
      const int count = (bottom - top) * (right - left);
      picture.levels.push_back(static_cast<std::uint8_t>((sum + count / 2) / count));
    }
  return picture;
}

std::string preview_page(const CellsPreview& preview, const std::vector<PreviewPicture>& pictures) {
  std::string page;
  fill_page(
      page_text("cells_preview.html"), [&](std::string_view text) { page += text; },
      [&](std::string_view name) {
        if (name == "title") page += html_text(preview.film.name + ": preview of cells");
        if (name == "style")
          for (const char* style : kPreviewStyles) page += page_text(style);
        if (name == "data") page += preview_data(preview, pictures);
        if (name == "script")
          for (const char* script : kPreviewScripts) page += page_text(script);
      });
  return page;
}

}  // namespace tessera
