# SPDX-License-Identifier: Apache-2.0
"""Ranges of options in C++ headers, as the words of Range::text() (core/range.cpp)."""
import re

RANGE = r"Range\{[^}]*\}|more_than\([^)]*\)|k\w+"  # after the help of an option
NAMED = re.compile(r"\bRange (k\w+)(\{[^}]*\});")
NO_END = {"", "Range::kOpen"}


def named_ranges(text: str) -> dict[str, str]:
    return {name: "Range" + values for name, values in NAMED.findall(text)}


def number(text: str) -> str:
    """As fmt writes a double."""
    return "" if text in NO_END else repr(float(text)).removesuffix(".0")


def range_words(source: str, part: str = "") -> str:
    """`source` is the C++ of a range; `part` names the numbers of an option that has several."""
    inside = source[source.index("{" if source.startswith("Range") else "(") + 1:-1]
    words = [word.strip() for word in inside.split(",") if word.strip()]
    values = dict(zip(("lowest", "highest", "unit"), words, strict=False))
    for place, value in list(values.items()):
        if named := re.fullmatch(r"\.(\w+) = (.*)", value):
            del values[place]
            values[named[1]] = named[2]
    lowest, highest = (number(values.get(end, "")) for end in ("lowest", "highest"))
    unit = " " + values["unit"].strip('"') if "unit" in values else ""
    above = "more than " * source.startswith("more_than")
    if not lowest:
        text = f"up to {highest}{unit}" if highest else "any finite number"
    elif highest:
        text = f"{above}{lowest} {'and up to' if above else 'to'} {highest}{unit}"
    else:
        text = f"{above}{lowest}{'' if above else ' or more'}{unit}"
    return f"{part} {text}" if part else text
