// SPDX-License-Identifier: Apache-2.0
#include "cli/interrupt.hpp"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
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
  if (isatty(STDERR_FILENO)) std::fputs("\r\033[K", stderr);  // a progress bar may be there
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  signal(number, SIG_DFL);
  raise(number);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
}

// A thread that waits for the signal may lock and free memory; a signal handler may not.
void clean_up_on_signals() {
  const sigset_t set = ending_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::thread([set] {
    int number = 0;
    if (sigwait(&set, &number) != 0) return;
    abandon_outputs();
    end_by(number);
  }).detach();
}

std::atomic<bool> working{false};

// Nobody returns from a command this way.
void end_without_unwinding() {
  if (!working) return;
  abandon_outputs();
  std::_Exit(static_cast<int>(ErrorKind::resources));
}

}  // namespace

CleanEnd::CleanEnd() {
  signal(SIGXFSZ, SIG_IGN);
  clean_up_on_signals();
  std::atexit(end_without_unwinding);
  working = true;
}

CleanEnd::~CleanEnd() { working = false; }

}  // namespace tessera
