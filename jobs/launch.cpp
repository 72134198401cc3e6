// SPDX-License-Identifier: Apache-2.0
#include "jobs/launch.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <thread>
#include <vector>

#include "core/counted.hpp"
#include "core/environment.hpp"
#include "core/machine.hpp"
#include "core/node_share.hpp"
#include "core/parallel.hpp"
#include "core/ranks.hpp"
#include "io/plugin.hpp"
#include "jobs/job_files.hpp"
#include "report/json.hpp"
#include "tessera/printable.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// A variable that holds a number; -1 if it is not set or does not.
int number_in(const char* name) {
  const std::string text = environment(name);
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number >= 0 ? number : -1;
}

// SLURM_NTASKS is set in a batch script too, which runs once: only a step's own variables count.
Launch find_launch() {
  if (const int count = number_in("OMPI_COMM_WORLD_SIZE"); count > 0)
    return {"openmpi", std::max(0, number_in("OMPI_COMM_WORLD_RANK")), count};
  if (const int count = number_in("PMI_SIZE"); count > 0)
    return {"mpich", std::max(0, number_in("PMI_RANK")), count};
  const int step = std::max(0, number_in("SLURM_STEP_NUM_TASKS"));
  if (const int rank = number_in("PMIX_RANK"); rank >= 0) return {"openmpi", rank, step};
  if (step > 1 && number_in("SLURM_STEP_ID") >= 0)
    return {"openmpi", std::max(0, number_in("SLURM_PROCID")), step};
  return {};
}

const char* name_of_mpi(const std::string& mpi) { return mpi == "mpich" ? "MPICH" : "Open MPI"; }

std::unique_ptr<Ranks> open_mpi(const std::string& mpi) {
  const std::string path = mpi_library(mpi);
  if (path.empty())
    throw Error(
        ErrorKind::usage,
        fmt::format("--mpi: libtessera_mpi_{0}.so is not installed with this tool; build it "
                    "where {1} is installed, or give --mpi off",
                    mpi, name_of_mpi(mpi)));
  // Global: libraries that MPI opens later want its symbols.
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!library)
    throw Error(ErrorKind::usage,
                fmt::format("--mpi: {} cannot be opened: {}; install {}, or give --mpi off", path,
                            ::dlerror(), name_of_mpi(mpi)));
  const auto version = reinterpret_cast<const char* (*)()>(::dlsym(library, "tessera_mpi_version"));
  const auto make = reinterpret_cast<Ranks* (*)()>(::dlsym(library, "tessera_mpi_ranks"));
  if (!version || !make || version() != std::string(TESSERA_VERSION))
    throw Error(ErrorKind::usage,
                fmt::format("--mpi: {} belongs to another version of the tool; install both of {}",
                            path, TESSERA_VERSION));
  return std::unique_ptr<Ranks>(make());
}

void check_choice(const std::string& word) {
  for (const char* known : {"auto", "on", "off", "openmpi", "mpich"})
    if (word == known) return;
  throw Error(
      ErrorKind::usage,
      fmt::format("--mpi: '{}' is not one of auto, on, off, openmpi, mpich", printable(word)));
}

std::string allowed_cores_text() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::string text;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return text;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &set)) text += fmt::format("{} ", core);
  return text;
}

/// The GPU of a rank: that of the list, or of the machine, at its number on the machine modulo the
/// length. The driver has not been opened yet, and sees only that one, as device 0. A GPU that is
/// not there keeps its number, which plans refuse.
int choose_gpu(int rank_on_machine, const DeviceList& asked) {
  std::vector<std::string> devices;
  std::istringstream list(environment("CUDA_VISIBLE_DEVICES"));
  for (std::string one; std::getline(list, one, ',');) devices.push_back(one);
  std::error_code ignored;
  if (devices.empty())
    for (int i = 0; fs::exists(fmt::format("/dev/nvidia{}", i), ignored); ++i)
      devices.push_back(std::to_string(i));
  const int count = std::max(1, static_cast<int>(devices.size()));
  const int own = asked.named.empty() ? rank_on_machine % count : asked.of_rank(rank_on_machine);
  if (count == 1 || own >= count) return own;
  ::setenv("CUDA_VISIBLE_DEVICES", devices[static_cast<std::size_t>(own)].c_str(), 1);
  return 0;
}

/// A core that several ranks of a machine may use is divided among them. Returns the device of this
/// one.
int take_share_of_machine(Ranks& all, const DeviceList& devices) {
  const std::string here = host_name();
  const std::vector<std::string> hosts = all.gathered(here);
  const std::vector<std::string> cores = all.gathered(allowed_cores_text());
  std::map<int, int> users;
  int processes = 0, before = 0;
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    if (hosts[rank] != here) continue;
    ++processes;
    before += static_cast<int>(rank) < all.rank() ? 1 : 0;
    std::istringstream words(cores[rank]);
    for (int core = 0; words >> core;) ++users[core];
  }
  double threads = 0;
  std::istringstream own(cores[static_cast<std::size_t>(all.rank())]);
  for (int core = 0; own >> core;) threads += 1.0 / users[core];
  take_share({.threads = std::max(1, static_cast<int>(threads + 1e-6)), .processes = processes});
  return choose_gpu(before, devices);
}

