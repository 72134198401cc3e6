# SPDX-License-Identifier: Apache-2.0
"""C++ of README.md and docs/ compiles without warnings against an installed Tessera and runs as it stands.

A block of statements becomes the body of a main(), after small data of the names it takes for granted; a block
that has a main() is a program already. C++ that no user would compile has another fence than ```cpp.
"""
import re

import pytest
from doc_examples import PAGES, commands_of, cpp_of, python_of
from package_build import configure_with, names_in, needs_build, run

pytestmark = needs_build
BLOCKS = {f"{page.stem}_{number}": block for page in PAGES for number, block in enumerate(cpp_of(page))}
INCLUDE = re.compile(r"^#include .*$", re.MULTILINE)

PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(doc_examples LANGUAGES CXX)
find_package(tessera REQUIRED COMPONENTS files)
# The last name of an example is for what comes after it; options that are left out have their defaults.
add_compile_options(-Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Werror
                    -Wno-unused-variable -Wno-missing-field-initializers)
foreach(name ${NAMES})
  add_executable(${name} ${name}.cpp)
  target_link_libraries(${name} PRIVATE tessera::files)
endforeach()
"""

# Declarations that the blocks of a page take for granted.
GIVEN = {
    "cells": """
#include <vector>
const tessera::Image black({640, 480}, tessera::Type::u8);
const std::vector<tessera::AnyView> film(3, black.view());
const auto use = [](const tessera::CellTrack&) {};
""",
    "convolve": "const tessera::Image in({40, 30}, tessera::Type::u8);",
    "correlate": "const tessera::Image photo({600, 520, 3}, tessera::Type::u8);",
    "enhance": "const tessera::Image scan({50, 40, 3}, tessera::Type::u8);",
    "faraday": """
const tessera::Image q({6, 5, 1, 3}, tessera::Type::f32), u({6, 5, 1, 3}, tessera::Type::f32);
const std::vector<double> frequencies{0.8e9, 0.9e9, 1.0e9};
""",
    "files": """
#include <fstream>
std::ofstream("camera.raw") << std::string(512 + 2 * 2048 * 2048, 'x');
""",
    "gpu": """
#include <tessera/convolve.hpp>
const tessera::Image image({40, 30}, tessera::Type::f32);
const tessera::Image blur = tessera::gaussian(1);
const tessera::Convolve plan(image.info(), blur.view(), {.backend = tessera::Backend::cpu});
tessera::Image result(plan.output());
const tessera::AnyView in = image.view();
const tessera::AnyMutableView out = result.view();
""",
    "morphology": "const tessera::Image in({40, 30}, tessera::Type::u8);",
    "rank": "const tessera::Image in({40, 30}, tessera::Type::u8);",
    "match": "const tessera::Image image({40, 30}, tessera::Type::u8), part({8, 6}, tessera::Type::u8);",
    "beam": "const tessera::Image image({60, 50}, tessera::Type::f32);",
    "noise": "const tessera::Image image({100, 90}, tessera::Type::f32);",
    "sources": """
#include <cstdio>
#include <tessera/image.hpp>
const tessera::Image image({60, 50}, tessera::Type::f32), background({60, 50}, tessera::Type::f32);
const tessera::Image rms({60, 50}, tessera::Type::f32);
""",
    "channelise": """
const long long samples = 8192;
const std::vector<signed char> voltages(samples * 64 * 2 * 2, 1);
const void* const block = voltages.data();
""",
    "xengine": """
const long long samples = 16;
const std::vector<signed char> voltages(samples * 512 * 64 * 2 * 2, 1);
const void* const block = voltages.data();
""",
}


def program_of(block):
    """Messages of the compiler name lines of the page."""
    at_line = f'#line {block.line} "{block.page.name}"\n'
    if block.is_program:
        return at_line + block.text
    given = GIVEN.get(block.page.stem, "")
    includes = [*INCLUDE.findall(block.text), *INCLUDE.findall(given)]
    statements = INCLUDE.sub("", block.text)  # its line stays, so that numbers hold
    return "\n".join([*includes, "int main() {", INCLUDE.sub("", given), at_line + statements, "}", ""])


@pytest.fixture(scope="module")
def built(prefix, tmp_path_factory):
    """A function that compiles the program of a block and says where it is."""
    folder = tmp_path_factory.mktemp("doc_cpp")
    (folder / "CMakeLists.txt").write_text(PROJECT)
    for name, block in BLOCKS.items():
        (folder / f"{name}.cpp").write_text(program_of(block))
    run(*configure_with(prefix, folder, folder / "build", f"-DNAMES={';'.join(BLOCKS)}"))

    def build(name):
        run("cmake", "--build", folder / "build", "--target", name)
        return folder / "build" / name

    return build


def test_there_are_blocks():
    assert len(BLOCKS) > 9
    assert {block.page.stem for block in BLOCKS.values()} >= set(GIVEN)


@pytest.mark.parametrize("name", [name for name, block in BLOCKS.items() if not block.is_program])
def test_it_runs_as_it_stands(name, built, tmp_path):
    run(built(name), cwd=tmp_path)


def reads_a_file_of(command, block):
    return command.whole and len(command.words) > 1 and f'"{command.words[1]}"' in block.text


@pytest.mark.parametrize("name", [name for name, block in BLOCKS.items() if block.is_program])
def test_a_program_writes_what_command_and_python_of_its_page_do(name, built, cli, tmp_path, monkeypatch):
    block = BLOCKS[name]
    words = next(command.words for command in commands_of(block.page) if reads_a_file_of(command, block))
    python = next(text for text in python_of(block.page) if words[1] in text)
    ways = {"program": lambda: run(built(name)), "command": lambda: cli(*words), "python": lambda: exec(python, {})}
    for way, does in ways.items():
        (tmp_path / way).mkdir()
        monkeypatch.chdir(tmp_path / way)
        cli("sample", "points", "--size", "80x60", words[1])
        does()
        assert names_in(tmp_path / way) == names_in(tmp_path / "program") > {words[1]}
        for written in names_in(tmp_path / way):
            assert (tmp_path / way / written).read_bytes() == (tmp_path / "program" / written).read_bytes(), written
