// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_synth_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "jobs/faraday/faraday_lists.hpp"
#include "jobs/faraday/faraday_pictures.hpp"
#include "jobs/faraday/faraday_products.hpp"
#include "jobs/history.hpp"
#include "jobs/timing.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Everything about the channels, before a pixel is transformed.
struct Channels {
  FaradayAxes axes;
  int dead = 0;
  double noise = std::numeric_limits<double>::quiet_NaN();  ///< of the spectra, by theory
  std::string note;
};

std::vector<double> weights_of(const FaradaySynthChoices& choices, const FaradayCubeSource& cube,
                               const std::vector<double>& sigma) {
  const auto channels = static_cast<std::size_t>(cube.info().size.planes);
  if (choices.weights == "uniform") return std::vector<double>(channels, 1.0);
  if (choices.weights != "variance") return read_channel_list(choices.weights, cube, "weights");
  if (sigma.empty())
    throw Error(ErrorKind::usage,
                "faraday: weights by variance need --noise: a file with the noise of every channel");
  std::vector<double> weights;
  for (const double s : sigma) weights.push_back(1 / (s * s));
  return weights;
}

Channels channels_of(const FaradaySynthJob& job, FaradayInput& input) {
  const FaradayCubeSource& q = input.q();
  std::vector<double> sigma;
  if (!job.choices.noise.empty()) sigma = read_channel_list(job.choices.noise, q, "noise values");
  FaradayChannels channels{job.frequencies.empty()
                               ? header_frequencies(q)
                               : read_channel_list(job.frequencies, q, "frequencies"),
                           weights_of(job.choices, q, sigma)};
  Channels found;
  found.note = duplicates_in(channels.frequency);
  const std::vector<unsigned char> dead = input.find_dead();
  found.dead = static_cast<int>(std::ranges::count(dead, 1));
  if (found.dead == q.info().size.planes)
    throw Error(ErrorKind::input,
                fmt::format("faraday: {} and {} have no voxel at which both are finite; give cubes "
                            "with some",
                            job.files.q, job.files.u));
  for (std::size_t k = 0; k < dead.size(); ++k)
    if (dead[k]) channels.weight[k] = 0;
  found.axes = faraday_axes(channels, job.options);
  for (std::size_t k = 0; k < sigma.size(); ++k)
    if (!(found.axes.weight[k] > 0)) sigma[k] = 0;
  if (!sigma.empty()) found.noise = faraday_noise(found.axes, sigma);
  return found;
}

/// Two sinks as one.
class BothSinks : public RowSink {
 public:
  BothSinks(RowSink& first, RowSink* second) : first_(first), second_(second) {}
  void write(Rows rows, AnyView from) override {
    first_.write(rows, from);
    if (second_) second_->write(rows, from);
  }
  void finish() override {}

 private:
  RowSink& first_;
  RowSink* second_;
};

/// So much less for strips that what they take beside fits too: all of it grows with their rows.
Stream stream_for(const FaradaySynthJob& job, const StripPlan& plan, int device,
                  std::size_t beside_a_row) {
  Stream all = job.settings.stream(device);
  const Size &in = plan.inputs[0].size, &out = plan.outputs[0].size;
  const double strips = 12.0 * in.width * (in.planes + out.planes);
  const double share = strips / (strips + static_cast<double>(beside_a_row));
  return Stream(device, all.threads(),
                static_cast<std::size_t>(share * static_cast<double>(all.memory_limit())));
}

void write_rmsfs(const FaradayPatterns& patterns, FaradayOutputs& outputs) {
  const int count = patterns.count(), length = static_cast<int>(patterns.rmsf(0).value.size());
  Image image({count, 1, 1, 3 * length}, Type::f32);
  for (int n = 0; n < count; ++n)
    for (int p = 0; p < length; ++p) {
      const std::complex<double> value = patterns.rmsf(n).value[static_cast<std::size_t>(p)];
      image.as<float>().at(n, 0, 0, p) = static_cast<float>(value.real());
      image.as<float>().at(n, 0, 0, length + p) = static_cast<float>(value.imag());
      image.as<float>().at(n, 0, 0, 2 * length + p) = static_cast<float>(std::abs(value));
    }
  outputs.write({0, 1}, image.view());
}

void describe_axes(const Channels& channels, FaradaySynthResult& result) {
  const FaradayAxes& axes = channels.axes;
  result.channels = axes.channels();
  result.dead_channels = channels.dead;
  result.depths = axes.depths();
  result.phi_min = axes.phi.front();
  result.phi_max = axes.phi.back();
  result.dphi = axes.dphi;
  result.lambda2_0 = axes.lambda2_0;
  result.fwhm = axes.fwhm;
  result.max_scale = axes.max_scale;
  result.noise = channels.noise;
  if (!channels.note.empty()) result.notes.push_back(channels.note);
}

