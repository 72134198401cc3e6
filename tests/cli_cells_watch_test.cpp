// SPDX-License-Identifier: Apache-2.0
// `cells watch`: films that arrive through pipes, growing files and folders give the files of
// `cells track` for the same frames.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "report/json.hpp"
#include "tests/support/cli_cells.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/text_has.hpp"

namespace tessera::testing {
namespace {

namespace fs = std::filesystem;
constexpr int kFilmFrames = 70;  // more than the 40 in which radii are measured
constexpr long long kFrameBytes = 96 * 80;
const Words kNoWait{"--background", "none", "--min-radius", "6",
                    "--max-radius", "14",   "--relief",     "none"};

void take_a_breath() { std::this_thread::sleep_for(std::chrono::milliseconds(3)); }

class CliCellsWatch : public ::testing::Test {
 protected:
  void SetUp() override {
    write_image(film_, whole_.view());
    raw_.assign(reinterpret_cast<const char*>(std::as_const(whole_).view().address(0, 0)),
                static_cast<std::size_t>(kFilmFrames * kFrameBytes));
  }
  Words watch(const std::string& source, const Words& more = {}) const {
    Words all{TESSERA_CLI,    "cells", "watch",  source,         "-o", out_,
              "--min-frames", "5",     "--json", "--page-every", "0.1"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Words watch_raw(const std::string& source, const Words& more = {}) const {
    Words all = watch(source, more);
    all.insert(all.end(), {"--raw", "96x80:u8"});
    return all;
  }
  /// The tables that `cells track` makes of the first frames are those that were made.
  void expect_tables_of_track(int frames, const Words& more = {}) const {
    const std::string there = folder_.path(fmt::format("track{}", frames));
    Words all{"cells",     "track", film_,      "-o", there,      "--min-frames",           "5",
              "--overlay", "no",    "--report", "no", "--frames", fmt::format("{}", frames)};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = run_tool(all);
    ASSERT_TRUE(outcome.code == 0 || outcome.code == 4) << outcome.err;
    for (const char* name : {"tracks.csv", "summary.csv", "histogram.csv", "spots.csv"})
      EXPECT_EQ(read_bytes(made(name)), read_bytes(there + "/" + name)) << name;
    Json watched = summary(), tracked = Json::parse(read_bytes(there + "/summary.json"));
    for (const char* name : {"counts", "calibration", "options", "doubts", "background_choice"})
      EXPECT_EQ(watched[name], tracked[name]) << name;
  }
  /// The latencies that it printed are in the summary and on the page too.
  void expect_latency(const Outcome& outcome, int frames) const {
    const Json said = Json::parse(outcome.out);
    const Json& latency = said["latency"];
    EXPECT_EQ(latency["frames"], frames);
    EXPECT_EQ(latency["known"], frames);
    EXPECT_EQ(summary()["latency"], latency);
    for (const char* name : {"processing_ms", "result_ms", "frames_waited"}) {
      const Json& shares = latency[name];
      EXPECT_GE(shares["p50"], 0) << name;
      EXPECT_LE(shares["p50"], shares["p90"]) << name;
      EXPECT_LE(shares["p90"], shares["p99"]) << name;
      EXPECT_LE(shares["p99"], shares["max"]) << name;
    }
    EXPECT_LE(latency["frames_waited"]["max"], frames - 1);
    EXPECT_EQ(page()["latency"], latency);
    EXPECT_EQ(page()["running"], false);
    EXPECT_EQ(page()["ended"], said["ended"]);
    EXPECT_EQ(page()["counts"], said["counts"]);
  }
  void expect_film(const Outcome& outcome, const Words& more = {}) const {
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    ASSERT_EQ(summary()["film"]["frames"], kFilmFrames);
    expect_tables_of_track(kFilmFrames, more);
    expect_latency(outcome, kFilmFrames);
  }
  std::string made(const std::string& name) const { return out_ + "/" + name; }
  Json summary() const { return Json::parse(read_bytes(made("summary.json"))); }
  /// The JSON of the live page, which is whole whenever it is read.
  Json page() const {
    const std::string text = read_bytes(made("live.html"));
    EXPECT_TRUE(text.starts_with("<!doctype html>") && text.ends_with("</html>\n"));
    const std::string begin = "<script id=\"data\" type=\"application/json\">";
    const std::size_t at = text.find(begin) + begin.size();
    return Json::parse(text.substr(at, text.find("</script>", at) - at));
  }
  /// As a camera would: in pieces that are not frames.
  void send(int descriptor, long long from, long long to, long long piece) const {
    for (long long at = from; at < to; at += piece) {
      const long long end = std::min(to, at + piece);
      for (long long sent = at; sent < end;) {
        const auto put = ::write(descriptor, raw_.data() + sent, static_cast<size_t>(end - sent));
        ASSERT_GT(put, 0);
        sent += put;
      }
      take_a_breath();
    }
  }
  std::string fifo() const {
    const std::string path = folder_.path("pipe");
    EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0);
    return path;
  }

  TemporaryFolder folder_;
  Image whole_ = small_film(kFilmFrames);
  std::string raw_;
  std::string film_ = folder_.path("film.npy"), out_ = folder_.path("out");
};

TEST_F(CliCellsWatch, AFifoThatIsFedSlowlyGivesTheFilesOfTheWholeFilm) {
  const std::string pipe = fifo();
  Process process(watch_raw(pipe));
  const int writer = ::open(pipe.c_str(), O_WRONLY);
  send(writer, 0, kFilmFrames * kFrameBytes, 2 * kFrameBytes / 3);
  ::close(writer);
  const Outcome outcome = process.wait();
  expect_film(outcome);
  const Json said = Json::parse(outcome.out);
  EXPECT_EQ(said["ended"], "the pipe ended");
  EXPECT_TRUE(has(said["waits"], "up to 330"));
  EXPECT_EQ(said["latency"]["known_at_end"], kFilmFrames) << "a still scene needs more frames";
}

TEST_F(CliCellsWatch, WithNothingToWaitForResultsAreKnownAtOnce) {
  const Outcome outcome = Process(watch_raw("-", kNoWait), raw_).wait();
  expect_film(outcome, kNoWait);
  const Json latency = Json::parse(outcome.out)["latency"];
  EXPECT_EQ(latency["frames_waited"]["max"], 0);
  EXPECT_EQ(latency["known_at_end"], 0);
  EXPECT_FALSE(page()["picture"].is_null());
  EXPECT_EQ(page()["shown_frame"], kFilmFrames - 1);
}

TEST_F(CliCellsWatch, AGrowingRawFile) {
  const std::string growing = folder_.path("growing.raw");
  write_bytes(growing, "");
  Process process(watch_raw(growing, {"--frames", "70", "--idle", "300"}));
  const int writer = ::open(growing.c_str(), O_WRONLY | O_APPEND);
  send(writer, 0, kFilmFrames * kFrameBytes, 5 * kFrameBytes / 4);
  ::close(writer);
  const Outcome outcome = process.wait();
  expect_film(outcome);
  EXPECT_EQ(Json::parse(outcome.out)["ended"], "70 frames were read");
}

TEST_F(CliCellsWatch, PicturesThatAppearInAFolder) {
  const std::string frames = folder_.path("frames");
  fs::create_directory(frames);
  Process process(watch(frames, {"--frames", "70", "--idle", "300"}));
  const std::string part = folder_.path("part.npy");
  for (int k = 0; k < kFilmFrames; ++k) {
    write_image(part, std::as_const(whole_).view().only_plane(k), {.force = true});
    const std::string bytes = read_bytes(part), name = fmt::format("{}/f{}.npy", frames, k);
    std::ofstream picture(name, std::ios::binary);
    picture << bytes.substr(0, bytes.size() / 2) << std::flush;  // half written for a while
    take_a_breath();
    picture << bytes.substr(bytes.size() / 2);
  }
  expect_film(process.wait());
}

TEST_F(CliCellsWatch, AStackThatGrows) {
  if (!can_write(".tif")) GTEST_SKIP() << "not in this build";
  const std::string stack = folder_.path("stack.tif");
  const auto write_frames = [&](int frames) {
    const std::string next = folder_.path("next.tif");
    AnyView part = std::as_const(whole_).view();
    part.size.planes = frames;
    write_image(next, part, {.force = true});
    fs::rename(next, stack);
  };
  write_frames(3);
  Process process(watch(stack, {"--frames", "70", "--idle", "300"}));
  for (const int frames : {4, 20, 44, 70}) {
    write_frames(frames);
    take_a_breath();
  }
  expect_film(process.wait());
}

TEST_F(CliCellsWatch, AStalledSourceEndsWhenItIsIdle) {
  write_bytes(folder_.path("stalled.raw"), raw_.substr(0, 20 * kFrameBytes));
  const Outcome outcome = Process(watch_raw(folder_.path("stalled.raw"), {"--idle", "0.3"})).wait();
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out)["ended"], "no frame came for 0.3 s");
  expect_tables_of_track(20);
  expect_latency(outcome, 20);
}

TEST_F(CliCellsWatch, SignalsEndItWithWholeFiles) {
  const std::string pipe = fifo();
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    Process process(watch_raw(pipe, {"--force"}));
    const int writer = ::open(pipe.c_str(), O_WRONLY);
    fs::remove(made("live.html"));
    send(writer, 0, 10 * kFrameBytes + 1234, kFrameBytes);
    while (!fs::exists(made("live.html"))) take_a_breath();  // a frame was followed
    EXPECT_EQ(page()["running"], true);
    ::kill(process.id(), signal);
    const Outcome outcome = process.wait();
    ::close(writer);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "") << "half a frame is not damage then";
    EXPECT_EQ(Json::parse(outcome.out)["ended"], "it was asked to end");
    const int frames = summary()["film"]["frames"];
    EXPECT_GT(frames, 0);
    EXPECT_LE(frames, 10);
    fs::remove_all(folder_.path(fmt::format("track{}", frames)));
    expect_tables_of_track(frames);
    expect_latency(outcome, frames);
    for (const auto& entry : fs::directory_iterator(out_))
      EXPECT_FALSE(entry.path().filename().string().starts_with('.')) << entry.path();
  }
}

