// SPDX-License-Identifier: Apache-2.0
/// Rungs of a study and rows of its table, for tests of studies.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <vector>

#include "study/study_loops.hpp"
#include "study/study_result.hpp"
#include "tessera/error.hpp"

namespace tessera::testing {

struct TimedRung {
  const char* rung;
  double ms;
};

/// Rows of one case that hold nothing but their times.
inline std::vector<StudyRow> timed_rows(const std::string& case_name,
                                        const std::vector<TimedRung>& rungs) {
  std::vector<StudyRow> rows;
  for (const auto& [rung, ms] : rungs) {
    rows.push_back({.case_name = case_name, .rung = rung});
    rows.back().ms = ms;
  }
  return rows;
}

template <class Case>
const Rung<Case>& rung_named(const std::string& id, const std::vector<Rung<Case>>& cuda,
                             const std::vector<Rung<Case>>& cpu) {
  for (const auto* rungs : {&cuda, &cpu})
    for (const Rung<Case>& rung : *rungs)
      if (rung.id == id) return rung;
  throw Error(ErrorKind::failure, "no rung " + id);
}

/// How many rungs ran; all of them must be right. `before(rung, prepared)` is what a study looks at
/// or changes before the rung is tested.
template <class Case, class Before>
int expect_right(const std::vector<Rung<Case>>& rungs, const std::type_identity_t<Case>& problem,
                 Stream& stream, Before before) {
  int ran = 0;
  for (const Rung<Case>& rung : rungs) {
    SCOPED_TRACE(rung.id + " at " + problem.name());
    PreparedRung prepared = prepare_rung(rung, problem, stream);
    if (!prepared.absent.empty()) continue;
    before(rung, prepared);
    EXPECT_NO_THROW(test_rung(rung, prepared, problem, stream));
    ++ran;
  }
  return ran;
}

template <class Case>
int expect_right(const std::vector<Rung<Case>>& rungs, const std::type_identity_t<Case>& problem,
                 Stream& stream) {
  return expect_right(rungs, problem, stream, [](const Rung<Case>&, const PreparedRung&) {});
}

}  // namespace tessera::testing
