// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "ops/correlate/study/correlate_study.hpp"

namespace tessera {

const PublishedFigure* find_published(const std::string& device, const std::string& rung,
                                      const std::string& quantity) {
  for (const PublishedFigure& figure : published_figures("correlate"))
    if (figure.device == device && figure.rung == rung && figure.quantity == quantity)
      return &figure;
  return nullptr;
}

std::string published_times(const std::string& rung) {
  std::string text;
  for (const PublishedFigure& figure : published_figures("correlate")) {
    if (figure.rung != rung || (figure.quantity != "ms" && figure.quantity != "seconds")) continue;
    const std::string place = figure.source.substr(figure.source.find(' ') + 1);
    text += fmt::format("{}{} {} {} {}", text.empty() ? "" : ", ", figure.text,
                        figure.quantity == "ms" ? "ms" : "s", figure.device, place);
  }
  return text;
}

}  // namespace tessera
