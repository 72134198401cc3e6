// SPDX-License-Identifier: Apache-2.0
// The plan: check, choose, mark rows, keep islands, measure.
#include "tessera/sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "core/refuse.hpp"
#include "ops/sources/sources_measure.hpp"
#include "ops/sources/sources_problem.hpp"
#include "ops/sources/sources_scan.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr int kMarginWithoutBeam = 8, kReachWithoutBeam = 8, kMostReach = 24, kMostMargin = 512;

void check_scale(const SourcesScale& scale) {
  if (!(scale.background_pixels >= 0 && std::isfinite(scale.background_pixels)))
    refuse("sources",
           fmt::format("background_pixels is {}; it can be 0 or more", scale.background_pixels));
  if (!scale.beam) return;
  const SourceShape& beam = *scale.beam;
  if (!(beam.minor > 0 && beam.minor <= beam.major && beam.major <= kMostMargin &&
        std::isfinite(beam.angle)))
    refuse("sources",
           fmt::format("the beam is {} by {} pixels at {} degrees; 0 < minor <= major <= {} and a "
                       "finite angle would be right",
                       beam.major, beam.minor, beam.angle, kMostMargin));
}

SourcesProblem make_sources_problem(const ImageInfo& image, const SourcesOptions& options,
                                    const SourcesScale& scale) {
  check_image("sources", image);
  check_ranges("sources", options);
  if (image.size.channels != 1 || image.size.planes != 1)
    refuse("sources", fmt::format("the image is {}; sources are those of one channel and one plane",
                                  image_text(image)));
  if (options.grow > options.seed)
    refuse("sources",
           fmt::format("grow is {} and seed {}; islands grow down from their seeds: give "
                       "grow at most the seed",
                       options.grow, options.seed));
  check_scale(scale);
  SourcesProblem p;
  p.image = p.output = image;
  p.output.type = Type::u8;
  p.options = options;
  p.scale = scale;
  if (scale.beam) {
    p.margin = std::max(3, static_cast<int>(std::ceil(2 * scale.beam->major)));
    p.reach = std::clamp(static_cast<int>(std::ceil(1.5 * scale.beam->major)), 4, kMostReach);
  } else {
    p.margin = kMarginWithoutBeam;
    p.reach = kReachWithoutBeam;
  }
  p.device = image.device == kHost ? options.device : image.device;
  return p;
}

struct SourcesPlan final : ImagePlanOf<SourcesProblem, SourcesRunner> {
  using ImagePlanOf::ImagePlanOf;
  std::string problem_text() const override {
    return fmt::format("sources {}, seed {}, grow {}", image_text(problem.image),
                       problem.options.seed, problem.options.grow);
  }
};

void check_rows(const SourcesProblem& p, const SourceScan& scan, const SourceRows& rows) {
  if (!scan.impl) refuse("sources", "the state is used up; begin() makes a new one");
  check_piece("sources", "image", rows.image.info(), p.image);
  for (const auto& [view, name] : {std::pair(rows.background, "background"), {rows.rms, "rms"}}) {
    const Size size = view.size, wanted = rows.image.size;
    if (size.width != wanted.width || size.height != wanted.height || size.channels != 1 ||
        size.planes != 1 || view.device != kHost)
      refuse("sources", fmt::format("the map {} is {}x{}, but the image {}x{}; give one plane of "
                                    "the same size in host memory",
                                    name, size.width, size.height, wanted.width, wanted.height));
    if (view.type != Type::f32 && view.type != Type::f64)
      refuse("sources",
             fmt::format("the map {} is {}; it can be f32 or f64", name, name_of(view.type)));
  }
  if (scan.rows() + rows.height() > p.image.size.height)
    refuse("sources", fmt::format("rows {} to {} are given, but the image has {}", scan.rows(),
                                  scan.rows() + rows.height(), p.image.size.height));
}

