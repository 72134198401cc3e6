// SPDX-License-Identifier: Apache-2.0
#include "jobs/demo/demo_run.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <new>
#include <string_view>

#include "core/folder.hpp"
#include "io/file.hpp"
#include "jobs/batch_files.hpp"
#include "jobs/demo/find_demo_means.hpp"
#include "jobs/timing.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// "separable, van-herk": each word once.
void add_word(std::string& list, const std::string& word) {
  if ((", " + list + ", ").find(", " + word + ", ") != std::string::npos) return;
  list += (list.empty() ? "" : ", ") + word;
}

/// Plans end in ": cpu columns, neon, …": where and how.
void add_plan(const Json& said, DemoPartResult& result) {
  const std::string ran = said.value("ran", "");
  const std::size_t colon = ran.rfind(": ");
  if (colon == std::string::npos) return;
  const std::string plan = ran.substr(colon + 2, ran.find(',', colon) - colon - 2);
  const std::size_t blank = plan.find(' ');
  if (blank == std::string::npos) return;
  add_word(result.backend, plan.substr(0, blank));
  add_word(result.method, plan.substr(blank + 1));
}

/// The time that the work reports itself excludes reading and writing; not every command reports
/// it.
double own_seconds(const Json& said, double by_clock) {
  const auto seconds = said.is_object() ? said.find("seconds") : said.end();
  if (seconds == said.end()) return by_clock;
  if (seconds->is_number()) return *seconds;
  return seconds->is_object() ? seconds->value("work", by_clock) : by_clock;
}

Json run_step(const DemoCommand& command, const RunLine& run, DemoPartResult& result) {
  DemoStep& step = result.commands.emplace_back(DemoStep{command.line, command.is_work});
  Json said;
  try {
    const Stopwatch watch(step.seconds);
    said = run(command.line);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("'{}': {}", command.line, error.what()));
  }
  if (!command.is_work) return said;
  result.seconds += own_seconds(said, step.seconds);
  if (said.is_object()) add_plan(said, result);
  return said;
}

bool is_only_a_script(const std::string& file) {
  return !path_exists(file) && path_exists(std::filesystem::path(file).replace_extension(".gp"));
}

/// All of them must exist and be pictures; without gnuplot, its script may replace one.
std::vector<DemoPicture> shown_pictures(const std::vector<DemoPicture>& pictures) {
  std::vector<DemoPicture> shown;
  for (const DemoPicture& picture : pictures) {
    if (!gnuplot_is_here() && std::ranges::any_of(picture.files, is_only_a_script)) continue;
    for (const std::string& file : picture.files) picture_type(file);
    shown.push_back(picture);
  }
  return shown;
}

void run_steps(const DemoPart& part, const std::string& folder, const RunLine& run,
               DemoPartResult& result) {
  const InFolder in_folder(made_folder(folder));
  std::vector<Json> said;
  for (const DemoCommand& command : part.commands) said.push_back(run_step(command, run, result));
  const DemoCheck check = part.check(said);
  result.inputs = shown_pictures(part.inputs);
  result.outputs = shown_pictures(part.outputs);
  result.right = check.right;
  result.check = check.sentence;
}

void set_failed(DemoPartResult& result, const std::string& why) {
  result.failed = true;
  result.check = why;
}

}  // namespace

InFolder::InFolder(const std::string& folder)
    : before_(open_file(".", O_PATH | O_DIRECTORY | O_CLOEXEC)) {
  if (before_ >= 0 && ::chdir(folder.c_str()) == 0) return;
  const int error = errno;
  if (before_ >= 0) ::close(before_);
  throw system_error(ErrorKind::usage, folder, "the folder cannot be entered", error);
}

InFolder::~InFolder() {
  [[maybe_unused]] const int back = ::fchdir(before_);
  ::close(before_);
}

DemoPartResult run_demo_part(const DemoPart& part, const std::string& folder, const RunLine& run) {
  DemoPartResult result;
  result.operation = part.operation;
  result.field_of_work = part.field;
  result.title = part.title;
  result.story = part.story;
  result.python = part.python;
  try {
    const Stopwatch watch(result.part_seconds);
    run_steps(part, folder, run, result);
  } catch (const std::bad_alloc&) {
    set_failed(result, "memory ran out; free some and try again");
  } catch (const std::exception& error) {
    set_failed(result, error.what());
  }
  return result;
}

std::string picture_type(const std::string& path) {
  char bytes[8] = {};
  const long long got = File::open_to_read(path).read_some(0, bytes, sizeof bytes);
  const std::string_view head(bytes, static_cast<std::size_t>(got));
  if (head == "\x89PNG\r\n\x1a\n") return "image/png";
  if (head.starts_with("\xff\xd8\xff")) return "image/jpeg";
  throw Error(ErrorKind::failure,
              fmt::format("{}: it is not a PNG or JPEG that a page can show", path));
}

}  // namespace tessera
