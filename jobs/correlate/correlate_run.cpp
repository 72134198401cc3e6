// SPDX-License-Identifier: Apache-2.0
#include "jobs/correlate/correlate_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "core/parallel.hpp"
#include "jobs/agreement.hpp"
#include "jobs/batch.hpp"
#include "jobs/job_files.hpp"
#include "report/json.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr int kGroupsInFlight = 3;
constexpr std::chrono::seconds kBetweenSaves{2};  // the most work that an interruption loses

SceneLoading loading_of(const CorrelateJob& job, const SceneSweep& sweep) {
  SceneLoading how{job.ensemble.planes, job.ensemble.crop, {}, job.reading};
  for (const SceneSetting& setting : sweep.settings) how.scenes.push_back(setting.scene);
  if (how.reading.limits.bytes == 0)
    how.reading.limits.bytes = static_cast<long long>(job.settings.memory_limit.bytes);
  how.plane_bytes =
      static_cast<long long>(job.settings.stream(kHost).memory_limit()) / kGroupsInFlight;
  return how;
}

// Everything that determines the maps; --picture and --force do not.
std::string parameters_of(const CorrelateJob& job) {
  EnsembleOptions ensemble = job.ensemble;
  ensemble.picture.clear();
  return batch_parameters("correlate",
                          {changed_options(job.options), changed_options(job.scene),
                           changed_options(ensemble), changed_options(job.reading)},
                          {job.ensemble.with});
}

}  // namespace

CorrelateRun::CorrelateRun(const CorrelateJob& job, std::vector<SceneFiles> scenes,
                           std::string state_path, Progress progress)
    : job_(job),
      scenes_(std::move(scenes)),
      state_path_(std::move(state_path)),
      progress_(std::move(progress)),
      sweep_(parse_sweep(job.ensemble.sweep, job.scene)),
      loader_(loading_of(job, sweep_)),
      threads_(job.settings.stream(kHost).threads()),
      end_(scenes_.size()),
      ranks_(ranks()),
      options_(job.options) {
  for (const SceneFiles& scene : scenes_) signatures_.push_back(scene.signature);
}

