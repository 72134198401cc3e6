// SPDX-License-Identifier: Apache-2.0
#include "study/score_questions.hpp"

namespace tessera {
namespace {

// 002, "Hardware Specs": street prices in Australia, 2012. The i7-2600K was no longer sold.
constexpr const char* kTalkPrices = "i7-3770K 330, GT 640 130, GTX 480 500, GTX 690 1200 AU$";
constexpr const char* kTalkEffort = "CPU and GPU alike, 2-3 days each";

std::vector<ScoreQuestion> talk_questions() {
  const ScoreRungs xengine_ours{{"cpu.ours."},
                                {"gpu.ours.dp4a", "gpu.ours.mma", "gpu.ours.wgmma", "gpu.ours.it"},
                                {"gpu.ours.host"}};
  std::vector<ScoreQuestion> questions{
      {.question = "RM synthesis (talk, 1)",
       .study = "faraday",
       .rung = "-",
       .quantity = "cpu_over_gpu",
       .paper = {{"cpu.layout.", "cpu.threads.", "cpu.blas.rows."},
                 {"gpu.naive.", "gpu.tiled.", "gpu.blas.rows."},
                 {"gpu.rows.stream.", "gpu.rows.streams."}},
       .ours = {{"cpu.ours."}, {"gpu.ours.gemm.", "gpu.ours.nufft."}, {"gpu.ours.host."}},
       .ending = ".double"},
      {.question = "X-engine (talk, 2)",
       .study = "xengine",
       .rung = "-",
       .quantity = "cpu_over_gpu",
       .words = "times as fast on the GPU",
       .paper = {{"cpu.it", "cpu.planes", "cpu.threads"},
                 {"gpu.it", "gpu.ti", "gpu.shared", "gpu.registers", "gpu.planes."},
                 {"gpu.stream", "gpu.streams"}},
       .ours = xengine_ours},
      {.question = "X-engine by BLAS (talk, 2 MM)",
       .study = "xengine",
       .rung = "gpu.blas.host",
       .quantity = "cpu_over_gpu",
       .words = "times as fast on the GPU: given to the GPU",
       .paper = {{"cpu.cgemm"}, {"gpu.blas.complex"}, {"gpu.blas.host", "gpu.blas.host.streams"}},
       .ours = {}},
      {.question = "Background RMS (talk, 3)",
       .study = "noise",
       .rung = "-",
       .quantity = "worth",
       .paper = {{"cpu.slide", "cpu.follow", "cpu.threads"},
                 {"gpu.select", "gpu.histogram", "gpu.slide"},
                 {"gpu.stream"}},
       .ours = {{"cpu.ours.exact"}, {"gpu.ours.exact"}, {"gpu.ours.host.exact"}}},
      {.question = "Convolution, 7x7 (talk, 4)",
       .study = "convolve",
       .rung = "10b",
       .quantity = "cpu_over_gpu",
       .words = "times as fast on the GPU; its filter is not named",
       .sizes = "7",
       .paper = {{"cpu.talk", "cpu.loop.", "cpu.simd."}, {"10b"}, {}},
       .ours = {{"cpu.direct", "cpu.fft"}, {"10", "fft"}, {}}}};
  for (ScoreQuestion& question : questions) {
    question.price = kTalkPrices;
    question.effort = kTalkEffort;
  }
  return questions;
}

std::vector<ScoreQuestion> paper_questions() {
  return {{.question = "Can CPUs match GPUs? (correlation)",
           .study = "correlate",
           .words = "1.4 times as long: two Power7 650 ms, Fermi 465.74 ms",
           .effort = "GPU several weeks, CPU a few hours",
           .paper = {{"simd."}, {"shared.", "local.", "unrolled."}, {}},
           .ours = {{"ours.cpu."}, {"ours.cuda."}, {}}},
          {.question = "Cells in real time (30 frames/s)",
           .study = "cells",
           .rung = "-",
           .quantity = "cuda_frames_a_second",
           .words = "frames/s",
           .paper = {{"film.openmp"}, {}, {"film.cuda"}},
           .ours = {{"film.ours.all"}, {}, {"film.ours.cuda"}},
           .figure = ScoreFigure::frames_a_second},
          {.question = "A scan: transfers' share",
           .study = "enhance",
           .rung = "-",
           .quantity = "transfers_percent",
           .words = "in copies and allocation; 53 times with them",
           .paper = {{".plain"}, {".naive", ".four", ".shared", ".branchless", ".tiled"}, {}},
           .ours = {{"chain.ours.all."},
                    {"chain.ours.cuda.steps", "chain.ours.cuda.fused"},
                    {"chain.ours.cuda.pinned"}},
           .figure = ScoreFigure::transfers_share,
           .steps = true}};
}

}  // namespace

const std::vector<ScoreQuestion>& score_questions() {
  static const std::vector<ScoreQuestion> questions = [] {
    std::vector<ScoreQuestion> all = talk_questions();
    for (ScoreQuestion& question : paper_questions()) all.push_back(std::move(question));
    return all;
  }();
  return questions;
}

}  // namespace tessera
