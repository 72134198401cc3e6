# SPDX-License-Identifier: Apache-2.0
"""Runs code that might kill or hang its interpreter in one of its own."""
import subprocess
import sys
import textwrap

BEGIN = """
import ctypes, os, signal, sys, threading, time
import numpy as np
import tessera
"""


def run_alone(code, *arguments, timeout=120):
    """The finished process; a time-out is a hang and fails the test."""
    return subprocess.run([sys.executable, "-X", "faulthandler", "-c", BEGIN + textwrap.dedent(code),
                           *map(str, arguments)], capture_output=True, text=True, timeout=timeout)


def check_alone(code, *arguments, timeout=120):
    """Its standard output; it must end well."""
    done = run_alone(code, *arguments, timeout=timeout)
    assert done.returncode == 0, (done.returncode, done.stdout[-200:], done.stderr[-1500:])
    return done.stdout