void check_memory(const SourceScan& scan, const Stream& stream) {
  const auto held = static_cast<double>(scan.bytes()),
             limit = static_cast<double>(stream.memory_limit());
  if (held <= limit) return;
  throw Error(ErrorKind::resources,
              fmt::format("sources: the islands of {} rows need {:.3g} MB and {:.3g} are allowed; "
                          "give a larger memory limit, or a higher grow",
                          scan.rows(), held / 1e6, limit / 1e6));
}

}  // namespace

std::string SourceFlags::text(int flags) {
  std::string words;
  const std::pair<int, const char*> names[] = {{blend, "blend"},
                                               {edge, "edge"},
                                               {blank, "blank"},
                                               {poor_fit, "poor-fit"},
                                               {fixed_shape, "fixed-shape"},
                                               {no_fit, "no-fit"},
                                               {negative, "negative"}};
  for (const auto& [bit, name] : names)
    if (flags & bit) words += (words.empty() ? "" : " ") + std::string(name);
  return words;
}

Sources::Sources(const ImageInfo& image, const SourcesOptions& options, const SourcesScale& scale)
    : ImagePlan(std::make_shared<const SourcesPlan>(
          "sources", make_sources_problem(image, options, scale), sources_methods(), options)) {}

int Sources::margin() const { return impl<SourcesPlan>().problem.margin; }

SourceScan Sources::begin() const {
  SourceScan scan;
  scan.impl = std::make_unique<SourceScan::Impl>(impl<SourcesPlan>().problem);
  return scan;
}

void Sources::add(SourceScan& scan, AnyView image, AnyView background, AnyView rms,
                  Stream& stream) const {
  const SourcesPlan& plan = impl<SourcesPlan>();
  const SourceRows rows{image, background, rms};
  check_rows(plan.problem, scan, rows);
  if (rows.height() == 0 || rows.width() == 0) return;
  SourceScan::Impl& state = *scan.impl;
  for (SourceFinder& finder : state.finders) {
    SourceBits bits(rows.width(), rows.height());
    plan.runner->mark(rows, finder.sign(), bits, stream);
    finder.add(rows, state.rows, bits);
    if (finder.sign() > 0)
      for (const long long count : bits.valid) state.valid += count;
  }
  state.samples.add(rows, state.rows);
  state.rows += rows.height();
  check_memory(scan, stream);
}

std::vector<SourcePixelRun> Sources::around(SourceScan& scan) const {
  const SourcesProblem& p = impl<SourcesPlan>().problem;
  if (!scan.impl) refuse("sources", "the state is used up; begin() makes a new one");
  std::vector<SourceRun> runs;
  for (SourceFinder& finder : scan.impl->finders)
    for (const SourceRun& run : finder.runs_that_count()) runs.push_back(run);
  std::vector<SourcePixelRun> all;
  for (const SourceRun& run :
       widened(runs, p.margin / 2, p.image.size.width, 0, p.image.size.height))
    all.push_back({run.y, run.x0, run.x1});
  return all;
}

SourceList Sources::finish(SourceScan& scan, Stream& stream) const {
  const SourcesProblem& problem = impl<SourcesPlan>().problem;
  if (!scan.impl) refuse("sources", "the state is used up; begin() makes a new one");
  if (scan.rows() != problem.image.size.height && !problem.image.size.empty())
    refuse("sources", fmt::format("{} of {} rows were given; give all before finish", scan.rows(),
                                  problem.image.size.height));
  SourceList list = measure_sources(problem, *scan.impl, stream.threads());
  scan.impl.reset();
  return list;
}

SourceList sources(AnyView image, AnyView background, AnyView rms, const SourcesOptions& options,
                   const SourcesScale& scale) {
  const Sources plan(image.info(), options, scale);
  Stream& stream = thread_stream(plan);
  SourceScan state = plan.begin();
  plan.add(state, image, background, rms, stream);
  return plan.finish(state, stream);
}

}  // namespace tessera
