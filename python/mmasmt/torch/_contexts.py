"""The emulations that are open in this process: in which threads, in which coroutine, and what is meant to be native."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from contextvars import ContextVar

from ._offers import Emulation

_lock = threading.Lock()
_open: dict[int, list[Emulation]] = {}
_own: ContextVar[tuple[Emulation, ...]] = ContextVar("mmasmt_emulations", default=())
_local = threading.local()


def opened(run: Emulation) -> None:
    """From here on the emulation is open in this thread and this coroutine."""
    with _lock:
        _open.setdefault(threading.get_ident(), []).append(run)
    _own.set((*_own.get(), run))


def closed(run: Emulation) -> None:
    """The emulation ends, wherever it was entered."""
    with _lock:
        for thread, runs in list(_open.items()):
            if run in runs:
                runs.remove(run)
                if not runs:
                    del _open[thread]
                break
    _own.set(tuple(one for one in _own.get() if one is not run))


def here() -> list[Emulation]:
    """Those that are open in this thread, the innermost one last."""
    return _open.get(threading.get_ident(), [])


def everywhere() -> list[Emulation]:
    """Those that are open in any thread."""
    with _lock:
        return [run for runs in _open.values() for run in runs]


def is_of_another_coroutine(run: Emulation) -> bool:
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
