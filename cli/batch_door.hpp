// SPDX-License-Identifier: Apache-2.0
/// One file or many: what the command line has in common for every job on files.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/session.hpp"
#include "jobs/batch.hpp"

namespace tessera {

inline constexpr const char* kInputHelp =
    "the image to read; - is standard input; with an output folder also a folder or a pattern in "
    "quotes";
inline constexpr const char* kOutputHelp =
    "the image to make; - is an NPY on standard output; a folder takes every input under its own "
    "name";

inline constexpr const char* kCheckHelp =
    "compare the result with the reference: all rows, or bands of them where the image is large";

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

/// What an image is worked on with: a filter, an element.
template <class Job>
struct Companion {
  const char* name;        ///< "FILTER"
  std::string Job::*text;  ///< where the job has it
  const char* help;
  std::string list;  ///< the names there are, for the end of the help
};

/// A command INPUT COMPANION OUTPUT, with all that jobs on image files have. `initial` holds what
/// the command line cannot say.
template <class Job>
void add_image_command(Command command, Job initial, const Companion<Job>& with,
                       const std::string& examples) {
  auto job = std::make_shared<Job>(std::move(initial));
  auto batch = std::make_shared<BatchOptions>();
  auto text = with.text;
  command.input("INPUT", job->input, kInputHelp);
  command.word(with.name, (*job).*text, with.name, with.help);
  command.output("OUTPUT", job->output, kOutputHelp);
  command.options(job->options);
  command.reading(job->reading);
  command.writing(job->writing);
  command.options(job->settings);
  command.options(*batch);
  command.flag("check", job->check, kCheckHelp);
  command.talk();
  command.notes(with.list + "\n" + examples);
  command.action(
      [job, batch, text](Session& session) { run_files(session, *job, *batch, {(*job).*text}); });
}

}  // namespace tessera
