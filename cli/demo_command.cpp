// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "jobs/demo/demo_job.hpp"

namespace tessera {
namespace {

constexpr const char* kDemoNotes =
    R"(Shows every operation on a typical task: makes seeded data with known truth,
runs and times the operation, and checks the result against the truth. The page
OUT/index.html has pictures, commands and Python lines, and stands alone.
OUT/demo.json has the numbers; OUT/noise and so on have the files.

Parts: convolve, correlate, enhance, cells, faraday, xengine, noise,
beam.
The exit code is 1 if a check fails.

Examples:
  tessera demo
  tessera demo -o tour --seed 7 --backend cpu
  tessera demo --only noise,cells --quick --force
)";

/// Lines are cut so that they do not wrap on a terminal: the page has the whole sentences.
std::string fitted(std::string line) {
  const auto width = static_cast<std::size_t>(terminal_width(STDOUT_FILENO));
  if (isatty(STDOUT_FILENO) == 0 || line.size() <= width) return line;
  std::size_t end = width - 1;
  while (end > 0 && (line[end] & 0xC0) == 0x80) --end;  // whole characters
  return line.substr(0, end) + "…";
}

/// Shows which part runs (on terminals) and prints a line for each part that has ended.
class Told {
 public:
  explicit Told(Session& session)
      : session_(session), progress_(session.progress_as([this](auto...) { return now_; })) {}

  DemoListener listener() {
    return {[this](const DemoPart& part, std::size_t number, std::size_t all) {
              now_ = fmt::format("{}, part {} of {}", part.operation, number + 1, all);
              show();
            },
            [this](const DemoPartResult& part) { session_.tell(fitted(part.describe())); }};
  }
  /// The progress of one command is not that of the demo: only the words are shown.
  void show() const {
    if (progress_) progress_(1, 0);
  }

 private:
  Session& session_;
  std::string now_;
  Progress progress_;
};

DemoResult run_demo(const DemoJob& job, Session& session) {
  Told told(session);
  const RunLine line = [&](const std::string& text) {
    Program program;
    add_all(program);
    return program.call(text, [&](long long, long long) { told.show(); });
  };
  return job.run(demo_parts(job.options()), line, told.listener());
}

}  // namespace

void add_demo(Program& program) {
  auto job = std::make_shared<DemoJob>();
  Command command = program.command(
      "demo", "Run every operation on seeded data, check it, and show all on one page.");
  command.output_option(job->output, "the folder to write to (default: demo)", false);
  command.options(*job);
  command.talk();
  command.notes(kDemoNotes);
  command.action([job](Session& session) { session.say(run_demo(*job, session)); });
}

}  // namespace tessera
