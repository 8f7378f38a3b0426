"""A run of the tests, with what it warned about."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import mmasmt.torch as mt


def run_of(call: Callable[[], Any], **options: Any) -> tuple[Any, list[str]]:
    """The run, and what it warned about."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with mt.emulate("H100", unknown="ignore", **options) as run:
            call()
    return run, [str(one.message) for one in caught if issubclass(one.category, mt.Unknown)]
