// SPDX-License-Identifier: Apache-2.0
#include "jobs/xengine/xengine_pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "jobs/xengine/voltage_copy.hpp"
#include "report/json.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr int kDepth = 3;                      // one block read, one added, one written
constexpr int kTurned = 4;                     // blocks besides: before, after and growing
constexpr std::size_t kBlockBytes = 64 << 20;  // larger blocks do not make reading faster
constexpr long long kNoLimit = std::numeric_limits<long long>::max();

long long block_samples(const XEngineJob& job, const VoltageInfo& info, bool turned) {
  if (job.choices.block) return *job.choices.block;
  const std::size_t limit = job.settings.stream(kHost).memory_limit();
  const auto one = static_cast<std::size_t>(sample_bytes(info));
  const std::size_t blocks = kDepth + (turned ? kTurned : 0);
  if (one > limit / blocks)
    throw Error(
        ErrorKind::resources,
        fmt::format(
            "xengine: {} blocks of one sample need {}, but --memory-limit is {}; give at least {}",
            blocks, bytes_text(static_cast<double>(blocks * one)),
            bytes_text(static_cast<double>(limit)), blocks * one));
  const auto most = static_cast<long long>(std::min(limit / blocks, kBlockBytes) / one);
  // Blocks of whole runs of floats leave none open.
  const long long step = is_integer(info.samples) ? 16 : kFloatRun;
  return most > step ? most / step * step : std::max(most, 1LL);
}

/// Samples in time, without the share of inputs that have no data: gaps were never read.
double samples_with_data(const VoltageBlock& block, int inputs) {
  if (block.valid.empty()) return static_cast<double>(block.samples);
  double all = 0;
  for (long long first = 0, at = 0; first < block.samples;
       first += block.valid_samples, at += inputs) {
    const auto valid =
        block.valid.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(inputs));
    const auto length = std::min(block.valid_samples, block.samples - first);
    all += static_cast<double>(length * (inputs - std::ranges::count(valid, 0)));
  }
  return all / inputs;
}

/// A block in the pipeline, and the integration that it ends.
struct Item {
  KeptVoltages voltages;
  long long samples = 0, missing = 0;  ///< missing: all of the samples, or none
  bool ends = false;
  Scratch values;
  XEngineIntegration integration;
};

/// The three stages; each is called by one thread.
class Pipeline {
 public:
  Pipeline(const XEngineJob& job, const XEngineRoad& road, XEngineResult& result,
           const Progress& progress)
      : source_(road.source),
        info_(road.info),
        share_(road.share),
        plan_(share_.plan()),
        output_(road.output),
        picture_(road.picture),
        result_(result),
        progress_(progress),
        stream_(job.settings.stream(plan_.device())),
        state_(plan_.start()),
        block_(block_samples(job, info_, road.turned)),
        length_(job.choices.integrate.samples_at(info_.sample_rate)),
        limit_(job.choices.limit),
        all_(std::min(expected(), limit_.value_or(kNoLimit))) {}

  void run() {
    if (ranks().apart() && ranks().first()) return join_parts();
    ordered<Item>([this](Item& item) { return read(item); }, [this](Item& item) { add(item); },
                  [this](Item& item) { write(item); }, kDepth);
  }

