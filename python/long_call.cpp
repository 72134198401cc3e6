// SPDX-License-Identifier: Apache-2.0
#include "python/long_call.hpp"

#include <cxxabi.h>
#include <nanobind/nanobind.h>
#include <unistd.h>

#include <optional>

namespace tessera::python {
namespace {

namespace nb = nanobind;

/// The exception of a signal handler; between the call that noticed and the translation of Stopped.
std::optional<nb::python_error>& interruption() {
  thread_local std::optional<nb::python_error> raised;
  return raised;
}

}  // namespace

Unlocked::Unlocked() : state_(PyEval_SaveThread()) {}
Unlocked::~Unlocked() { take(); }

// A daemon thread that comes back when the interpreter is ending has no interpreter to come back
// to. Python then ends the thread by unwinding its stack, which C++ answers with abort. It waits
// here for the end of the process instead, as Python itself does from 3.14 on.
void Unlocked::take() {
  try {
    PyEval_RestoreThread(state_);
  } catch (abi::__forced_unwind&) {
    for (;;) ::pause();
  }
}
void Unlocked::give() { state_ = PyEval_SaveThread(); }

LongCall::LongCall() : check_([this] { return interrupted(); }) {}

void LongCall::poll() {
  if (interrupted()) throw Stopped();
}

bool LongCall::interrupted() {
  unlocked_.take();
  const bool raised = PyErr_CheckSignals() != 0;
  if (raised) interruption().emplace();
  unlocked_.give();
  return raised;
}

void restore_interruption() {
  if (!interruption()) return PyErr_SetNone(PyExc_KeyboardInterrupt);
  interruption()->restore();
  interruption().reset();
}

}  // namespace tessera::python
