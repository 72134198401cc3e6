// SPDX-License-Identifier: Apache-2.0
#include "cli/interrupt.hpp"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>
#include <thread>

#include "jobs/job_files.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction current {};
    sigaction(number, nullptr, &current);
    if (current.sa_handler != SIG_IGN) sigaddset(&set, number);  // nohup and background jobs
  }
  return set;
}

void end_by(int number) {
  if (isatty(STDERR_FILENO)) std::fputs("\r\033[K", stderr);  // a progress bar may be on this line
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  signal(number, SIG_DFL);
  raise(number);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
}

pthread_t waiter;
std::atomic<void (*)()> asked_first{nullptr};

void hand_to_waiter(int number) { pthread_kill(waiter, number); }

// A thread that waits for the signal may lock and free memory; a signal handler may not. All
// threads started from here on block it; threads that libraries started before (OpenBLAS does when
// it is loaded) do not block it, and hand it on.
void clean_up_on_signals() {
  const sigset_t set = ending_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::thread waiting([set] {
    int number = 0;
    if (sigwait(&set, &number) != 0) return;
    if (const auto ask = asked_first.exchange(nullptr)) {
      ask();
      if (sigwait(&set, &number) != 0) return;
    }
    abandon_outputs();
    end_by(number);
  });
  waiter = waiting.native_handle();
  waiting.detach();
  for (const int number : {SIGINT, SIGTERM, SIGHUP})
    if (sigismember(&set, number) == 1) signal(number, hand_to_waiter);
}

std::atomic<bool> working{false};

// No command returns this way.
void end_without_unwinding() {
  if (!working) return;
  abandon_outputs();
  std::_Exit(static_cast<int>(ErrorKind::resources));
}

std::terminate_handler usual_end = nullptr;

bool is_lack_of_memory(const std::exception_ptr& exception) {
  if (!exception) return false;
  try {
    std::rethrow_exception(exception);
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

[[noreturn]] void end_by_terminate() {
  const bool no_memory = is_lack_of_memory(std::current_exception());
  abandon_outputs();
  if (no_memory) std::_Exit(report_no_memory());
  usual_end();
  std::abort();
}

}  // namespace

int report_no_memory() {
  constexpr std::string_view kSentence = "tessera: memory ran out; free some and try again\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, kSentence.data(), kSentence.size());
  return static_cast<int>(ErrorKind::resources);
}

void ask_on_first_signal(void (*ask)()) { asked_first = ask; }

void survive_terminate() { usual_end = std::set_terminate(end_by_terminate); }

CleanEnd::CleanEnd() {
  signal(SIGXFSZ, SIG_IGN);
  clean_up_on_signals();
  std::atexit(end_without_unwinding);
  working = true;
}

CleanEnd::~CleanEnd() { working = false; }

}  // namespace tessera