 private:
  long long expected() const {
    const long long told = info_.length.value_or(info_.expected_length);
    return told > 0 ? told : limit_.value_or(0);
  }
  /// A block ends with its integration. The remainder at the end of the recording is one too.
  bool read(Item& item) {
    const Stopwatch watch(result_.seconds.read);
    if (at_end_ || share_.idle()) return false;
    long long most = kNoLimit;
    if (length_ > 0) most = length_ - filled_;
    if (limit_) most = std::min(most, *limit_ - read_);
    item.integration.first_sample = read_ - filled_;
    item.samples = item.missing = source_.skip_missing(most);
    if (item.missing == 0) read_block(item, std::min(most, block_));
    at_end_ = item.samples == 0;
    if (at_end_) return item.ends = filled_ > 0;
    read_ += item.samples;
    filled_ += item.samples;
    item.ends = filled_ == length_;
    if (item.ends) filled_ = 0;
    return true;
  }
  void read_block(Item& item, long long most) {
    const VoltageBlock block = most > 0 ? source_.read(most) : VoltageBlock{};
    item.samples = block.samples;
    if (block.samples == 0) return;
    item.voltages = block.device == kHost ? keep_voltages(block, plan_.shape(), info_.samples)
                                          : keep_voltages(block, source_.hold());
    result_.input_bytes += samples_with_data(block, info_.shape.inputs()) * info_.bits_of_all() / 8;
  }
  void add_block(const VoltageBlock& block) {
    plan_.add(state_, block, stream_);
    // Memory of a device goes back as soon as the item is done.
    if (block.device != kHost) stream_.wait();
  }
  void add(Item& item) {
    const Stopwatch watch(result_.seconds.work);
    if (item.missing > 0)
      plan_.add_missing(state_, item.missing);
    else
      add_block(item.voltages.block);
    result_.samples += item.samples;
    item.voltages = {};
    if (!item.ends) return;
    item.values = host_scratch(static_cast<std::size_t>(plan_.output().bytes()));
    item.integration.dump = plan_.dump(state_, {item.values.data(), kHost}, stream_);
  }
  void write(Item& item) {
    const Stopwatch watch(result_.seconds.write);
    std::optional<Scratch> values;
    if (item.ends) values = share_.join(std::move(item.values), item.integration);
    if (values) write(item.integration, *values);
    written_ += item.samples;
    if (progress_) progress_(written_, all_ > 0 ? std::max(all_, written_) : 0);
  }
  void write(XEngineIntegration& integration, const Scratch& values) {
    integration.values = values.data();
    output_->write(integration);
    picture_.add(integration);
    count(integration.dump);
  }
  /// Writes the integrations that the parts of a run have kept.
  void join_parts() {
    while (std::optional<XEngineIntegration> integration = share_.kept()) {
      const std::optional<Scratch> values = share_.join({}, *integration);
      write(*integration, *values);
    }
  }
  void count(const XEngineDump& dump) {
    ++result_.integrations;
    result_.saturated += dump.saturated;
    if (dump.valid.empty()) return;
    const double valid = std::accumulate(dump.valid.begin(), dump.valid.end(), 0.0);
    const double all = static_cast<double>(dump.samples) * plan_.options().average *
                       static_cast<double>(dump.valid.size());
    result_.invalid += (1 - valid / all) * static_cast<double>(dump.samples);
  }

  VoltageSource& source_;
  const VoltageInfo& info_;
  XEngineShare& share_;
  const XEngine& plan_;
  XEngineOutput* output_;
  VisibilityCollector& picture_;
  XEngineResult& result_;
  const Progress& progress_;
  Stream stream_;
  XEngineState state_;
  long long block_, length_;
  std::optional<long long> limit_;
  long long all_;  ///< samples; 0: not known
  long long read_ = 0, filled_ = 0, written_ = 0;
  bool at_end_ = false;
};

/// The first part has read all of the recording; join has not.
void take_from_first_part(XEngineResult& result) {
  const Json own{{"samples", result.samples},
                 {"input_bytes", result.input_bytes},
                 {"truncated", result.truncated},
                 {"warnings", result.warnings}};
  const auto all = ranks().gathered(own.dump(-1, ' ', false, Json::error_handler_t::replace));
  const Json first = Json::parse(all.front());
  result.samples = first.at("samples").get<long long>();
  result.input_bytes = first.at("input_bytes").get<double>();
  result.truncated = first.at("truncated").get<bool>();
  result.warnings = first.at("warnings").get<std::vector<std::string>>();
}

}  // namespace

long long sample_bytes(const VoltageInfo& info) {
  return 1LL * info.shape.inputs() * info.shape.channels * bytes_of(info.samples);
}

void run_xengine(const XEngineJob& job, const XEngineRoad& road, XEngineResult& result,
                 const Progress& progress) {
  Pipeline(job, road, result, progress).run();
  result.truncated = road.source.truncated();
  result.warnings = road.source.warnings();
  if (ranks().apart()) take_from_first_part(result);
  if (result.samples > 0) result.invalid /= static_cast<double>(result.samples);
}

}  // namespace tessera
