// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.hpp"
#include "jobs/sample/sample_job.hpp"

namespace tessera {
namespace {

constexpr const char* kSceneExamples = R"(Examples:
  tessera sample scene a.png --size 4096x3072
  tessera sample scene b.npy --size 512x512 --type f32 --grey --seed 7
)";
constexpr const char* kPointsExamples = R"(Examples:
  tessera sample points stars.npy --size 2048x2048 --truth stars.csv
  tessera sample points field.png --type u16 --count 1000 --noise 5
)";

void add_scene(Program& program, CLI::App& group) {
  auto job = std::make_shared<SceneJob>();
  Command command = program.command(group, "scene", "Draw a dead-leaves colour scene.");
  command.output("OUTPUT", job->output, "the image to make; - is an NPY on standard output");
  command.options(job->sample);
  command.flag("grey", job->grey, "luminance only, not red, green and blue");
  command.writing(job->writing);
  command.options(job->settings);
  command.talk();
  command.notes(kSceneExamples);
  command.action([job](Session& session) { session.say(job->run(session.progress())); });
}

void add_points(Program& program, CLI::App& group) {
  auto job = std::make_shared<PointsJob>();
  Command command = program.command(group, "points", "Draw point sources on a background.");
  command.output("OUTPUT", job->output, "the image to make; - is an NPY on standard output");
  command.options(job->sample);
  command.options(job->points);
  command.option("truth", "FILE", "", "write x, y and flux of every source to this CSV file",
                 [job](const std::string& text) { job->truth = text; });
  command.writing(job->writing);
  command.options(job->settings);
  command.talk();
  command.notes(kPointsExamples);
  command.action([job](Session& session) { session.say(job->run(session.progress())); });
}

}  // namespace

void add_sample(Program& program) {
  CLI::App& group = program.group("sample", "Make synthetic images with known truth.");
  add_scene(program, group);
  add_points(program, group);
}

}  // namespace tessera
