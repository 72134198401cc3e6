// SPDX-License-Identifier: Apache-2.0
#include "jobs/failure.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/text_has.hpp"

namespace tessera::testing {
namespace {

Error failure_of(const std::function<void()>& call) {
  try {
    call();
  } catch (...) {
    return current_failure();
  }
  return {ErrorKind::failure, "nothing was thrown"};
}

struct Thrown {
  std::function<void()> call;
  ErrorKind kind;
  const char* part;
};

TEST(Failure, IsASentenceWhateverWasThrown) {
  const std::string long_name(300, 'x');
  const std::vector<Thrown> all{
      {[] { throw Error(ErrorKind::input, "a.npy: it is short"); }, ErrorKind::input,
       "a.npy: it is short"},
      {[] { throw std::bad_alloc(); }, ErrorKind::resources, "memory ran out"},
      {[] { std::vector<double>().reserve(~std::size_t{0}); }, ErrorKind::resources,
       "memory ran out"},
      {[] { std::string().resize(~std::size_t{0}); }, ErrorKind::resources, "memory ran out"},
      {[&] { std::ignore = std::filesystem::file_size(long_name); }, ErrorKind::failure,
       "File name too long"},
      {[] { throw std::system_error(EAGAIN, std::generic_category()); }, ErrorKind::resources,
       "no more threads"},
      {[] { throw std::system_error(ENOSPC, std::generic_category()); }, ErrorKind::resources,
       "No space left"},
      {[] { std::ignore = std::vector<int>(2).at(5); }, ErrorKind::failure,
       "this is a defect of Tessera"},
  };
  for (const Thrown& one : all) {
    const Error error = failure_of(one.call);
    EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(one.kind)) << error.what();
    EXPECT_TRUE(has(error.what(), one.part)) << error.what();
    EXPECT_FALSE(has(error.what(), "cannot create std::")) << error.what();
    EXPECT_FALSE(has(error.what(), "filesystem error")) << error.what();
  }
}

}  // namespace
}  // namespace tessera::testing
