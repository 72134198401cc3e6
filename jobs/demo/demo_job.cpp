// SPDX-License-Identifier: Apache-2.0
#include "jobs/demo/demo_job.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <ctime>

#include "core/folder.hpp"
#include "core/machine.hpp"
#include "core/parallel.hpp"
#include "core/text_parts.hpp"
#include "io/temporary.hpp"
#include "jobs/batch_files.hpp"
#include "jobs/demo/demo_page.hpp"
#include "jobs/timing.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

void describe_machine(DemoResult& result) {
  const Machine& machine = this_machine();
  result.version = TESSERA_VERSION;
  result.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  result.machine = machine.cpu_name;
  result.threads = available_threads();
  if (!machine.devices.empty()) result.device = machine.devices.front().name;
  result.no_device_reason = machine.no_device_reason;
}

}  // namespace

std::vector<const DemoPart*> DemoJob::chosen(const std::vector<DemoPart>& parts) const {
  std::vector<const DemoPart*> list;
  std::vector<std::string> known, wanted;
  for (const DemoPart& part : parts) known.push_back(part.operation);
  for (const std::string_view part : parts_of(only, ',')) {
    const std::string word(part);
    if (std::ranges::find(known, word) == known.end()) throw_unknown("--only", word, known);
    wanted.push_back(word);
  }
  for (const DemoPart& part : parts)
    if (only.empty() || std::ranges::find(wanted, part.operation) != wanted.end())
      list.push_back(&part);
  return list;
}

// Commands of the parts replace existing files, so their folders must be new too.
void DemoJob::check_new(const std::vector<const DemoPart*>& parts) const {
  if (output.empty()) throw Error(ErrorKind::usage, "--output: the folder has no name; give one");
  if (force) return;
  std::vector<std::string> names{"index.html", "demo.json"};
  for (const DemoPart* part : parts) names.push_back(part->operation);
  for (const std::string& name : names) {
    const std::string path = joined(output, name);
    struct stat status {};
    if (::lstat(path.c_str(), &status) == 0) throw exists_error(path);
  }
}

DemoResult DemoJob::run(const std::vector<DemoPart>& all, const RunLine& line,
                        const DemoListener& listener) const {
  const std::vector<const DemoPart*> parts = chosen(all);
  check_new(parts);
  if (backend == Backend::cuda && this_machine().devices.empty())
    throw Error(ErrorKind::usage, fmt::format("--backend cuda: {}; leave it out or give cpu",
                                              this_machine().no_device_reason));
  const std::string folder = absolute_name(made_folder(output));
  DemoFiles files(folder, force);
  DemoResult result{.page = joined(output, "index.html"), .backend = to_text(backend)};
  describe_machine(result);
  result.seed = seed;
  result.quick = quick;
  {
    const Stopwatch watch(result.seconds);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (listener.begins) listener.begins(*parts[k], k, parts.size());
      result.parts.push_back(run_demo_part(*parts[k], joined(folder, parts[k]->operation), line));
      result.right += result.parts.back().right;
      if (listener.ended) listener.ended(result.parts.back());
    }
  }
  files.write(result);
  return result;
}

}  // namespace tessera
