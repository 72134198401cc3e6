// SPDX-License-Identifier: Apache-2.0
// The values of an image, of all settings: maps, then profiles; and the figures of the whole run.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/device.hpp"
#include "jobs/correlate/correlate_run.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

// "a:a+b:b" for "0:0+1:1".
std::string photograph_name(const CorrelateSum& sum) {
  constexpr const char* kPlanes[] = {"a", "b", "x1", "x2"};
  std::string name;
  for (const PlanePair& pair : sum.pairs)
    name +=
        fmt::format("{}{}:{}", name.empty() ? "" : "+", kPlanes[pair.first], kPlanes[pair.second]);
  return name;
}

}  // namespace

// Photographs go to the device where they are correlated. Decided by the plan alone, so that a run
// that goes on makes the same planes.
bool CorrelateRun::planes_on_device() const { return plan_there_.has_value(); }

// The maps of all settings, then their profiles.
std::vector<double> CorrelateRun::values_of(const LoadedScene& scene, int threads) const {
  const Size map_size = plan_->output().size;
  const std::size_t settings = sweep_.settings.size();
  std::vector<double> values(settings *
                             (static_cast<std::size_t>(map_size.samples()) +
                              static_cast<std::size_t>(map_size.planes) * profiles_->values()));
  if (scene.photograph) {
    correlate_photograph(scene.photograph, values);
    return values;
  }
  Stream stream = job_.settings.stream(plan_->device(), threads);
  Image map(plan_->output());
  for (std::size_t setting = 0; setting < settings; ++setting) {
    const AnyView own = scene.planes[setting].view();
    (*plan_)(own, others_.empty() ? own : others_[setting].view(), map.view(), stream);
    stream.wait();
    measure(setting, map, values);
  }
  return values;
}

// The planes of a photograph never leave the device.
void CorrelateRun::correlate_photograph(const Image& photograph,
                                        std::vector<double>& values) const {
  Stream stream = job_.settings.stream(plan_there_->device(), 1);
  const auto upload = [&](const AnyView& host, Scratch& memory) {
    const AnyMutableView there = device_view(host, stream, memory);
    device_stream(stream).copy(host, there);
    return AnyView(there);
  };
  Image map(plan_->output());
  Scratch photograph_memory, other_memory, map_memory;
  const AnyMutableView made = device_view(map.view(), stream, map_memory);
  const AnyView there = upload(photograph.view(), photograph_memory);
  scene_planes(
      loader_.plans_for(there.info()), there,
      [&](std::size_t setting, const AnyView& planes) {
        const AnyView other =
            others_.empty() ? planes : upload(others_[setting].view(), other_memory);
        (*plan_there_)(planes, other, made, stream);
        device_stream(stream).copy(made, map.view());
        stream.wait();
        measure(setting, map, values);
      },
      stream);
}

void CorrelateRun::measure(std::size_t setting, const Image& map,
                           std::vector<double>& values) const {
  const auto maps = static_cast<std::size_t>(map.info().size.samples());
  const auto curves = static_cast<std::size_t>(map.info().size.planes) * profiles_->values();
  std::copy_n(map.as<float>().data, maps, values.data() + setting * maps);
  double* to = values.data() + sweep_.settings.size() * maps + setting * curves;
  for (int p = 0; p < map.info().size.planes; ++p, to += profiles_->values())
    profiles_->measure(map.view().only_plane(p).as<const float>(), to);
}

// One such image would make the whole mean NaN.
void CorrelateRun::leave_out_if_not_finite(Work& work) const {
  const auto maps_end =  // then profiles
      work.values.begin() + std::ssize(sweep_.settings) * plan_->output().size.samples();
  const auto strange = std::find_if_not(work.values.begin(), maps_end,
                                        [](double value) { return std::isfinite(value); });
  if (strange == maps_end) return;
  const auto map =
      (strange - work.values.begin()) / plan_->output().size.pixels() % std::ssize(plan_->sums());
  work.outcome.error = fmt::format(
      "{}: its map {} {}", work.outcome.input, plan_->sums()[static_cast<std::size_t>(map)].name,
      std::isnan(*strange) && job_.options.scale != ShiftScale::none
          ? "is of planes that are 0, as colour is in a grey image, with no energy to divide by; "
            "give --scale overlap, or other --sums"
          : "has sums beyond the largest float; give planes with smaller values");
  work.values.clear();
}

CorrelateFigures CorrelateRun::figures() const {
  CorrelateFigures figures;
  const bool photographs = job_.ensemble.planes != PlaneSource::normalised &&
                           job_.ensemble.stack == 1 && state_.normalised > 0;
  for (std::size_t setting = 0; setting < sweep_.settings.size(); ++setting)
    for (const CorrelateSum& sum : plan_->sums()) {
      const std::string name = photographs ? photograph_name(sum) : sum.name;
      const std::string with = sweep_.name_of(setting);
      figures.plain_names.push_back(name);
      figures.values.push_back(sweep_.settings[setting].values);
      figures.maps.push_back(with.empty() ? name : name + " at " + with);
    }
  figures.swept = sweep_.options;
  figures.size = plan_->output().size;
  figures.first_shift = plan_->first_shift();
  figures.max_shift = job_.options.max_shift;
  figures.images = state_.ensemble.images();
  figures.scale = to_text(job_.options.scale);
  figures.curves = profiles_->curves();
  Moments all = state_.ensemble.all();
  figures.errors = all.standard_errors();
  figures.means = std::move(all.means);
  return figures;
}

}  // namespace tessera
