// SPDX-License-Identifier: Apache-2.0
/// Background and noise by hand on the CPU: from the talk's two ways, sorting and counting every
/// box, to a histogram that slides.
#pragma once

#include "ops/noise/study/box_study_args.cuh"

namespace tessera {

/// Every box copied and sorted; exact.
void plain_noise_sort(const BoxStudyArgs& a);
/// Every box copied, its quantiles selected by std::nth_element; exact.
void plain_noise_select(const BoxStudyArgs& a);
/// Every box counted again.
void plain_noise_histogram(const BoxStudyArgs& a);
/// One histogram per row: a column enters, a column leaves; quantiles are searched from the first
/// bin on.
void plain_noise_slide(const BoxStudyArgs& a);
/// The same; every quantile follows its bin.
void plain_noise_follow(const BoxStudyArgs& a, int threads);

}  // namespace tessera
