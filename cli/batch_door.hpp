// SPDX-License-Identifier: Apache-2.0
/// One file or many: what the command line has in common for every job on files.
#pragma once

#include <string>
#include <vector>

#include "cli/session.hpp"
#include "jobs/batch.hpp"

namespace tessera {

inline constexpr const char* kInputHelp =
    "the image to read; - is standard input; with an output folder also a folder or a pattern in "
    "quotes";
inline constexpr const char* kOutputHelp =
    "the image to make; - is an NPY on standard output; a folder takes every input under its own "
    "name";

/// Runs a job, or one for every input where the output is a folder. `files` are what it reads
/// beside the input.
template <class Job>
void run_files(Session& session, const Job& job, const BatchOptions& options,
               const std::vector<std::string>& files = {}) {
  if (is_batch(job.output, options))
    session.say(run_each(session.label, job, options, files, session.progress()));
  else
    session.say(job.run(session.progress()));
}

}  // namespace tessera