TEST_F(CliCellsWatch, BeforeTheFirstFrameASignalEndsItAsAlways) {
  const std::string pipe = fifo();
  Process process(watch_raw(pipe));
  const int writer = ::open(pipe.c_str(), O_WRONLY);  // it reads: signals are waited for
  ::kill(process.id(), SIGTERM);
  const Outcome outcome = process.wait();
  ::close(writer);
  EXPECT_EQ(outcome.code, 128 + SIGTERM);
  EXPECT_EQ(outcome.err, "");
}

TEST_F(CliCellsWatch, HalfAFrameAtTheEndIsSaid) {
  const std::string cut = raw_.substr(0, 20 * kFrameBytes + 100);
  for (const bool piped : {true, false}) {
    write_bytes(folder_.path("cut.raw"), cut);
    const Outcome outcome =
        piped ? Process(watch_raw("-", {"--force"}), cut).wait()
              : Process(watch_raw(folder_.path("cut.raw"), {"--force", "--idle", "0.2"})).wait();
    EXPECT_EQ(outcome.code, 4);
    EXPECT_TRUE(has(outcome.err,
                    "it ends within frame 20: 100 of its 7680 bytes are there; tracks "
                    "cover the 20 frames before"))
        << outcome.err;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    EXPECT_EQ(summary()["film"]["frames"], 20);
  }
  expect_tables_of_track(20);
}

