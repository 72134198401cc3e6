// SPDX-License-Identifier: Apache-2.0
#include "cli/tune_plots.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "jobs/picture.hpp"

namespace tessera {
namespace {

std::vector<FilterFigure> figures_of(const PlotSurface& surface) {
  std::vector<FilterFigure> figures;
  for (const PlotPoint& point : surface.points)
    if (std::min(point.fw, point.fh) >= 3 && std::max(point.fw, point.fh) <= 43)  // the paper's
      figures.push_back({point.fw, point.fh, point.value});
  return figures;
}

struct Drawing {
  std::string name;
  Plot plot;
};

std::vector<Drawing> drawings_of(const PlotData& data, PictureFormat format) {
  const auto title = [&](const std::string& what) { return data.machine + ": " + what; };
  std::vector<Drawing> list;
  for (const PlotSurface& surface : data.gflops)
    list.push_back({surface.name, plot_speed(title(surface.title), figures_of(surface), format)});
  if (!data.tile_factor.points.empty())
    list.push_back({data.tile_factor.name, plot_tiles(title(data.tile_factor.title),
                                                      figures_of(data.tile_factor), format)});
  if (!data.speed_up.points.empty())
    list.push_back({data.speed_up.name, plot_over_fft(title("speed of direct over fft"),
                                                      figures_of(data.speed_up), format)});
  std::vector<NamedShare> shares;
  for (const auto& [block, share] : data.block_shares) shares.push_back({block, share});
  if (!shares.empty())
    list.push_back({"blocks", plot_shares(title("blocks chosen"), "block, threads across x down",
                                          shares, format)});
  return list;
}

}  // namespace

PlotReport draw_table(const PlotData& data, const std::string& folder, bool png, bool force) {
  PlotReport report;
  report.machine = data.machine;
  for (const Drawing& drawing : drawings_of(data, png ? PictureFormat::png : PictureFormat::svg)) {
    const std::string path =
        fmt::format("{}/{}-{}.{}", folder, data.machine, drawing.name, png ? "png" : "svg");
    const Picture picture = draw_picture(drawing.plot, path, force);
    if (!picture.path.empty()) report.pictures.push_back(picture.path);
    report.numbers.push_back(picture.numbers);
    if (!picture.note.empty()) report.notes.push_back(picture.note);
  }
  return report;
}

std::string PlotReport::describe() const {
  std::string text = fmt::format("{}: {} pictures", machine, pictures.size());
  for (const std::string& picture : pictures) text += "\n  " + picture;
  for (const std::string& note : notes) text += "\n  " + note;
  return text;
}

}  // namespace tessera