void CorrelateRun::run() {
  const Stopwatch watch(seconds_.all);
  if (ranks_.first()) resume();
  try {
    if (ranks_.count() > 1) begin_together();
    process();
    while (together_ && ranks_.first() && state_.outcomes.size() < scenes_.size()) {
      take_blocks();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  } catch (...) {
    keep_what_is_done();
    throw;
  }
  if (together_) ranks_.end_units();
  if (state_.ensemble.images() > 0) save_state(state_path_, state_);
}

void CorrelateRun::process() {
  ordered<Group>([this](Group& group) { return read(group); },
                 [this](Group& group) { compute(group); }, [this](Group& group) { write(group); },
                 kGroupsInFlight);
}

void CorrelateRun::resume() {
  const std::string parameters = parameters_of(job_);
  // The blocks of parts are all there.
  if (!ranks_.apart() && load_state(state_path_, parameters, signatures_, state_, note_)) {
    next_ = state_.outcomes.size();
    resumed_ = state_.ensemble.images();
    for (std::size_t i = 0; i < next_; ++i) state_.outcomes[i].input = scenes_[i].name();
    if (resumed_ > 0) make_plan(state_.planes);
  }
  state_.parameters = parameters;
}

// Rank 0 finishes a block that was begun, and finds the first good image, which decides the size
// and so the method.
void CorrelateRun::begin_together() {
  std::string list;
  for (const std::string& signature : signatures_) list += signature + "\n";
  check_same_list(job_.inputs.front(), std::ssize(scenes_), list);
  const Json told = Json::parse(told_of_beginning());
  next_ = end_ = first_ = told.at("next").get<std::size_t>();
  const auto size = told.at("planes").get<std::vector<int>>();
  if (size[0] > 0 && !plan_) {
    from_text("backend", told.at("backend").get<std::string>(), options_.backend);
    options_.method = told.at("method").get<std::string>();
    make_plan({size[0], size[1], size[2], size[3]});
  }
  if (plan_) check_same_method(plan_->describe(), false);
  together_ = true;
  ranks_.begin_units();
}

// The process that joins parts reads no image: the first part tells it.
std::string CorrelateRun::told_of_beginning() {
  if (ranks_.apart() && ranks_.first()) return ranks_.gathered("").front();
  const std::string told = told_by_first([&] {
    end_ = std::min(scenes_.size(),
                    (next_ + Ensemble::kBlock - 1) / Ensemble::kBlock * Ensemble::kBlock);
    process();
    if (!plan_) make_plan_of_first_good_image();
    const Json json{{"next", next_},
                    {"planes", {planes_.width, planes_.height, planes_.channels, planes_.planes}},
                    {"backend", plan_ ? to_text(plan_->backend()) : ""},
                    {"method", plan_ ? plan_->method() : ""}};
    return json.dump();
  });
  if (ranks_.apart()) ranks_.gathered(told);
  return told;
}

void CorrelateRun::make_plan_of_first_good_image() {
  for (std::size_t i = next_; i < scenes_.size() && !plan_; ++i) {
    Work work;
    work.index = i;
    load(work, threads_);
    settle(work);
  }
}

bool CorrelateRun::take_block() {
  const auto unit = static_cast<std::size_t>(ranks_.next_unit());
  next_ = std::min(scenes_.size(), first_ + unit * Ensemble::kBlock);
  end_ = std::min(scenes_.size(), next_ + Ensemble::kBlock);
  if (next_ < end_) ++ranks_.units_done;
  return next_ < end_;
}

// Called before the run ends with an exception, which says more than a failure here would.
void CorrelateRun::keep_what_is_done() const noexcept {
  if (state_.ensemble.images() == 0) return;
  try {
    save_state(state_path_, state_);
  } catch (...) {
  }
}

// Enough that every thread has work, and few enough that all in flight fit into memory.
int CorrelateRun::group_images() const {
  if (!plan_) return 1;
  const long long each =
      (4 * bytes_of(plan_->input()) + 4 * bytes_of(plan_->output())) * std::ssize(sweep_.settings);
  const auto limit =
      static_cast<long long>(job_.settings.stream(kHost).memory_limit()) / kGroupsInFlight;
  return static_cast<int>(std::clamp(limit / std::max(each, 1LL), 1LL, 2LL * threads_));
}

bool CorrelateRun::read(Group& group) {
  const Stopwatch watch(seconds_.read);
  if (together_ && next_ == end_ && !take_block()) return false;
  const std::size_t count = std::min(static_cast<std::size_t>(group_images()), end_ - next_);
  group.resize(count);
  for (Work& work : group) work.index = next_++;
  const int each = std::max(1, threads_ / static_cast<int>(std::max<std::size_t>(count, 1)));
  parallel_for(static_cast<int>(count), threads_,
               [&](int i) { load(group[static_cast<std::size_t>(i)], each); });
  for (Work& work : group) settle(work);
  return count > 0;
}

// A fault of an image is recorded; a fault of the machine stops the run.
void CorrelateRun::load(Work& work, int threads) const {
  const SceneFiles& scene = scenes_[work.index];
  work.outcome.input = scene.name();
  try {
    Stream stream(kHost, threads);
    work.outcome.warnings.clear();
    work.scene = loader_.load(scene, planes_on_device(), stream, work.outcome.warnings);
    work.normalised = work.scene.normalised;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    work.outcome.error = error.what();
  }
}

// The first good image decides the size.
void CorrelateRun::settle(Work& work) {
  if (work.scene.empty()) return;
  const Size size = work.scene.size();
  if (!plan_) {
    check_shifts(work.outcome.input, size);
    make_plan(size);
    if (planes_on_device()) load(work, threads_);  // as all that follow
  }
  if (size == planes_) return;
  work.scene = {};
  work.outcome.error = fmt::format(
      "{}: it is {}x{} with {} planes; the first image is {}x{} with {}: give images of the same "
      "size, or --crop",
      work.outcome.input, size.width, size.height, size.planes, planes_.width, planes_.height,
      planes_.planes);
}

// The plan would refuse it too, but could not name the image.
void CorrelateRun::check_shifts(const std::string& image, Size size) const {
  const int side = std::min(size.width, size.height);
  if (job_.options.max_shift > side)
    throw Error(
        ErrorKind::usage,
        fmt::format(
            "correlate: {} is {}x{} and --max-shift is {}; it must be at most {}, the smaller side",
            image, size.width, size.height, job_.options.max_shift, side));
}

void CorrelateRun::make_plan(Size planes) {
  planes_ = planes;
  plan_.emplace(ImageInfo{planes, Type::f32, kHost}, options_);
  profiles_.emplace(plan_->output().size, plan_->first_shift(), job_.options.max_shift,
                    profile_angles(job_.ensemble.angles, job_.options.quadrants));
  if (plan_->backend() == Backend::cuda) {
    CorrelateOptions there = options_;
    there.backend = Backend::cuda;
    there.method = plan_->method();
    there.device = plan_->device();
    plan_there_.emplace(ImageInfo{planes, Type::f32, plan_->device()}, there);
  }
  state_.planes = planes;
  state_.ran = plan_->describe();
  if (job_.ensemble.with.empty()) return;
  Stream stream = job_.settings.stream(kHost);
  std::vector<std::string> warnings;
  others_ = loader_.load({{job_.ensemble.with}, ""}, false, stream, warnings).planes;
  if (!warnings.empty()) throw Error(ErrorKind::input, warnings.front());
  if (const ImageInfo& other = others_.front().info(); other.size != planes)
    throw Error(ErrorKind::input,
                fmt::format("{}: it is {}, the images are {}; --with needs an image of their size",
                            job_.ensemble.with, describe(other), describe(plan_->input())));
}

// On the CPU one image per thread; a device takes them one by one.
void CorrelateRun::compute(Group& group) {
  const Stopwatch watch(seconds_.work);
  // Until there is a good image, the reader may be making the plan at this moment.
  if (std::ranges::all_of(group, [](const Work& work) { return work.scene.empty(); })) return;
  const int at_once = plan_->backend() == Backend::cuda ? 1 : threads_;
  const int each = std::max(1, threads_ / static_cast<int>(group.size()));
  parallel_for(static_cast<int>(group.size()), at_once, [&](int i) {
    Work& work = group[static_cast<std::size_t>(i)];
    if (work.scene.empty()) return;
    work.values = values_of(work.scene, each);
    work.scene = {};
    leave_out_if_not_finite(work);
  });
}

void CorrelateRun::write(Group& group) {
  const Stopwatch watch(seconds_.write);
  for (Work& work : group) {
    if (together_) {
      add_to_block(work);
      continue;
    }
    if (!work.values.empty()) {
      state_.ensemble.add(static_cast<long long>(work.index), work.values);
      state_.normalised += work.normalised ? 1 : 0;
    }
    state_.signatures.push_back(signatures_[work.index]);
    state_.outcomes.push_back(std::move(work.outcome));
  }
  if (together_ && ranks_.first()) take_blocks();
  save_if_due();
}

void CorrelateRun::add_to_block(Work& work) {
  const auto place = static_cast<long long>(work.index);
  if (block_.outcomes.empty()) block_.first = place;
  if (!work.values.empty()) {
    block_.moments.add(work.values);
    block_.last = place;
    block_.normalised += work.normalised ? 1 : 0;
  }
  block_.outcomes.push_back(std::move(work.outcome));
  const bool whole = std::ssize(block_.outcomes) == Ensemble::kBlock;
  if (!whole && work.index + 1 < scenes_.size()) return;
  EnsembleBlock done = std::exchange(block_, {});
  ranks_.first() ? blocks_.add(std::move(done)) : ranks_.post(to_message(done));
}

// Rank 0 calls it.
void CorrelateRun::take_blocks() {
  blocks_.move_to(state_, signatures_);  // its own
  while (const auto message = ranks_.received()) {
    blocks_.add(block_of_message(*message));
    blocks_.move_to(state_, signatures_);  // before the next comes: maps may be large
  }
  save_if_due();
}

void CorrelateRun::save_if_due() {
  if (std::chrono::steady_clock::now() - saved_ >= kBetweenSaves && state_.ensemble.images() > 0) {
    save_state(state_path_, state_);
    saved_ = std::chrono::steady_clock::now();  // large maps take a while
  }
  if (progress_)
    progress_(static_cast<long long>(state_.outcomes.size()),
              static_cast<long long>(scenes_.size()));
}

}  // namespace tessera
