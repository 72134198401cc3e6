// SPDX-License-Identifier: Apache-2.0
// Parts of films that are followed while they are recorded: latencies, kept pictures and frames,
// and words about the wait.
#include "jobs/cells/cells_watch.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <utility>

#include "io/formats.hpp"
#include "jobs/cells/cells_live_page.hpp"
#include "jobs/cells/film_source.hpp"
#include "jobs/cells/film_spool.hpp"
#include "tests/support/cli_cells.hpp"
#include "tests/support/text_has.hpp"

namespace tessera::testing {
namespace {

TEST(CellsLatency, SharesAreValuesOfTheList) {
  std::vector<double> values;
  for (int k = 200; k >= 1; --k) values.push_back(k);
  const LatencyShares shares = latency_shares(values);
  EXPECT_EQ(shares.p50, 100);
  EXPECT_EQ(shares.p90, 180);
  EXPECT_EQ(shares.p99, 198);
  EXPECT_EQ(shares.max, 200);
  const LatencyShares one = latency_shares({7});
  EXPECT_EQ(one.p50, 7);
  EXPECT_EQ(one.max, 7);
  EXPECT_EQ(latency_shares({}).max, 0);
}

TEST(CellsLatency, CountsTheFramesThatAResultWaitedFor) {
  LatencyClock clock;
  const auto now = LatencyClock::Clock::now();
  for (int k = 0; k < 5; ++k) clock.processed(now, 0);
  EXPECT_EQ(clock.latency().known, 0);
  clock.processed(now, 2);  // frames 0 and 1 are known when six have come
  clock.processed(now, 3);
  CellsLatency latency = clock.latency();
  EXPECT_EQ(latency.frames, 7);
  EXPECT_EQ(latency.known, 3);
  EXPECT_EQ(latency.frames_waited.max, 5);
  EXPECT_EQ(latency.frames_waited.p50, 4);
  EXPECT_EQ(latency.known_at_end, 0);
  clock.end();
  latency = clock.latency();
  EXPECT_EQ(latency.known, 7);
  EXPECT_EQ(latency.known_at_end, 4);
}

TEST(KeptPictures, GiveTheNewestWithAResult) {
  KeptPictures pictures;
  int frame = -1;
  EXPECT_EQ(pictures.newest(9, frame), nullptr);
  for (const int number : {0, 8, 16, 21, 24}) pictures.add(number, {number, 1, 1, {}}, 0);
  EXPECT_EQ(pictures.newest(0, frame), nullptr);
  ASSERT_NE(pictures.newest(22, frame), nullptr);
  EXPECT_EQ(frame, 21);
  EXPECT_EQ(pictures.newest(22, frame)->width, 21);
  pictures.add(32, {32, 1, 1, {}}, 33);
  ASSERT_NE(pictures.newest(33, frame), nullptr);
  EXPECT_EQ(frame, 32);
}

TEST(FilmSpool, IsReadBack) {
  for (const Type type : {Type::u8, Type::u16, Type::f32, Type::f64})
    for (const int frames : {1, 2, 12}) {
      FilmSpool spool({{5, 3}, type});
      for (int k = 0; k < frames; ++k) {
        Image frame({5, 3}, type);
        std::fill_n(frame.view().address(0, 0), 15 * bytes_of(type), static_cast<unsigned char>(k));
        spool.add(std::as_const(frame).view());
      }
      const std::string name = spool.finish();
      FilmReading reading = spool.reading({.pages = 1});
      FilmSource film(name, reading);
      ASSERT_EQ(film.frames(), frames);
      EXPECT_EQ(film.frame(), (ImageInfo{{5, 3}, type}));
      Image frame;
      for (int k = 0; k < frames; ++k) {
        ASSERT_TRUE(film.next(frame));
        EXPECT_EQ(*std::as_const(frame).view().address(4, 2), k);
      }
    }
}

TEST(CellsWatch, SaysForHowManyFramesResultsWait) {
  EXPECT_TRUE(has(waits_text({}), "up to 330"));
  EXPECT_TRUE(has(waits_text({}), "first 40 frames"));
  CellsOptions options{.background = CellsBackground::none};
  EXPECT_FALSE(has(waits_text(options), "330"));
  EXPECT_TRUE(has(waits_text(options), "first 40 frames"));
  options.min_radius = 6;
  options.max_radius = 14;
  options.relief = "none";
  EXPECT_EQ(waits_text(options), "Results do not wait for later frames.");
  options.background = CellsBackground::still;
  EXPECT_FALSE(has(waits_text(options), "first 40 frames"));
  EXPECT_EQ(waits_text({.model = CellsModel::classic}), "Results do not wait for later frames.");
}

TEST(EndRequest, WakesWhoeverWaits) {
  const EndRequest end;
  EXPECT_FALSE(end.asked());
  std::thread asker([&] { end.ask(); });
  while (!end.wait_for(-1, 3600)) {
  }
  asker.join();
  EXPECT_TRUE(end.asked());
}

TEST(CellsWatch, AnEndThatIsAskedForKeepsWhatThereIs) {
  const TemporaryFolder folder;
  const Image film = small_film(20);
  write_bytes(folder.path("film.raw"),
              {reinterpret_cast<const char*>(film.view().address(0, 0)), 96UL * 80 * 20});
  int armed = 0;
  const EndRequest* asked = nullptr;
  const EndRequest end([&] {
    ++armed;
    asked->ask();
  });
  asked = &end;
  CellsWatchJob job{.track = {.input = folder.path("film.raw"), .output = folder.path("out")}};
  job.track.film.overlay = job.track.film.report = false;
  job.track.reading.raw = "96x80:u8";
  const CellsWatchResult result = job.run(end);
  EXPECT_EQ(armed, 1) << "after the first frame";
  EXPECT_EQ(result.film.frames, 1);
  EXPECT_EQ(result.ended, "it was asked to end");
  EXPECT_EQ(result.warnings, std::vector<std::string>{});
  EXPECT_EQ(table(folder.path("out/tracks.csv")).size(),
            static_cast<std::size_t>(result.counts.tracks));
}

}  // namespace
}  // namespace tessera::testing
