// SPDX-License-Identifier: Apache-2.0
/// The files of a batch as tasks: what is to be done, by what the manifest says of earlier runs,
/// and texts about them for other ranks.
#pragma once

#include <string>
#include <vector>

#include "jobs/batch.hpp"
#include "jobs/batch_manifest.hpp"
#include "report/json.hpp"

namespace tessera {

/// One file of the batch before work on it begins.
struct BatchTask {
  BatchItem item;
  ManifestLine line;
  bool had = false, replace = false;
  bool unproved = false;    ///< it would be had, but its line has no digests
  std::string changed;      ///< it would be had, but its files are not those of its line
  bool own_folder = false;  ///< the folder did not exist: what is in it after a failure is ours
};

bool is_taken(const BatchItem& item, const Batch& batch);

std::vector<BatchTask> plan_tasks(const std::vector<BatchItem>& items, const Batch& batch,
                                  const Manifest& manifest);
/// About outputs of an earlier run that are made again.
std::vector<std::string> notes_of(const std::vector<BatchTask>& tasks, const std::string& manifest);
void note_plans(const std::vector<BatchTask>& tasks, const Batch& batch, Manifest& manifest);

/// Which of the tasks are to be done, and how, for ranks that do not have the manifest.
std::string flags_of(const std::vector<BatchTask>& tasks);
std::vector<BatchTask> flagged_tasks(const std::vector<BatchItem>& items, const Batch& batch,
                                     const std::string& flags);

/// The outcome of a file, for rank 0, which has the manifest.
std::string outcome_text(std::size_t index, const BatchFile& file, const BatchTask& task);
BatchFile parse_outcome(const Json& json, BatchTask& task);

}  // namespace tessera
