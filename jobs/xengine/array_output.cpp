// SPDX-License-Identifier: Apache-2.0
// NPY or plain bytes, their description as JSON, and counts of valid samples if some are missing.
#include <cstdio>
#include <filesystem>

#include "core/folder.hpp"
#include "io/output_set.hpp"
#include "jobs/xengine/visibility_json.hpp"

namespace tessera {
namespace {

std::string beside(const std::string& path, const char* end) {
  return std::filesystem::path(path).replace_extension("").string() + end;
}

class ArrayOutput : public XEngineOutput {
 public:
  ArrayOutput(const XEngineJob& job, const XEngineDescription& description)
      : job_(job),
        description_(description),
        weights_path_(beside(job.output, "_weights.npy")),
        json_path_(beside(job.output, ".json")),
        values_(job.output, job.force, visibility_items(description), job.output.ends_with(".npy")),
        weights_(weights_path_, job.force, weight_items(description), true),
        json_(json_path_, job.force) {}

  void write(const XEngineIntegration& integration) override {
    values_.add(integration.values);
    XEngineIntegration told = integration;
    told.values = nullptr;
    told.dump.valid.clear();
    if (!integration.dump.valid.empty()) add_weights(integration.dump.valid);
    done_.push_back(told);
  }

  void prepare() override {
    if (has_weights()) catch_up(std::ssize(done_));
    values_.prepare();
    if (has_weights()) weights_.prepare();
    const std::string text = visibility_json(job_, description_, done_,
                                             has_weights() ? name_in_folder(weights_path_) : "");
    json_.file().write_all(0, text.data(), std::ssize(text));
    json_.file().sync();
  }

  // Counts of an older run do not belong to this one.
  void finish() override {
    OutputSet together;
    values_.finish();
    if (has_weights()) weights_.finish();
    json_.finish();
    together.place();
    if (!has_weights() && job_.force) std::remove(weights_path_.c_str());
  }

  std::vector<std::string> files() const override {
    std::vector<std::string> names{job_.output};
    if (has_weights()) names.push_back(weights_path_);
    names.push_back(json_path_);
    return names;
  }

  std::vector<std::string> possible_files() const override {
    return {job_.output, weights_path_, json_path_};
  }

 private:
  bool has_weights() const { return weights_.length() > 0; }
  /// Integrations up to `count` without counts had all samples.
  void catch_up(long long count) {
    while (weights_.length() < count) {
      const long long all =
          done_[static_cast<std::size_t>(weights_.length())].dump.samples * description_.average;
      const std::vector<long long> full(static_cast<std::size_t>(description_.output.values), all);
      weights_.add(full.data());
    }
  }
  void add_weights(const std::vector<long long>& valid) {
    catch_up(std::ssize(done_));
    weights_.add(valid.data());
  }

  XEngineJob job_;
  XEngineDescription description_;
  std::string weights_path_, json_path_;
  VisibilityArray values_, weights_;
  Output json_;
  std::vector<XEngineIntegration> done_;
};

}  // namespace

std::unique_ptr<XEngineOutput> create_array_output(const XEngineJob& job,
                                                   const XEngineDescription& description) {
  return std::make_unique<ArrayOutput>(job, description);
}

}  // namespace tessera
