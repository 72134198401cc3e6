// SPDX-License-Identifier: Apache-2.0
/// One file or many: the options that all commands on files share.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/devices.hpp"
#include "cli/session.hpp"
#include "jobs/batch.hpp"

namespace tessera {

inline constexpr const char* kInputHelp =
    "the image to read; - is standard input; if OUTPUT is a folder, also a folder or a quoted "
    "pattern";
inline constexpr const char* kOutputHelp =
    "the image to write; - writes NPY to standard output; in a folder each image keeps its input's "
    "name";

inline constexpr const char* kCheckHelp =
    "compare the result with the reference: all rows, or bands of rows if the image is large";

/// Runs a job, or one job per input if the output is a folder. `files` are read besides the input.
template <class Job>
void run_files(Session& session, const Job& job, const BatchOptions& options,
               const std::vector<std::string>& files = {}) {
  on_devices(session, job, [&](Session& one, const Job& own) {
    if (is_batch(own.output, options))
      one.say(run_each(one.label, own, options, files, one.progress()));
    else
      one.say(own.run(one.progress()));
  });
}

/// Whether all ranks can work on it: those besides the first have no standard input or output.
template <class Job>
bool between_files(const Job& job) {
  return job.input != "-" && job.output != "-";
}

/// The second input of an operation: a filter, an element.
template <class Job>
struct Companion {
  const char* name;        ///< "FILTER"
  std::string Job::*text;  ///< its place in the job
  const char* help;
  std::string list;  ///< the known names, for the end of the help
};

/// A command INPUT COMPANION OUTPUT with all options of jobs on image files. `initial` holds what
/// the command line cannot set.
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
  command.share([job] { return between_files(*job); });
  command.notes(with.list + "\n" + examples);
  command.action(
      [job, batch, text](Session& session) { run_files(session, *job, *batch, {(*job).*text}); });
}

}  // namespace tessera
