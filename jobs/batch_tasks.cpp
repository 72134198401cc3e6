// SPDX-License-Identifier: Apache-2.0
#include "jobs/batch_tasks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/folder.hpp"
#include "core/parallel.hpp"
#include "jobs/batch_files.hpp"

namespace tessera {
namespace {

ManifestLine new_line(const BatchItem& item, const Batch& batch) {
  ManifestLine line;
  line.input = storable(absolute_name(item.input));
  line.stamp = stamp_of(item.input);
  line.output = storable(name_in_folder(item.output));
  line.parameters = storable(batch.parameters);
  line.state = "planned";
  return line;
}

bool has_link(const BatchItem& item, const Batch& batch) {
  return batch.files ? std::ranges::any_of(batch.files(item), is_link) : is_link(item.output);
}

// The output was made of the same input in the same way.
bool is_same(const ManifestLine& line, const ManifestLine* before) {
  return before && before->state == "ok" && before->input == line.input &&
         before->stamp == line.stamp && before->parameters == line.parameters;
}

}  // namespace

// One of its files exists, or something else of that name.
bool is_taken(const BatchItem& item, const Batch& batch) {
  const auto exists = [](const std::string& path) { return is_link(path) || path_exists(path); };
  return batch.files ? std::ranges::any_of(batch.files(item), exists) : exists(item.output);
}

std::vector<BatchTask> plan_tasks(const std::vector<BatchItem>& items, const Batch& batch,
                                  const Manifest& manifest) {
  std::vector<BatchTask> tasks;
  for (const BatchItem& item : items) {
    BatchTask task{item, new_line(item, batch)};
    const ManifestLine* before = manifest.find(task.line.output);
    task.had = is_same(task.line, before) && !before->files.empty();
    task.unproved = is_same(task.line, before) && before->files.empty();
    task.own_folder = !batch.proof.empty() && !path_exists(item.output);
    // The manifest names files that this batch made, and it makes no links.
    task.replace = batch.force || (before && before->state != "foreign" && !has_link(item, batch));
    if (task.had) {
      task.line.warnings = before->warnings;
      task.line.files = before->files;
      task.line.seconds = before->seconds;
    }
    tasks.push_back(std::move(task));
  }
  run_at_once(static_cast<int>(tasks.size()), batch.at_once, [&](int i) {
    BatchTask& task = tasks[static_cast<std::size_t>(i)];
    if (task.had) task.changed = difference_from(task.line.files, task.item, batch);
    task.had = task.had && task.changed.empty();
  });
  return tasks;
}

std::vector<std::string> notes_of(const std::vector<BatchTask>& tasks,
                                  const std::string& manifest) {
  std::vector<std::string> notes;
  for (const BatchTask& task : tasks)
    if (!task.changed.empty()) notes.push_back("made again: " + task.changed);
  if (const auto count = std::ranges::count(tasks, true, &BatchTask::unproved))
    notes.push_back(
        fmt::format("made again: {} outputs whose lines in {} are of an earlier version "
                    "and have no digests",
                    count, manifest));
  return notes;
}

// Outputs are in the manifest before they exist: if the process is killed between an output and its
// line, the next run may replace that output.
void note_plans(const std::vector<BatchTask>& tasks, const Batch& batch, Manifest& manifest) {
  std::vector<ManifestLine> lines;
  for (const BatchTask& task : tasks)
    if (!task.had && !manifest.find(task.line.output) && !is_taken(task.item, batch))
      lines.push_back(task.line);
  manifest.append(lines);
}

std::string flags_of(const std::vector<BatchTask>& tasks) {
  std::string flags;
  for (const BatchTask& task : tasks)
    flags += static_cast<char>('0' + (task.had ? 1 : 0) + (task.replace ? 2 : 0) +
                               (task.own_folder ? 4 : 0));
  return flags;
}

std::vector<BatchTask> flagged_tasks(const std::vector<BatchItem>& items, const Batch& batch,
                                     const std::string& flags) {
  std::vector<BatchTask> tasks;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const int flag = flags.at(i) - '0';
    BatchTask task{items[i], new_line(items[i], batch)};
    task.had = (flag & 1) != 0, task.replace = (flag & 2) != 0, task.own_folder = (flag & 4) != 0;
    tasks.push_back(std::move(task));
  }
  return tasks;
}

std::string outcome_text(std::size_t index, const BatchFile& file, const BatchTask& task) {
  Json files = Json::array();
  for (const MadeFile& made : task.line.files)
    files.push_back({made.name, made.bytes, made.digest});
  const Json json{{"index", index},
                  {"state", file.state},
                  {"seconds", file.seconds},
                  {"error", file.error},
                  {"kind", static_cast<int>(file.kind)},
                  {"warnings", file.warnings},
                  {"files", files}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

BatchFile parse_outcome(const Json& json, BatchTask& task) {
  BatchFile file{task.item.input, task.item.output, json.at("state").get<std::string>()};
  file.seconds = json.at("seconds").get<double>();
  file.error = json.at("error").get<std::string>();
  file.kind = ErrorKind{json.at("kind").get<int>()};
  file.warnings = json.at("warnings").get<std::vector<std::string>>();
  task.line.files.clear();
  for (const Json& made : json.at("files"))
    task.line.files.push_back({made.at(0).get<std::string>(), made.at(1).get<long long>(),
                               made.at(2).get<std::string>()});
  return file;
}

}  // namespace tessera
