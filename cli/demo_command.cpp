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
    R"(Every operation at work in its field: seeded data with known truth is made, the
work is done and timed, what came out is checked against the truth. The page
OUT/index.html has pictures, commands and Python lines; it needs nothing else.
OUT/demo.json has the same in numbers, OUT/noise and so on all files.

Parts: convolve, correlate, enhance, cells, faraday, xengine, noise.
The exit code is 1 where a check does not hold.

Examples:
  tessera demo
  tessera demo -o tour --seed 7 --backend cpu
  tessera demo --only noise,cells --quick --force
)";

/// On a terminal nothing wraps: the page has whole sentences.
std::string fitted(std::string line) {
  const auto width = static_cast<std::size_t>(terminal_width(STDOUT_FILENO));
  if (isatty(STDOUT_FILENO) == 0 || line.size() <= width) return line;
  std::size_t end = width - 1;
  while (end > 0 && (line[end] & 0xC0) == 0x80) --end;  // whole characters
  return line.substr(0, end) + "…";
}

/// Which part runs, on terminals, and a line for each that has ended.
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
  /// How far a command is does not say how far the demo is: only the words stand.
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
  Command command = program.command("demo", "Show every operation at work, checked, on one page.");
  command.output_option(job->output, "the folder to make (default: demo)", false);
  command.options(*job);
  command.talk();
  command.notes(kDemoNotes);
  command.action([job](Session& session) { session.say(run_demo(*job, session)); });
}

}  // namespace tessera