void describe_patterns(const FaradayPatterns& patterns, FaradaySynthResult& result) {
  result.fwhm = patterns.rmsf(0).fwhm;
  result.fitted = patterns.rmsf(0).fitted;
  result.patterns = patterns.count();
  result.incomplete_pixels = patterns.incomplete_pixels();
  result.empty_pixels = patterns.empty_pixels();
  if (patterns.other_pixels() > 0)
    result.notes.push_back(fmt::format(
        "pixels lack channels in more than {} ways: {} pixels have the RMSF of all channels",
        FaradayPatterns::kMost, patterns.other_pixels()));
}

std::string options_text(const FaradaySynthJob& job) {
  FaradaySynthChoices choices = job.choices;
  choices.plot.clear();
  choices.plot_rmsf.clear();
  const std::string first = changed_options(job.options), second = changed_options(choices);
  return first + (first.empty() || second.empty() ? "" : " ") + second;
}

}  // namespace

FaradaySynthResult FaradaySynthJob::run(const Progress& progress) const {
  FaradaySynthResult result;
  double spent = 0;
  const auto begin = std::chrono::steady_clock::now();
  const auto so_far = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  check_pictures(*this);
  FaradayInput input(files, reading, settings);
  const Channels channels = channels_of(*this, input);
  input.refer_to(channels.axes);
  describe_axes(channels, result);
  const bool brentjens = choices.names == FaradayNames::brentjens;
  const bool rmsf = !choices.no_rmsf && channels.axes.regular();
  std::optional<FaradayPatterns> patterns;
  if (rmsf) patterns.emplace(channels.axes, choices.fit_rmsf || channels.axes.lambda2_0 == 0);

  const FaradayProductsOf of{*this, input.q(), channels.axes, std::isnan(channels.noise)};
  const FaradayProducts products = faraday_products(of, rmsf && !brentjens);
  FaradayStrips strips(input.cube(), channels.axes, options, products.maps,
                       rmsf ? patterns->rmsf(0).fwhm : channels.axes.fwhm, channels.noise,
                       products.layout, patterns ? &*patterns : nullptr);
  result.ran = strips.synth().describe();
  result.maps_ran = strips.maps().describe();
  WriteOptions how = writing;
  how.history = history_of(result.ran + "; " + result.maps_ran, options_text(*this));

  const bool apart = rmsf && !brentjens && !has_rmsf_cube(*this);
  if (apart)
    for (const FaradayProduct& product : rmsf_products(of, 1))
      check_output_name(product.file, writing.force);
  if (rmsf && brentjens) check_output_name(output + "rmsf.txt", writing.force);
  FaradayOutputs outputs(products.streamed, how, so_far), map_of_patterns(products.pattern, how,
                                                                          so_far);
  BothSinks sink(outputs, apart ? &map_of_patterns : nullptr);
  const StripPlan plan = strips.plan();
  Stream stream = stream_for(*this, plan, strips.synth().device(),
                             input.scratch_bytes_a_row() + strips.scratch_bytes_a_row());
  stream_timed(input, sink, plan, stream, result.seconds, progress);

  if (rmsf) describe_patterns(*patterns, result);
  result.max_pi = strips.seen().max_pi;
  result.peak_rm = strips.seen().peak_rm;
  result.brightest_x = strips.seen().brightest.x;
  result.brightest_y = strips.seen().brightest.y;
  result.files = outputs.files();
  {
    const Stopwatch watch(spent), write(result.seconds.write);
    if (apart) {
      FaradayOutputs rmsfs(rmsf_products(of, patterns->count()), how, so_far);
      write_rmsfs(*patterns, rmsfs);
      rmsfs.place();
      result.files.insert(result.files.end(), rmsfs.files().begin(), rmsfs.files().end());
      if (patterns->count() > 1) {
        map_of_patterns.place();
        result.files.push_back(map_of_patterns.files().front());
      }
    }
    if (rmsf && brentjens) result.files.push_back(write_rmsf_text(*this, patterns->rmsf(0)));
    outputs.place();
  }
  draw_pictures(*this, input, channels.axes, strips.seen(), patterns ? &patterns->rmsf(0) : nullptr,
                result);
  result.seconds.all = so_far();
  result.pixels_per_second =
      static_cast<double>(input.cube().size.width) * input.cube().size.height / result.seconds.all;
  result.filled = input.warnings();
  return result;
}

}  // namespace tessera
