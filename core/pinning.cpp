// SPDX-License-Identifier: Apache-2.0
#include "core/pinning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr int kNowhere = -1, kNotKnown = -2;

/// The CPUs of the process, and their order. Never destroyed: threads look at it until they end.
struct PinnedMachine {
  cpu_set_t all{};
  std::vector<int> order;
};

std::atomic<const PinnedMachine*> machine_pinned = nullptr;
thread_local const std::vector<int>* team_cpus = nullptr;
/// A thread may have inherited the CPU of the thread that started it.
thread_local int bound_to = kNotKnown;

std::string core_siblings(int cpu) {
  std::ifstream file(
      fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", cpu));
  std::string text;
  std::getline(file, text);
  return text;
}

const PinnedMachine& machine_to_pin() {
  static const PinnedMachine& machine = []() -> const PinnedMachine& {
    auto& made = *new PinnedMachine;
    if (sched_getaffinity(0, sizeof made.all, &made.all) != 0) CPU_SET(0, &made.all);
    std::vector<int> cpus;
    std::vector<std::string> siblings;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &made.all)) {
        cpus.push_back(cpu);
        siblings.push_back(core_siblings(cpu));
      }
    made.order = order_by_core(cpus, siblings);
    machine_pinned = &made;
    return made;
  }();
  return machine;
}

bool bind_to(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0;
}

}  // namespace

bool allowed_cpus(cpu_set_t& set) {
  if (bound_to >= 0) {
    set = machine_to_pin().all;
    return true;
  }
  return sched_getaffinity(0, sizeof set, &set) == 0;
}

std::vector<int> order_by_core(const std::vector<int>& cpus,
                               const std::vector<std::string>& siblings) {
  std::vector<int> first, others;
  std::vector<std::string> cores;
  for (std::size_t k = 0; k < cpus.size(); ++k) {
    const bool known = !siblings[k].empty() && std::ranges::find(cores, siblings[k]) != cores.end();
    (known ? others : first).push_back(cpus[k]);
    if (!known) cores.push_back(siblings[k]);
  }
  first.insert(first.end(), others.begin(), others.end());
  return first;
}

ScopedPinning::ScopedPinning() {
  const PinnedMachine& machine = machine_to_pin();
  if (!bind_to(machine.order.front()))
    throw Error(ErrorKind::resources, fmt::format("threads: the system does not bind them to "
                                                  "cores: {}",
                                                  std::strerror(errno)));
  bound_to = machine.order.front();
  team_cpus = &machine.order;
}

ScopedPinning::~ScopedPinning() {
  team_cpus = nullptr;
  bind_team_thread(nullptr, 0);
}

ScopedRelease::ScopedRelease() : bound_(team_cpus != nullptr) {
  if (bound_) bind_team_thread(nullptr, 0);
}
ScopedRelease::~ScopedRelease() {
  if (bound_) bind_team_thread(team_cpus, 0);
}

const std::vector<int>* pinned_cpus() { return team_cpus; }

// If the system refuses a CPU, the work runs anywhere, as without binding.
void bind_team_thread(const std::vector<int>* cpus, std::size_t place) {
  const int wanted = cpus ? (*cpus)[place % cpus->size()] : kNowhere;
  if (wanted == bound_to) return;
  const PinnedMachine* const machine = machine_pinned;
  if (!machine) return;
  if (wanted == kNowhere)
    sched_setaffinity(0, sizeof machine->all, &machine->all);
  else
    bind_to(wanted);
  bound_to = wanted;
}

}  // namespace tessera
