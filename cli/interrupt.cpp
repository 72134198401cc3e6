// SPDX-License-Identifier: Apache-2.0
#include "cli/interrupt.hpp"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <thread>

#include "jobs/job_files.hpp"

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

}  // namespace

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

}  // namespace tessera
