// SPDX-License-Identifier: Apache-2.0
#include "cli/tune_plots.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "jobs/picture.hpp"

namespace tessera {
namespace {

std::vector<FilterFigure> figures_of(const TableSurface& surface, const TablePictures& table) {
  std::vector<FilterFigure> figures;
  for (const SurfacePoint& point : surface.points)
    if (std::min(point.x, point.y) >= table.first_drawn &&
        std::max(point.x, point.y) <= table.last_drawn)
      figures.push_back({point.x, point.y, point.value, point.measured});
  return figures;
}

struct Drawing {
  std::string name;
  Plot plot;
};

std::vector<Drawing> drawings_of(const TablePictures& table, PictureFormat format) {
  const auto title = [&](const std::string& what) { return table.machine + ": " + what; };
  std::vector<Drawing> list;
  const auto add = [&](const TableSurface& surface, auto plot) {
    list.push_back({surface.name, plot(title(surface.title), figures_of(surface, table), format)});
  };
  for (const TableSurface& surface : table.speeds) add(surface, plot_speed);
  if (!table.whole_numbers.points.empty()) add(table.whole_numbers, plot_tiles);
  if (!table.speed_up.points.empty()) add(table.speed_up, plot_over_fft);
  std::vector<NamedShare> shares;
  for (const auto& [name, share] : table.shares) shares.push_back({name, share});
  if (!shares.empty())
    list.push_back(
        {"blocks", plot_shares(title(table.shares_title), table.shares_of, shares, format)});
  return list;
}

}  // namespace

PlotReport draw_table(const TablePictures& table, const std::string& folder, bool png, bool force) {
  PlotReport report;
  report.machine = table.machine;
  for (const Drawing& drawing : drawings_of(table, png ? PictureFormat::png : PictureFormat::svg)) {
    const std::string path =
        fmt::format("{}/{}-{}.{}", folder, table.machine, drawing.name, png ? "png" : "svg");
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
