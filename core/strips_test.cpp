// SPDX-License-Identifier: Apache-2.0
// The engine on the smallest operation with a halo: a blur of three rows. Its result must have the
// same bits for any strips and threads, under every border.
#include "core/strips.hpp"

#include <gtest/gtest.h>

#include "core/parallel.hpp"
#include "core/rows.hpp"
#include "tessera/error.hpp"
#include "tests/support/poison.hpp"

namespace tessera {
namespace {

using testing::bytes_of_view;
using testing::random_image;

struct ThreeRowBlur {
  ImageInfo info;
  Border border;

  ImageInfo input() const { return info; }
  ImageInfo output() const { return info; }
  Rows needs(Rows out) const { return {out.first - 1, out.end + 1}; }
  int source_row(int row) const { return border_index(row, info.size.height, border); }
  void operator()(const Piece& in, const MutablePiece& out, Stream& stream) const {
    for_pieces(out.rows(), 4, stream, [&](Rows rows) {
      const auto found = find_rows("blur", needs(rows), in.rows(), info.size.height, border);
      const auto pixel = [&](int x, int y) {
        const int row = found[static_cast<std::size_t>(y - rows.first + 1)];
        return row == kNoPixel ? 0.0F : in.view.as<const float>().at(x, row);
      };
      for (int y = rows.first; y < rows.end; ++y)
        for (int x = 0; x < info.size.width; ++x)
          out.view.as<float>().at(x, y - out.first_row) =
              (pixel(x, y - 1) + pixel(x, y) + pixel(x, y + 1)) / 3.0F;
    });
  }
};

constexpr Border kBorders[] = {Border::constant, Border::replicate, Border::reflect,
                               Border::reflect_101, Border::wrap};

/// Keeps where strips end.
class EndsOfStrips : public RowSink {
 public:
  explicit EndsOfStrips(int block_rows) : block_rows_(block_rows) {}
  void write(Rows rows, AnyView) override { ends.push_back(rows.end); }
  void finish() override {}
  int block_rows() const override { return block_rows_; }

  std::vector<int> ends;

