# SPDX-License-Identifier: Apache-2.0
"""The judges of this folder and the packages they need, read without importing them: a judge's tools are installed
after this list was read.

    list_judges.py                                          one line per judge
    list_judges.py --packages debian|pypi|pypi-alone [NAME…]  one line per package
"""
import ast
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
KINDS = ("debian", "pypi", "pypi-alone")


def judge_names() -> list[str]:
    return sorted(path.stem.removeprefix("judge_") for path in FOLDER.glob("judge_*.py"))


def packages_of(name: str) -> dict[str, list[str]]:
    """The value of PACKAGES in judge_NAME.py, a literal."""
    for node in ast.parse((FOLDER / f"judge_{name}.py").read_text()).body:
        if isinstance(node, ast.Assign) and [getattr(target, "id", "") for target in node.targets] == ["PACKAGES"]:
            packages = ast.literal_eval(node.value)
            if unknown := set(packages) - set(KINDS):
                raise SystemExit(f"judge_{name}.py: PACKAGES has {sorted(unknown)}; there are {', '.join(KINDS)}")
            return packages
    raise SystemExit(f"judge_{name}.py has no PACKAGES = {{...}}")


def chosen(names: list[str]) -> list[str]:
    known = judge_names()
    for name in names:
        if name not in known:
            raise SystemExit(f"judges: unknown judge {name}; there are {', '.join(known)}")
    return names or known


def main() -> int:
    if sys.argv[1:2] == ["--packages"]:
        kind, names = sys.argv[2], chosen(sys.argv[3:])
        lists = [packages_of(name).get(kind, []) for name in names]
        for package in dict.fromkeys(package for packages in lists for package in packages):
            print(package)
        return 0
    for name in judge_names():
        packages = [f"{package} ({kind})" for kind, some in packages_of(name).items() for package in some]
        print(f"{name:24} {', '.join(packages)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
