// SPDX-License-Identifier: Apache-2.0
/// The CPU method `dot`: ci8 and ci4 by instructions that sum products of bytes.
#pragma once

#include "ops/xengine/cpu/xengine_dot_kernel.hpp"
#include "ops/xengine/cpu/xengine_host.hpp"

namespace tessera {

std::string why_no_dot(const XEngineProblem& problem);  ///< "" or the reason
double dot_seconds(const XEngineProblem& problem, const Machine& machine);
XEngineRunnerPointer make_dot(const XEngineProblem& problem);
/// With a given kernel of this CPU, for tests and benchmarks.
XEngineRunnerPointer make_dot(const XEngineProblem& problem, const DotKernel& kernel);

}  // namespace tessera
