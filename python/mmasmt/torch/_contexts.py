"""The emulations that are open in this process: in which threads, in which coroutine, and what is meant to be native."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._mode import emulate

_lock = threading.Lock()
_open: dict[int, list[emulate]] = {}
_own: ContextVar[tuple[emulate, ...]] = ContextVar("mmasmt_emulations", default=())
_local = threading.local()


def opened(run: emulate) -> None:
    """From here on the emulation is open in this thread and this coroutine."""
    with _lock:
        _open.setdefault(threading.get_ident(), []).append(run)
    _own.set((*_own.get(), run))


def closed(run: emulate) -> None:
    """The emulation ends, wherever it was entered."""
    with _lock:
        for thread, runs in list(_open.items()):
            if run in runs:
                runs.remove(run)
                if not runs:
                    del _open[thread]
                break
    _own.set(tuple(one for one in _own.get() if one is not run))


def here() -> list[emulate]:
    """Those that are open in this thread, the innermost one last."""
    return _open.get(threading.get_ident(), [])


def everywhere() -> list[emulate]:
    """Those that are open in any thread."""
    with _lock:
        return [run for runs in _open.values() for run in runs]


def is_of_another_coroutine(run: emulate) -> bool:
    """Whether this coroutine entered emulations, and not this one."""
    own = _own.get()
    return run not in own and any(one.is_open for one in own)


@contextlib.contextmanager
def native() -> Iterator[None]:
    """Products in here are left to this processor by the emulation itself."""
    before = is_native()
    _local.native = True
    try:
        yield
    finally:
        _local.native = before


def is_native() -> bool:
    """Whether this thread is inside of `native`."""
    return getattr(_local, "native", False)
