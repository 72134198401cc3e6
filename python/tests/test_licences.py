# SPDX-License-Identifier: Apache-2.0
"""The tool and the Python module are linked with no library under the GPL, except through other libraries."""
import re
import shutil
import subprocess
import sys

import pytest
from package_build import BUILD, ROOT

import tessera._tessera

TOOL = BUILD / "tessera"
pytestmark = pytest.mark.skipif(not all(map(shutil.which, ("ldd", "readelf", "dpkg"))),
                                reason="ldd, readelf or dpkg is missing")


def licences_of(file):
    """The output of linked_licences for a file that must be in order: library, how it is reached, licence."""
    done = subprocess.run([sys.executable, ROOT / "tools" / "linked_licences.py", file], capture_output=True, text=True)
    print(done.stdout)  # pytest shows it where a test fails
    assert done.returncode == 0, done.stderr
    return re.findall(r"^  (\S+) +(direct|through \S+) +(?:\S+ +)?(\S.*)$", done.stdout, re.MULTILINE)


@pytest.mark.skipif(not TOOL.is_file(), reason=f"the tool is not at {TOOL}")
def test_the_tool():
    lines = licences_of(TOOL)
    assert ("libc.so.6", "direct", "LGPL-2.1+") in lines
    assert not any("fftw" in library for library, _, _ in lines)


def test_the_module():
    lines = licences_of(tessera._tessera.__file__)
    assert ("libc.so.6", "direct", "LGPL-2.1+") in lines
    assert not any("fftw" in library for library, _, _ in lines)


# Debian's libtiff needs it; docs/licences.md says so. Whatever else is under the GPL has to be named there too.
@pytest.mark.skipif(not TOOL.is_file(), reason=f"the tool is not at {TOOL}")
def test_what_is_reached_through_others_is_named_in_the_docs():
    page = (ROOT / "docs" / "licences.md").read_text()
    gpl = {re.sub(r"\.so.*", "", library) for library, _, licence in licences_of(TOOL) if re.match("A?GPL", licence)
           and " or " not in licence and "exception" not in licence}
    assert [name for name in sorted(gpl) if name not in page] == []
