// SPDX-License-Identifier: Apache-2.0
#include "core/once_per_key.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace tessera {
namespace {

using Texts = OncePerKey<int, std::string>;

std::unique_ptr<std::string> text(const char* words) {
  return std::make_unique<std::string>(words);
}

/// Lets `count` threads call at the same time.
template <class Call>
void at_once(int count, Call call) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(call, i);
  for (std::thread& thread : threads) thread.join();
}

TEST(OncePerKey, ManyThreadsHaveOneMade) {
  Texts texts;
  std::atomic<int> made = 0;
  std::vector<const std::string*> got(8);
  at_once(8, [&](int i) {
    got[static_cast<std::size_t>(i)] = &texts.get(7, [&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      ++made;
      return text("seven");
    });
  });
  EXPECT_EQ(made, 1);
  EXPECT_EQ(*got[0], "seven");
  for (const std::string* one : got) EXPECT_EQ(one, got[0]);
}

// Each thread waits for the other to begin: with one lock for both they would wait for ever.
TEST(OncePerKey, DifferentKeysAreMadeAtTheSameTime) {
  Texts texts;
  std::promise<void> began[2];
  std::atomic<int> met = 0;
  at_once(2, [&](int i) {
    texts.get(i, [&] {
      began[i].set_value();
      met +=
          began[1 - i].get_future().wait_for(std::chrono::seconds(20)) == std::future_status::ready;
      return text("made");
    });
  });
  EXPECT_EQ(met, 2);
}

TEST(OncePerKey, FailuresGoToAllWhoWaitAndAreTriedAgain) {
  Texts texts;
  std::atomic<int> tries = 0, failures = 0;
  at_once(4, [&](int) {
    try {
      texts.get(1, [&]() -> std::unique_ptr<std::string> {
        ++tries;
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        throw std::runtime_error("no");
      });
    } catch (const std::runtime_error&) {
      ++failures;
    }
  });
  EXPECT_EQ(failures, 4);
  EXPECT_LT(tries, 4);
  EXPECT_EQ(texts.get(1, [] { return text("at last"); }), "at last");
}

}  // namespace
}  // namespace tessera