TEST_F(CliCellsWatch, PicturesThatDoNotFitAreSaid) {
  const std::string frames = folder_.path("frames");
  fs::create_directory(frames);
  const auto save = [&](const std::string& name, Size size) {
    write_image(frames + "/" + name, testing::short_view(Image(size, Type::u8)), {.force = true});
  };
  for (int k = 0; k < 8; ++k) save(fmt::format("f{}.npy", k), {40, 30});
  save("f8.npy", {41, 30});
  const Outcome outcome = Process(watch(frames, {"--idle", "0.2"})).wait();
  EXPECT_EQ(outcome.code, 4);
  EXPECT_TRUE(has(outcome.err,
                  "f8.npy: it is 41x30 u8, the first picture is 40x30 u8; the pictures "
                  "of a film must be alike; tracks cover the 8 frames before"))
      << outcome.err;
}

TEST_F(CliCellsWatch, OneFrameIsSearchedAsByTrack) {
  const Outcome outcome = Process(watch_raw("-"), raw_.substr(0, kFrameBytes)).wait();
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  expect_tables_of_track(1);
  EXPECT_TRUE(has(outcome.out, "the film has one frame"));
}

TEST_F(CliCellsWatch, PartsAreChosenAndFramesKeepTheirNumbers) {
  const std::string file = folder_.path("part.raw"), bytes = std::string(1000, 'x') + raw_;
  write_bytes(file, bytes);
  for (const std::string& source : {std::string("-"), file}) {
    const Words part{"--first-frame",      "7",      "--frames", "30", "--raw",
                     "96x80:u8:skip=1000", "--force"};
    ASSERT_EQ(Process(watch(source, part), bytes).wait().code, 0);
    fs::remove_all(folder_.path("track30"));
    expect_tables_of_track(30, {"--first-frame", "7"});
    EXPECT_EQ(summary()["film"]["first_frame"], 7);
  }
}

