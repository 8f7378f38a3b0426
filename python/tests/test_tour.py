"""The tour runs as notebooks: its claims hold, its prose has no number that nothing computes, and it shows what it should."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

jupytext = pytest.importorskip("jupytext")
nbclient = pytest.importorskip("nbclient")

TOUR = Path(__file__).parents[1] / "tour"
SCRIPTS = sorted(TOUR.glob("*.py"))
# Digits that are no part of a name: 24, 1.5e-3, 2^-24.
NUMBER = re.compile(r"(?<![\w.^-])\d+(?:[.,]\d+)*(?:e-?\d+|\^-?\d+)?(?!\w)")


def outputs(notebook: Any) -> list[Any]:
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


def shown(notebook: Any, kind: str) -> list[str]:
    return [output["data"][kind] for output in outputs(notebook) if kind in output.get("data", {})]


# What a script needs beside the package.
NEEDS = {"a_model_on_five_machines": ("torch", "antiberty")}


def is_installed(name: str) -> bool:
    try:
        metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return False
    return True


@pytest.fixture(scope="module", params=SCRIPTS, ids=lambda path: path.stem)
def notebook(request: pytest.FixtureRequest) -> Any:
    """A script, run from the first cell to the last: a claim that is false ends it."""
    if missing := [name for name in NEEDS.get(request.param.stem, ()) if not is_installed(name)]:
        pytest.skip(f"{', '.join(missing)} is not installed: docs/src/python.md says how")
    found = jupytext.read(request.param)
    nbclient.NotebookClient(found, timeout=300, resources={"metadata": {"path": str(TOUR)}}).execute()
    return found


def test_there_are_six() -> None:
    assert len(SCRIPTS) == 6 and NEEDS.keys() <= {path.stem for path in SCRIPTS}


def test_it_runs_without_a_warning_and_draws(notebook: Any) -> None:
    assert not [output for output in outputs(notebook) if output.get("name") == "stderr"]
    pictures = shown(notebook, "image/png")
    assert pictures and all(len(picture) < 120_000 for picture in pictures)


def test_it_asserts_something(notebook: Any) -> None:
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    assert sum(source.count("assert ") for source in code) >= 3


def test_numbers_of_the_prose_stand_in_the_code_or_its_output(notebook: Any) -> None:
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    printed = [output.get("text", "") for output in outputs(notebook)] + shown(notebook, "text/plain")
    known = {number.replace(",", "") for number in NUMBER.findall("\n".join(code + printed).replace("2.0**", "2^").replace("**", "^"))}
    prose = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    prose = re.sub(r"`[^`]*`|\]\([^)]*\)", " ", prose)
    missing = [number for number in NUMBER.findall(prose) if number.replace(",", "") not in known]
    assert not missing


def test_an_explanation_is_a_page(notebook: Any) -> None:
    asked = sum("mmasmt.explain(" in cell.source for cell in notebook.cells if cell.cell_type == "code")
    pages = shown(notebook, "text/html")
    assert len(pages) >= asked and all("<iframe srcdoc=" in page for page in pages)
