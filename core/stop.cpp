// SPDX-License-Identifier: Apache-2.0
#include "core/stop.hpp"

#include <atomic>
#include <thread>
#include <utility>

namespace tessera {

struct StopState {
  std::function<bool()> should_stop;
  std::thread::id caller;
  std::chrono::steady_clock::time_point next;  ///< when to ask again; only the caller reads it
  std::atomic<bool> stopped{false};
};

namespace {

thread_local StopState* stop_of_thread = nullptr;

}  // namespace

StopCheck::StopCheck(std::function<bool()> should_stop)
    : state_(std::make_unique<StopState>()), before_(stop_of_thread) {
  state_->should_stop = std::move(should_stop);
  state_->caller = std::this_thread::get_id();
  state_->next = std::chrono::steady_clock::now() + kStopInterval;
  stop_of_thread = state_.get();
}
StopCheck::~StopCheck() { stop_of_thread = before_; }

StopState* current_stop() { return stop_of_thread; }

bool asks_to_stop() {
  return stop_of_thread && stop_of_thread->caller == std::this_thread::get_id();
}

void poll_stop() {
  StopState* const state = stop_of_thread;
  if (!state) return;
  if (state->stopped.load(std::memory_order_relaxed)) throw Stopped();
  if (!asks_to_stop() || std::chrono::steady_clock::now() < state->next) return;
  bool stop = false;
  {
    const StopShare separate(nullptr);  // what the check itself calls must not ask it again
    stop = state->should_stop();
  }
  state->next = std::chrono::steady_clock::now() + kStopInterval;
  if (!stop) return;
  state->stopped = true;
  throw Stopped();
}

StopShare::StopShare(StopState* state) : before_(std::exchange(stop_of_thread, state)) {}
StopShare::~StopShare() { stop_of_thread = before_; }

}  // namespace tessera