TEST_F(CliCellsWatch, APictureThatComesTooLateIsLeftOutAndSaid) {
  const std::string frames = folder_.path("frames");
  fs::create_directory(frames);
  const auto save = [&](int k) {
    const std::string next = folder_.path("next.npy");
    write_image(next, std::as_const(whole_).view().only_plane(k), {.force = true});
    fs::rename(next, fmt::format("{}/f{}.npy", frames, k));
  };
  for (const int k : {0, 1, 3, 4, 5}) save(k);
  Process process(watch(frames, {"--frames", "6", "--idle", "300"}));
  while (!fs::exists(made("live.html")) || page()["frames_arrived"] != 5) take_a_breath();
  save(2);
  save(10);
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.code, 4);
  EXPECT_TRUE(has(outcome.err,
                  "f2.npy: it came after later frames had been followed, and is left "
                  "out"))
      << outcome.err;
  EXPECT_EQ(summary()["film"]["frames"], 6);
}

TEST_F(CliCellsWatch, AReportIsMadeIfItIsAskedFor) {
  const Outcome outcome = Process(watch_raw("-", {"--report", "yes"}), raw_).wait();
  expect_film(outcome);
  EXPECT_TRUE(fs::exists(made("report.html")));
  EXPECT_FALSE(fs::exists(made("overlay.mp4")));
}

TEST_F(CliCellsWatch, BadCallsSayWhatWouldBeRight) {
  const auto refused = [](Words words, int code, const std::string& part) {
    words.erase(words.begin());
    expect_failure(words, code, part);
  };
  refused(watch("-"), 2, "standard input: raw frames have no header; give --raw");
  refused(watch("-", {"--raw", "96y80:u8"}), 2, "raw: ");
  refused(watch_raw("-", {"--idle", "0"}), 2, "idle is 0; it can be more than 0");
  refused(watch_raw("-", {"--page-every", "0"}), 2, "page-every is 0");
  refused(watch_raw("-"), 3, "standard input: no frame came");
  refused(watch(film_), 2, "a growing file can be raw frames (--raw) or a TIFF stack");
  refused(watch_raw(folder_.path("none.raw")), 3, "none.raw: cannot be opened");
  refused(watch_raw(folder_.path("none.raw"), {"--edits", "a.csv"}), 2, "--edits");
  write_bytes(folder_.path("few.raw"), "abc");
  refused(watch_raw(folder_.path("few.raw"), {"--idle", "0.1"}), 3,
          "it ends within frame 0: 3 of its 7680 bytes are there");
  fs::create_directory(folder_.path("films"));
  fs::copy_file(film_, folder_.path("films/a.npy"));
  refused(watch(folder_.path("films")), 2, "a.npy: it holds 70 frames");
  fs::create_directory(folder_.path("empty"));
  refused(watch(folder_.path("empty"), {"--idle", "0.1"}), 3, "empty: no frame came");
  write_bytes(made("live.html"), "old");
  refused(watch_raw("-"), 2, "live.html exists");
  EXPECT_EQ(read_bytes(made("live.html")), "old");
}

}  // namespace
}  // namespace tessera::testing