std::string ranks_text(const Json& ranks) {
  std::set<std::string> hosts;
  for (const Json& one : ranks) hosts.insert(one.at("host").get<std::string>());
  // Rank 0 ends last: it syncs the outputs while the others wait.
  const auto of_first = [&](const char* key) { return ranks.front().at(key).get<double>(); };
  return fmt::format("by {} processes on {}: start {:.3g} s, work {:.3g} s, sync {:.3g} s",
                     ranks.size(), counted(std::ssize(hosts), "machine"), of_first("start_seconds"),
                     of_first("seconds"), of_first("sync_seconds"));
}

/// "on device 0 (31 units), device 1 (29 units)"
std::string devices_text(const Json& devices) {
  std::string text;
  for (const Json& one : devices)
    text += fmt::format("{} device {} ({})", text.empty() ? "on" : ",", one.at("device").get<int>(),
                        counted(one.at("units").get<long long>(), "unit"));
  return text;
}

}  // namespace

const Launch& launch() {
  static const Launch found = find_launch();
  return found;
}

std::string mpi_library(const std::string& mpi) { return plugin_library("mpi_" + mpi); }

RanksOfRun::RanksOfRun(const MpiChoice& choice, const DeviceList& devices) {
  check_choice(choice.word);
  const bool asked = choice.word != "auto" && choice.word != "off";
  const bool several = !launch().mpi.empty() && launch().count != 1;
  if (choice.word == "off" || (!asked && !several)) return;
  const bool named = asked && choice.word != "on";
  const std::string mpi = named                  ? choice.word
                          : launch().mpi.empty() ? std::string("openmpi")
                                                 : launch().mpi;
  const auto begun = std::chrono::steady_clock::now();
  std::unique_ptr<Ranks> all = open_mpi(mpi);
  const std::chrono::duration<double> start = std::chrono::steady_clock::now() - begun;
  all->start_seconds = start.count();
  if (launch().count > 1 && all->count() == 1)
    throw Error(ErrorKind::usage,
                fmt::format("--mpi: the launcher has started {} processes, but each of them is "
                            "alone in {}; use the mpirun of {}, or give --mpi {}",
                            launch().count, name_of_mpi(mpi), name_of_mpi(mpi),
                            mpi == "mpich" ? "openmpi" : "mpich"));
  all->clean_up = abandon_outputs;
  if (all->count() > 1) device_ = take_share_of_machine(*all, devices);
  use_ranks(std::move(all));
}

RanksOfRun::~RanksOfRun() { use_ranks(nullptr); }

void settle_failure(const std::string& label, const Error& error,
                    const std::function<void()>& report) {
  constexpr std::chrono::seconds kOthersMayFollow{1}, kOthersMayEnd{10};
  Ranks& all = all_ranks();
  const bool first = all.note_failure() == 0;
  const auto begun = std::chrono::steady_clock::now();
  while (all.failures() < all.count() &&
         std::chrono::steady_clock::now() - begun < kOthersMayFollow)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  if (all.failures() == all.count()) {
    if (all.first()) report();
    return all.wait();  // the launcher ends all processes when the first one does
  }
  if (first)
    std::fprintf(stderr, "tessera %s: rank %d of %d on %s: %s\n", label.c_str(), all.rank(),
                 all.count(), host_name().c_str(), printable(error.what()).c_str());
  else
    std::this_thread::sleep_for(kOthersMayEnd);  // the first of them ends all
  abandon_outputs();
  all.end_all(static_cast<int>(error.kind()));
}

std::string with_ranks(const std::string& text, double seconds, bool json) {
  Ranks& all = all_ranks();
  const double start = all.start_seconds, sync = sync_seconds();
  Json own{{"units", all.units_done}, {"seconds", seconds - start - sync}};
  const std::optional<int> device = all.device();
  if (device)
    own.update({{"device", *device}, {"name", device_info(*device).name}});
  else
    own.update({{"rank", all.rank()},
                {"host", host_name()},
                {"threads", available_threads()},
                {"start_seconds", start},
                {"sync_seconds", sync}});
  Json list = Json::array();
  for (const std::string& one : all.gathered(own.dump())) list.push_back(Json::parse(one));
  if (!json) return text + "\n" + (device ? devices_text(list) : ranks_text(list));
  Json result = Json::parse(text);
  if (result.is_object()) result[device ? "devices" : "ranks"] = list;
  return result.dump(2);
}

}  // namespace tessera
