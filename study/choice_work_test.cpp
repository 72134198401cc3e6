// SPDX-License-Identifier: Apache-2.0
#include "study/choice_work.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace tessera {
namespace {

TEST(ChoiceWork, EveryOperationHasSome) {
  std::set<std::string> operations;
  for (const ChoiceEntry& entry : choice_entries()) operations.insert(entry.operation);
  EXPECT_EQ(operations,
            (std::set<std::string>{"cells", "convolve", "correlate", "enhance", "faraday",
                                   "morphology", "noise", "rank", "xengine"}));
  std::set<std::string> labels;
  for (const ChoiceWork& work : choice_grid("all")) labels.insert(work.label);
  EXPECT_EQ(labels.size(), choice_grid("all").size());
}

TEST(ChoiceWork, TheChosenWayIsAmongThoseThatRun) {
  for (const ChoiceEntry& entry : choice_entries())
    for (const ChoiceWork& work : entry.make(256)) {
      const ChoiceWays made = work.make();
      const auto chosen = std::find_if(made.ways.begin(), made.ways.end(),
                                       [&](const auto& way) { return way.first == made.chosen; });
      ASSERT_NE(chosen, made.ways.end()) << work.label << " takes " << made.chosen;
      EXPECT_NO_THROW(chosen->second()) << work.label;
    }
}

TEST(ChoiceWork, OthersAreListed) {
  try {
    choice_grid("convolv");
    FAIL() << "there is no such operation";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(std::string(error.what()).find("convolve"), std::string::npos);
  }
}

}  // namespace
}  // namespace tessera
