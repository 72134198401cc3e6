// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "ops/correlate/study/correlate_study.hpp"
#include "study/code_lines.hpp"

namespace tessera {

const std::vector<PublishedFigure>& correlate_published() {
  constexpr const char* kName = "ops/correlate/study/published.tsv";
  static const std::vector<PublishedFigure> figures = parse_published(kName, study_text(kName));
  return figures;
}

const PublishedFigure* find_published(const std::string& device, const std::string& rung,
                                      const std::string& quantity) {
  for (const PublishedFigure& figure : correlate_published())
    if (figure.device == device && figure.rung == rung && figure.quantity == quantity)
      return &figure;
  return nullptr;
}

std::string published_times(const std::string& rung) {
  std::string text;
  for (const PublishedFigure& figure : correlate_published()) {
    if (figure.rung != rung || (figure.quantity != "ms" && figure.quantity != "seconds")) continue;
    const std::string place = figure.source.substr(figure.source.find(' ') + 1);
    text += fmt::format("{}{} {} {} {}", text.empty() ? "" : ", ", figure.text,
                        figure.quantity == "ms" ? "ms" : "s", figure.device, place);
  }
  return text;
}

}  // namespace tessera
