// SPDX-License-Identifier: Apache-2.0
// Every option with a range, of every operation, job and sample: values outside are refused by one
// sentence with the option and the range, the ends are not, and --help shows the range.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <sstream>

#include "io/formats.hpp"
#include "io/voltages/voltage_file.hpp"
#include "jobs/batch.hpp"
#include "jobs/cells/cell_score.hpp"
#include "jobs/cells/cells_job.hpp"
#include "jobs/cells/cells_summary.hpp"
#include "jobs/cells/cells_watch.hpp"
#include "jobs/faraday/spectrum_analysis.hpp"
#include "jobs/xengine/xengine_job.hpp"
#include "sample/cell_film_options.hpp"
#include "sample/points.hpp"
#include "sample/polarised_options.hpp"
#include "sample/sky_options.hpp"
#include "sample/voltages_options.hpp"
#include "tessera/cells.hpp"
#include "tessera/convolve.hpp"
#include "tessera/correlate.hpp"
#include "tessera/enhance.hpp"
#include "tessera/error.hpp"
#include "tessera/faraday_clean.hpp"
#include "tessera/noise.hpp"
#include "tessera/noise_grid.hpp"
#include "tessera/percentile_filter.hpp"
#include "tessera/scene_planes.hpp"
#include "tessera/stokes_fit.hpp"
#include "tessera/xengine.hpp"
#include "tests/support/files.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/text_has.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

using Words = std::vector<std::string>;

template <class T>
void set_number(T&, double) {
  FAIL() << "a range of values that are not numbers";
}
void set_number(int& value, double number) { value = static_cast<int>(number); }
void set_number(long long& value, double number) { value = static_cast<long long>(number); }
void set_number(double& value, double number) { value = number; }
void set_number(Point& value, double number) { set_number(value.y, number); }
void set_number(NoiseBox& value, double number) { set_number(value.height, number); }
void set_number(NoiseQuantiles& value, double number) { value.orders = {0.5, number}; }
template <class T>
void set_number(std::optional<T>& value, double number) {
  set_number(value.emplace(), number);
}

template <class T>
constexpr bool is_whole() {
  if constexpr (requires { typename T::value_type; })
    return is_whole<typename T::value_type>();
  else
    return !std::is_same_v<T, double> && !std::is_same_v<T, NoiseQuantiles>;
}

/// Numbers just outside and just inside. Those that an int cannot hold are left out.
struct Numbers {
  std::vector<double> outside, inside;

  Numbers(const Range& range, bool whole) {
    const double low = range.lowest, high = range.highest;
    const auto next = [&](double from, double towards) {
      return whole ? from + (towards < from ? -1 : 1) : std::nextafter(from, towards);
    };
    if (std::isfinite(low)) {
      outside.push_back(range.above ? low : next(low, -Range::kOpen));
      inside.push_back(range.above ? next(low, Range::kOpen) : low);
    }
    if (std::isfinite(high)) {
      outside.push_back(next(high, Range::kOpen));
      inside.push_back(high);
    }
    if (!whole)
      for (const double number : {std::numeric_limits<double>::quiet_NaN(), Range::kOpen})
        outside.push_back(number);
  }
};

std::string message_of(const std::function<void()>& call, ErrorKind& kind) {
  try {
    call();
  } catch (const Error& error) {
    kind = error.kind();
    return error.what();
  }
  return "";
}

/// Help with all blanks the same: it is broken into lines.
std::string help_of(const Words& command) {
  Words words = command;
  words.emplace_back("--help");
  std::istringstream out(run_tool(words).out);
  std::string text;
  for (std::string word; out >> word;) text += word + " ";
  return text;
}

/// `use` makes a plan of options, or whatever checks them; `command` has them as its options.
template <class Options>
void expect_ranges(const Words& command, const std::function<void(const Options&)>& use) {
  const std::string help = command.empty() ? "" : help_of(command);
  int ranges = 0;
  Options usual;
  for_each_option(usual, [&](const char* name, auto& value, const Help& about) {
    if (!about.range) return;
    ++ranges;
    EXPECT_TRUE(is_within(*about.range, value)) << name;
    Range values = *about.range;
    values.part = "";
    const std::string is = std::string(name) + " is ", can_be = " can be " + values.text();
    const auto kept = value;
    const auto told = [&](double number, ErrorKind& kind) {
      set_number(value, number);
      const std::string message = message_of([&] { use(usual); }, kind);
      value = kept;
      return message;
    };
    const Numbers numbers(values, is_whole<std::remove_reference_t<decltype(value)>>());
    for (const double number : numbers.outside) {
      ErrorKind kind = ErrorKind::failure;
      const std::string message = told(number, kind);
      EXPECT_TRUE(has(message, is) && has(message, can_be)) << name << " " << number << message;
      EXPECT_EQ(kind, ErrorKind::usage) << message;
    }
    for (const double number : numbers.inside) {
      ErrorKind kind = ErrorKind::failure;
      const std::string message = told(number, kind);
      EXPECT_FALSE(has(message, is) && has(message, can_be)) << name << " " << message;
    }
    if (has(help, std::string("--") + name + " ")) {
      EXPECT_TRUE(has(help, "; " + about.range->text())) << name << "\n" << help;
    }
  });
  EXPECT_GT(ranges, 0);
}

