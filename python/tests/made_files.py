# SPDX-License-Identifier: Apache-2.0
"""Files and tables that a call made, for comparisons."""
import numpy as np


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def differing(first, second):
    return sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))


def same(first, second):
    """Whether two tables have the same columns and values."""
    return list(first) == list(second) and all(
        np.array_equal(first[name], second[name], equal_nan=first[name].dtype.kind == "f") for name in first)
