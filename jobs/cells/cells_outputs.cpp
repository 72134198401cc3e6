// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_outputs.hpp"

#include <cstdio>
#include <deque>

#include "core/folder.hpp"
#include "io/output.hpp"
#include "io/output_set.hpp"
#include "jobs/batch_files.hpp"
#include "jobs/cells/cells_pictures.hpp"
#include "jobs/cells/cells_tables.hpp"
#include "jobs/cells/cells_text.hpp"
#include "jobs/cells/cells_xml.hpp"

namespace tessera {
namespace {

struct Table {
  const char* name;
  void (*write)(const CellsFilmResult& result, TextFile& file);
};
constexpr Table kTables[] = {
    {"tracks.csv", write_tracks},       {"summary.csv", write_summaries},
    {"histogram.csv", write_histogram}, {"spots.csv", write_trackmate_spots},
    {"trackmate.xml", write_trackmate}, {"isbi.xml", write_isbi},
};

}  // namespace

std::vector<std::string> cells_table_names() {
  std::vector<std::string> names;
  for (const Table& table : kTables) names.emplace_back(table.name);
  names.emplace_back(kCellsSummaryName);
  return names;
}

void prepare_folder(const CellsJob& job) {
  made_folder(job.output);
  for (const std::string& name : cells_table_names()) {
    const std::string path = joined(job.output, name);
    if (!job.force && stamp_of(path).bytes >= 0) throw exists_error(path);
  }
  if (const std::string name = job.force ? "" : existing_picture(job); !name.empty())
    throw exists_error(joined(job.output, name));
  // Begun and abandoned: a folder that cannot be written to is noticed now, not when the film is
  // done.
  Output(joined(job.output, kCellsSummaryName), true);
}

void write_cells_tables(const CellsJob& job, const CellsFilmResult& result, TextFile* other) {
  std::deque<TextFile> files;
  for (const Table& table : kTables) {
    table.write(result, files.emplace_back(joined(job.output, table.name), job.force));
    files.back().flush();
  }
  // Files that an earlier run made from other tracks are removed, whether they are made again or
  // not; without summary.json a folder is not done, whenever the run is interrupted.
  if (job.force) {
    std::remove(joined(job.output, kCellsSummaryName).c_str());
    remove_cells_pictures(job.output);
  }
  OutputSet together;
  for (TextFile& file : files) file.finish();
  if (other) other->finish();
  together.place();
}

void write_cells_summary(const CellsJob& job, const CellsFilmResult& result) {
  write_text(joined(job.output, kCellsSummaryName), summary_json(result), job.force);
}

}  // namespace tessera
