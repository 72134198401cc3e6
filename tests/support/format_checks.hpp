// SPDX-License-Identifier: Apache-2.0
/// Checks that the tests of every file format share: known files, damaged files, rows in any order.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/support/files.hpp"
#include "tests/support/sample_lists.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera::testing {

/// A folder for the tests of one format, which are skipped if the build lacks its library.
class FormatTest : public ::testing::Test {
 protected:
  explicit FormatTest(std::string format) : format_(std::move(format)) {}
  void SetUp() override {
    for (const Format& format : formats())
      if (format.name == format_ && !format.built_in())
        GTEST_SKIP() << "this build has no library for " << format_;
  }
  std::string format_;
  TemporaryFolder folder_;
};

/// A file of tests/data whose contents another program found.
struct KnownFile {
  const char* name;
  Size size;
  long long sum;
  std::vector<long long> pixel;  ///< at column 7 of row 5
  Type type = Type::u8;
};

template <class Files>
void expect_known_files(const std::string& folder, const std::string& ending, const Files& files) {
  for (const KnownFile& file : files) {
    const Image image = read_image(folder + file.name + ending);
    ASSERT_EQ(image.info().size, file.size) << file.name;
    EXPECT_EQ(image.info().type, file.type) << file.name;
    EXPECT_EQ(sum_of(image.view()), file.sum) << file.name;
    for (std::size_t c = 0; c < file.pixel.size(); ++c)
      EXPECT_EQ(sample_at(image.view(), 7, 5, static_cast<int>(c)), file.pixel[c]) << file.name;
  }
}

struct KnownDetail {
  const char *file, *name, *value;
};

inline void expect_details(const std::string& folder, const std::string& ending,
                           const std::vector<KnownDetail>& known) {
  for (const KnownDetail& c : known)
    EXPECT_EQ(detail(*open_image(folder + c.file + ending), c.name), c.value)
        << c.file << " " << c.name;
}

/// `count` rows from each of `firsts` on are those of the whole image.
inline void expect_rows_in_any_order(const std::string& path, AnyView whole,
                                     const std::vector<int>& firsts, int count = 3) {
  const auto source = open_image(path);
  Size size = whole.size;
  size.height = count;
  Image rows(size, whole.type);
  for (const int first : firsts) {
    source->read({first, first + count}, rows.view());
    EXPECT_TRUE(same_samples(whole.rows(first, count), rows.view())) << path << " row " << first;
  }
}

/// Every beginning of a file is refused; `every` bytes apart except near its end.
inline void expect_truncations_refused(const std::string& file, const std::string& cut,
                                       std::size_t every = 1) {
  const std::string whole = read_bytes(file);
  ASSERT_GT(whole.size(), 100U) << file;
  for (std::size_t length = 0; length < whole.size();
       length += length + 60 < whole.size() ? every : 1) {
    write_bytes(cut, whole.substr(0, length));
    expect_error([&] { read_image(cut); }, ErrorKind::input,
                 std::filesystem::path(cut).filename().string() + ": ");
  }
}

/// Whatever the file holds, reading it ends well or in an Error(input).
inline void expect_survives(const std::string& path, const std::string& bytes,
                            const ReadOptions& options = {}) {
  // A file that is cut to nothing and written again is sent to the disk at once by some file
  // systems.
  std::filesystem::remove(path);
  write_bytes(path, bytes);
  try {
    read_image(path, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
  }
}

/// The same for a file in which some bits of one byte are flipped.
inline void expect_survives_flips(const std::string& file, const std::string& changed,
                                  std::size_t every = 1) {
  const std::string whole = read_bytes(file);
  for (std::size_t i = 0; i < whole.size(); i += every) {
    std::string bytes = whole;
    bytes[i] = static_cast<char>(bytes[i] ^ 0x55);
    for (const bool allow : {false, true})
      expect_survives(changed, bytes, {.allow_truncated = allow});
  }
}

/// Cuts the file of an image of 300x200 in half: the rows before the damage are right, the others
/// zero, and the warning says which; a second time too.
inline void expect_missing_rows_filled(const std::string& path, AnyView whole, int fewest,
                                       int most) {
  const std::string bytes = read_bytes(path);
  write_bytes(path, bytes.substr(0, bytes.size() / 2));
  const auto source = open_image(path, {.allow_truncated = true});
  Image target = copy(whole);
  source->read({0, 200}, target.view());
  int held = 0;
  while (held < 200 && same_samples(whole.rows(held, 1), target.view().rows(held, 1))) ++held;
  EXPECT_GT(held, fewest);
  EXPECT_LT(held, most);
  EXPECT_EQ(sum_of(target.view().rows(held, 200 - held)), 0);
  Image again(target.info()), few({300, 2, target.info().size.channels}, target.info().type);
  source->read({0, 200}, again.view());
  EXPECT_TRUE(same_samples(target.view(), again.view()));
  source->read({3, 5}, few.view());
  EXPECT_TRUE(same_samples(whole.rows(3, 2), few.view()));
  ASSERT_EQ(source->warnings().size(), 1U);
  const std::string row = std::to_string(held);
  EXPECT_NE(source->warnings()[0].find("in row " + row + " of 200; rows " + row +
                                       " to 199 of 200 are missing"),
            std::string::npos)
      << source->warnings()[0];
}

/// A file without its last `count` bytes has every row, and a warning.
inline void expect_missing_end_warned(const std::string& file, const std::string& cut,
                                      std::size_t count) {
  const std::string bytes = read_bytes(file);
  write_bytes(cut, bytes.substr(0, bytes.size() - count));
  const auto source = open_image(cut, {.allow_truncated = true});
  Image target(source->info());
  source->read({0, target.info().size.height}, target.view());
  EXPECT_TRUE(same_samples(testing::short_view(read_image(file)), target.view()));
  ASSERT_EQ(source->warnings().size(), 1U);
  EXPECT_NE(source->warnings()[0].find("no row is missing"), std::string::npos);
}

/// A sink that is not finished leaves no file behind.
inline void expect_nothing_unfinished(const TemporaryFolder& folder, const std::string& name,
                                      AnyView image) {
  create_image(folder.path(name), {image.size, image.type})
      ->write({0, image.size.height / 2}, image.rows(0, image.size.height / 2));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace tessera::testing