 private:
  int block_rows_;
};

TEST(RowUnits, AreWholeGroupsAndBlocksOfTheImageAlone) {
  const auto units = [](Size size, int row_step, int block) {
    StripPlan plan = strip_plan(ThreeRowBlur{{size, Type::f32}, Border::replicate});
    plan.row_step = row_step;
    return RowUnits(plan, block);
  };
  EXPECT_EQ(units({1 << 15, 1000}, 1, 1).rows(), 16);   // 4 MiB of rows of 256 KiB
  EXPECT_EQ(units({1 << 15, 1000}, 12, 1).rows(), 24);  // two groups
  EXPECT_EQ(units({1 << 15, 1000}, 12, 8).rows(), 24);
  EXPECT_EQ(units({1 << 15, 1000}, 12, 16).rows(), 48);
  EXPECT_EQ(units({1 << 15, 1000}, 12, 97).rows(), 24);  // blocks are divided
  EXPECT_EQ(units({1 << 26, 1000}, 1, 1).rows(), 4);     // twice the two rows that are shared
  EXPECT_EQ(units({37, 61}, 60, 1).rows(), 61);
  EXPECT_EQ(units({37, 0}, 60, 1).count(), 0);
  const RowUnits some = units({1 << 15, 61}, 12, 1);
  int next = 0;
  for (int i = 0; i < some.count(); ++i) {
    EXPECT_EQ(some.at(i).first, next);
    next = some.at(i).end;
  }
  EXPECT_EQ(next, 61);
}

TEST(RowUnits, StripsAreWholeUnitsIfTheyFit) {
  const ThreeRowBlur blur{{{1 << 15, 61}, Type::f32}, Border::replicate};
  const Image in(blur.info);
  const auto ends_with = [&](std::size_t memory, int block) {
    EndsOfStrips sink(block);
    ViewSource source(in.view());
    RowSource* const sources[] = {&source};
    RowSink* const sinks[] = {&sink};
    Stream stream(kHost, 2, memory);
    stream_rows(sources, sinks, strip_plan(blur), stream);
    return sink.ends;
  };
  EXPECT_EQ(ends_with(std::size_t{15} << 20, 1), (std::vector<int>{16, 32, 48, 61}));
  EXPECT_EQ(ends_with(std::size_t{15} << 20, 9), (std::vector<int>{18, 36, 54, 61}));
  EXPECT_EQ(ends_with(std::size_t{30} << 20, 1), (std::vector<int>{32, 61}));
  EXPECT_GT(ends_with(std::size_t{5} << 20, 1).size(), 8U);  // parts of a unit
}

TEST(Strips, SameBitsForAnyStripsAndThreads) {
  // Rows of a strip, and of the groups between which strips are cut.
  constexpr std::pair<int, int> kCuts[] = {{1, 1}, {7, 1}, {64, 1}, {7, 60}, {64, 60}};
  const Image in = random_image({37, 61}, Type::f32, 1);
  const std::size_t row_bytes = 37 * sizeof(float);
  for (const Border border : kBorders) {
    const ThreeRowBlur blur{in.info(), border};
    Image whole(in.info());
    Stream one(kHost, 1);
    blur({in.view(), 0}, {whole.view(), 0}, one);
    for (const int threads : {1, 2, 3, 7})
      for (const auto& [rows, step] : kCuts) {
        Image out(in.info());
        StripPlan strips = strip_plan(blur);
        strips.row_step = step;
        ViewSource source(in.view());
        ViewSink sink(out.view());
        RowSource* sources[] = {&source};
        RowSink* sinks[] = {&sink};
        Stream stream(kHost, threads, 3 * row_bytes * (2 * rows + 2));
        ASSERT_EQ(strip_rows(strips, stream.memory_limit()), std::min(rows, 61));
        stream_rows(sources, sinks, strips, stream);
        EXPECT_EQ(bytes_of_view(whole.view()), bytes_of_view(out.view()))
            << "border " << static_cast<int>(border) << ", " << threads << " threads, " << rows
            << " rows, groups of " << step;
      }
  }
}

// Five rows of the input for one of the result, three of them at the first and last row.
TEST(Strips, RowsThatAreLeftOutAtTheEdgeTakeMemoryElsewhere) {
  const ImageInfo info{{100, 50}, Type::f32};
  const StripPlan plan{{info},
                       {info},
                       [](Rows out) {
                         return Rows{std::max(0, out.first - 2), std::min(50, out.end + 2)};
                       },
                       [](int row) { return row; },
                       {}};
  for (const int rows : {1, 2, 7})
    EXPECT_EQ(strip_rows(plan, std::size_t{3} * 400 * (2 * rows + 4)), rows);
}

TEST(Strips, TooLittleMemorySaysHowMuchWouldDo) {
  const ThreeRowBlur blur{{{1000, 1000}, Type::f32}, Border::wrap};
  try {
    strip_rows(strip_plan(blur), 100);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::resources);
    EXPECT_STREQ(
        error.what(),
        "memory limit: 100 bytes is too little; one row at a time takes 48.0 kB; give more");
  }
}

TEST(Strips, NoLimitIsTooLittleForNoRows) {
  const ThreeRowBlur blur{{{1000, 0}, Type::f32}, Border::wrap};
  EXPECT_EQ(strip_rows(strip_plan(blur), 100), 1);
}

TEST(Strips, ProgressCountsRowsAndMayStop) {
  const Image in = random_image({16, 40}, Type::f32, 1);
  const ThreeRowBlur blur{in.info(), Border::wrap};
  Image out(in.info());
  ViewSource source(in.view());
  ViewSink sink(out.view());
  RowSource* sources[] = {&source};
  RowSink* sinks[] = {&sink};
  Stream stream(kHost, 1, 3 * 64 * (2 * 4 + 2));
  int last = 0;
  stream_rows(sources, sinks, strip_plan(blur), stream, [&](int done, int all) {
    EXPECT_GT(done, last);
    EXPECT_EQ(all, 40);
    last = done;
  });
  EXPECT_EQ(last, 40);
  EXPECT_THROW(stream_rows(sources, sinks, strip_plan(blur), stream,
                           [](int, int) { throw Error(ErrorKind::failure, "stop"); }),
               Error);
}

TEST(Rows, AMissingRowIsNamed) {
  try {
    find_rows("blur", {3, 8}, {4, 9}, 20, Border::wrap);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(std::string(error.what()).find("row 3 is needed"), std::string::npos);
  }
}

TEST(Border, IndicesByHand) {
  // abcd with 6 more on both sides
  const auto line = [](Border border) {
    std::string text;
    for (int i = -6; i < 10; ++i) {
      const int k = border_index(i, 4, border);
      text += k == kNoPixel ? '.' : static_cast<char>('a' + k);
    }
    return text;
  };
  EXPECT_EQ(line(Border::replicate), "aaaaaaabcddddddd");
  EXPECT_EQ(line(Border::reflect), "cddcbaabcddcbaab");
  EXPECT_EQ(line(Border::reflect_101), "abcdcbabcdcbabcd");
  EXPECT_EQ(line(Border::wrap), "cdabcdabcdabcdab");
  EXPECT_EQ(line(Border::constant), "......abcd......");
  EXPECT_EQ(border_index(-5, 1, Border::reflect_101), 0);
}

}  // namespace
}  // namespace tessera