const ImageInfo kPhoto{{64, 48}, Type::u8}, kFloats{{64, 48}, Type::f32};

TEST(CliRanges, OfOperationsOnImages) {
  expect_ranges<ConvolveOptions>({"convolve"}, [](const ConvolveOptions& options) {
    convolve(testing::short_view(Image(kFloats)), testing::short_view(box(3, 3)), options);
  });
  expect_ranges<EnhanceOptions>({"enhance"},
                                [](const EnhanceOptions& options) { Enhance(kPhoto, options); });
  expect_ranges<CorrelateOptions>(
      {"correlate"}, [](const CorrelateOptions& options) { Correlate(kFloats, options); });
  expect_ranges<ScenePlanesOptions>({"correlate"}, [](const ScenePlanesOptions& options) {
    // Filters for the widest scale take half a minute.
    if (options.gradient_scale == 1000 || options.texture_scale == 1000) return;
    ScenePlanes(kPhoto, options);
  });
  expect_ranges<CellsOptions>({"cells", "track"},
                              [](const CellsOptions& options) { Cells(kPhoto, options); });
}

TEST(CliRanges, OfNoise) {
  expect_ranges<NoiseOptions>({"noise"},
                              [](const NoiseOptions& options) { Noise(kFloats, options); });
  expect_ranges<NoiseOptions>({"noise"}, [](NoiseOptions options) {
    options.mode = NoiseMode::grid;
    NoiseGrid(kFloats, options);
  });
  expect_ranges<PercentileOptions>(
      {}, [](const PercentileOptions& options) { PercentileFilter(kFloats, 50, options); });
}

TEST(CliRanges, OfFaradayAndXEngine) {
  const FaradayChannels channels{{1e9, 1.1e9, 1.2e9, 1.3e9}};
  const FaradayAxes axes = faraday_axes(channels, FaradayOptions{.phi_max = 100, .dphi = 10});
  const FaradayRmsf rmsf = faraday_rmsf(axes);
  expect_ranges<FaradayOptions>({"faraday", "synth"}, [&](const FaradayOptions& options) {
    faraday_axes(channels, options);
  });
  expect_ranges<FaradayCleanOptions>({"faraday", "clean"}, [&](const FaradayCleanOptions& options) {
    FaradayClean({{4, 3, 1, axes.depths()}, Type::f32}, rmsf, options);
  });
  expect_ranges<StokesFitOptions>({"faraday", "fit-i"}, [&](const StokesFitOptions& options) {
    StokesFit({{4, 3, 1, 4}, Type::f32}, channels.frequency, options);
  });
  expect_ranges<SpectrumChoices>({"faraday", "spectrum"}, [](const SpectrumChoices& choices) {
    analyse_spectrum({}, {}, choices);
  });
  expect_ranges<XEngineOptions>({"xengine"}, [](const XEngineOptions& options) {
    XEngine({.antennas = 4, .channels = 4}, options);
  });
  expect_ranges<XEngineChoices>({"xengine"}, [](const XEngineChoices& choices) {
    XEngineJob{.inputs = {"none.raw"}, .output = "v.npy", .choices = choices}.run();
  });
  expect_ranges<VoltageOptions>(
      {"xengine"}, [](const VoltageOptions& options) { open_voltages({"none.raw"}, options); });
}

TEST(CliRanges, OfJobs) {
  const TemporaryFolder folder;
  expect_ranges<WriteOptions>({"convert"}, [&](const WriteOptions& options) {
    create_image(folder.path("a.jpg"), kPhoto, options);
  });
  expect_ranges<RunSettings>({"convolve"}, [](RunSettings settings) {
    settings.threads = std::min(settings.threads, 1);
    settings.stream(kHost);
  });
  expect_ranges<BatchOptions>({"convolve"},
                              [](const BatchOptions& options) { files_at_once(options, {}); });
  expect_ranges<CellsMeasure>({"cells", "track"}, check_measure);
  expect_ranges<CellsJobOptions>({"cells", "track"}, [&](const CellsJobOptions& options) {
    CellsJob{.input = "none.avi", .output = folder.path("cells"), .film = options}.run();
  });
  expect_ranges<CellsWatchOptions>({"cells", "watch"}, [&](const CellsWatchOptions& options) {
    CellsWatchJob{.track = {.input = "none.raw", .output = folder.path("watch")}, .watch = options}
        .run(EndRequest());
  });
  expect_ranges<CellScoreOptions>(
      {"cells", "score"}, [](const CellScoreOptions& options) { score_tracks({}, {}, options); });
}

TEST(CliRanges, OfSamples) {
  expect_ranges<PointsOptions>({"sample", "points"}, [](const PointsOptions& options) {
    Points({64, 48}, 1, Type::f32, options, 1);
  });
  expect_ranges<CellFilmOptions>({"sample", "cells"}, filled);
  expect_ranges<PolarisedOptions>({"sample", "polarised"}, check_polarised);
  expect_ranges<SkyOptions>({"sample", "sky"}, check_sky);
  expect_ranges<VoltagesOptions>({"sample", "voltages"}, check_voltages);
}

}  // namespace
}  // namespace tessera::testing
