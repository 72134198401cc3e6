// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/detect_job.hpp"

#include <fmt/format.h>

#include <optional>

#include "core/counted.hpp"
#include "core/parallel.hpp"
#include "jobs/cells/cells_follow.hpp"
#include "jobs/cells/cells_text.hpp"
#include "jobs/cells/film_source.hpp"
#include "jobs/result.hpp"

namespace tessera {
namespace {

constexpr int kFramesInFlight = 3;
constexpr const char* kHeader = "FRAME,POSITION_X,POSITION_Y,RADIUS,SCORE\n";

struct Frame {
  Image image;
  int number = 0;
  std::vector<CellDetection> cells;
};

std::string line_of(const DetectedCell& cell) {
  return fmt::format("{},{:.9g},{:.9g},{:.9g},{:.9g}\n", cell.frame, cell.x, cell.y, cell.radius,
                     cell.score);
}

// Rows are written to the table as they come, however long the film is; without a table they are
// kept.
class Keeper {
 public:
  Keeper(std::optional<TextFile>& table, DetectResult& result) : table_(table), result_(result) {
    if (table_) table_->add(kHeader);
  }
  void keep(const Frame& frame) {
    const Stopwatch watch(result_.seconds.write);
    for (const CellDetection& cell : frame.cells) {
      const DetectedCell row{frame.number, cell.x, cell.y, cell.radius, cell.score};
      if (table_)
        table_->add(line_of(row));
      else
        result_.cells.push_back(row);
    }
    result_.count += static_cast<int>(frame.cells.size());
    ++result_.frames;
  }

 private:
  std::optional<TextFile>& table_;
  DetectResult& result_;
};

void detect_all(const DetectJob& job, FilmSource& source, const Cells& plan, DetectResult& result,
                Keeper& keeper, const Progress& progress) {
  Stream stream = job.settings.stream(plan.device());
  const auto read = [&](Frame& frame) {
    const Stopwatch watch(result.seconds.read);
    frame.number = source.first_frame() + source.read_so_far();
    return source.next(frame.image);
  };
  const auto work = [&](Frame& frame) {
    const Stopwatch watch(result.seconds.work);
    frame.cells = plan.detect(std::as_const(frame.image).view(), stream);
  };
  const auto keep = [&](Frame& frame) {
    keeper.keep(frame);
    if (progress) progress(result.frames, source.frames());
  };
  ordered<Frame>(read, work, keep, kFramesInFlight);
}

}  // namespace

DetectResult DetectJob::run(const Progress& progress) const {
  DetectResult result{.input = input, .output = output};
  const Stopwatch watch(result.seconds.all);
  FilmSource source(input, limited(reading, settings));
  const Cells plan(source.frame(), options);
  std::optional<TextFile> table;  // made first: if it cannot be made, that is reported now
  if (!output.empty()) table.emplace(output, force);
  result.ran = plan.describe();
  Keeper keeper(table, result);
  detect_all(*this, source, plan, result, keeper, progress);
  result.notes = source.notes();
  if (!source.damage().empty())
    result.warnings.push_back(fmt::format("{}; cells are those of the {} before", source.damage(),
                                          counted(result.frames, "frame")));
  if (!table) return result;
  const Stopwatch writing_watch(result.seconds.write);
  table->finish();
  return result;
}

std::string DetectResult::describe() const {
  if (!output.empty()) {
    const std::string text =
        fmt::format("{}\n{}: {} in {}; {:.3g} s", ran, output, counted(count, "cell"),
                    counted(frames, "frame"), seconds.all);
    return text + notes_text(notes);
  }
  std::string text = kHeader;
  for (const DetectedCell& cell : cells) text += line_of(cell);
  text.pop_back();  // print ends the line
  return text;
}

}  // namespace tessera
