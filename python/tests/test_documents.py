"""Types and sentences are true: stubs, doctests, notebooks, the chapter of the book."""

from __future__ import annotations

import doctest
import importlib
import pathlib
import pkgutil
import re
import subprocess
import sys

import pytest

import gridpaper
import gridpaper._core as core

ROOT = pathlib.Path(__file__).parents[1]
BOOK = ROOT.parent / "docs" / "python.md"
NOTEBOOKS = sorted((ROOT.parent / "examples" / "notebooks").glob("*.ipynb"))


def modules() -> list[str]:
    found = pkgutil.walk_packages(gridpaper.__path__, "gridpaper.")
    return [each.name for each in found if not each.name.endswith("__main__")]


def run_doctest(name: str, text: str) -> int:
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    said: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    assert result.failed == 0, "".join(said)
    return result.attempted


def test_examples_of_the_compiled_module() -> None:
    attempted = 0
    for name in core.__all__:
        member = getattr(core, name)
        attempted += run_doctest(name, member.__doc__ or "")
        for method in vars(member).values() if isinstance(member, type) else []:
            attempted += run_doctest(f"{name}.{method}", getattr(method, "__doc__", None) or "")
    assert attempted > 60


@pytest.mark.parametrize("name", [name for name in modules() if not name.endswith("_core")])
def test_examples_of_modules(name: str) -> None:
    if ".golly" in name:
        importlib.import_module("gridpaper.golly").start()
    module = importlib.import_module(name)
    assert doctest.testmod(module).failed == 0
    assert module.__doc__, "each module says what it is for"


def test_all_that_is_public_is_documented() -> None:
    for name in gridpaper.__all__:
        if not name.startswith("__"):
            assert getattr(gridpaper, name).__doc__, name


def run(*command: str) -> None:
    child = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True)
    assert child.returncode == 0, child.stdout + child.stderr


def test_types() -> None:
    run("-m", "mypy", "-p", "gridpaper")
    run(
        "-m",
        "mypy.stubtest",
        "gridpaper",
        "--concise",
        "--mypy-config-file",
        "pyproject.toml",
        "--allowlist",
        "tests/stubtest-allowlist.txt",
    )


def test_the_stubs_have_the_sentences() -> None:
    run("stub.py", "--check")


def test_the_chapter_of_the_book() -> None:
    blocks = re.findall(r"```python\n(.*?)```", BOOK.read_text(encoding="utf-8"), re.DOTALL)
    examples = [block for block in blocks if block.startswith(">>>")]
    assert examples and len(examples) == len(blocks)
    assert run_doctest("docs/python.md", "\n".join(examples)) > 20


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), (
        "notebooks are kept without outputs"
    )
    NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        resources={"metadata": {"path": str(tmp_path)}},
    ).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert shown and not any(output.output_type == "error" for output in shown)


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) == 4
