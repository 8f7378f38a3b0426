"""Questions to `torch.cuda` that are answered as on the machine, for code that asks before it takes a way: what it computes stays here.

Only threads with a context that was asked for it get these answers, and a call that names a device that is really there gets that one's.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from .._emulation.units import architecture_of
from . import _contexts


@dataclass(frozen=True)
class Capability:
    """A compute capability, and the first version of CUDA that has it (CUDA C++ programming guide, release notes)."""

    major: int
    minor: int
    cuda: str


_BY_ARCHITECTURE = {
    "volta": Capability(7, 0, "9.0"),
    "turing": Capability(7, 5, "10.0"),
    "ampere": Capability(8, 0, "11.0"),
    "ada": Capability(8, 9, "11.8"),
    "hopper": Capability(9, 0, "11.8"),
    "blackwell": Capability(10, 0, "12.8"),
    "rtx-blackwell": Capability(12, 0, "12.8"),
}
# Of Ampere these have 8.0, all others 8.6.
_LARGE_AMPERE = ("ampere", "a100", "a800", "a30", "sm_80")
_SMALL_AMPERE = Capability(8, 6, "11.1")


def capability_of(machine: str) -> Capability:
    """The compute capability of a machine.

    Raises
    ------
    ValueError
        If it has none.
    """
    architecture = architecture_of(machine)
    if architecture not in _BY_ARCHITECTURE:
        raise ValueError(f"as_device: expected a machine of NVIDIA, found {machine} ({architecture}), which has no compute capability")
    if architecture == "ampere" and machine.casefold().partition(" ")[0] not in _LARGE_AMPERE:
        return _SMALL_AMPERE
    return _BY_ARCHITECTURE[architecture]


class Properties:
    """What is known of a device: its name and its capability."""

    def __init__(self, machine: str) -> None:
        found = capability_of(machine)
        self.name, self.major, self.minor = f"NVIDIA {machine}", found.major, found.minor

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"get_device_properties: {name} of {self.name} is not known to an emulation, which has name, major and minor")


def _capability(machine: str) -> tuple[int, int]:
    found = capability_of(machine)
    return found.major, found.minor


# By the name in `torch.cuda`: the answer for a machine.
_ANSWERS: dict[str, Callable[[str], Any]] = {
    "is_available": lambda machine: True,
    "device_count": lambda machine: 1,
    "current_device": lambda machine: 0,
    "get_device_capability": _capability,
    "get_device_name": lambda machine: f"NVIDIA {machine}",
    "get_device_properties": Properties,
}
# If a device is there, these functions are about it.
_OF_DEVICES = ("device_count", "current_device")
_lock = threading.Lock()
_users = 0
_own: dict[str, Any] = {}


def really(name: str) -> Any:
    """What `torch.cuda` itself has under this name."""
    return _own.get(name, getattr(torch.cuda, name))


def answer() -> None:
    """From here on threads with such a context get answers of its machine."""
    global _users
    with _lock:
        _users += 1
        if _users == 1:
            for name, of_machine in _ANSWERS.items():
                _own[name] = getattr(torch.cuda, name)
                setattr(torch.cuda, name, _answering(name, _own[name], of_machine))
            _own["version"] = torch.version.cuda
            if torch.version.cuda is None:
                # A build without CUDA; code asks it in this way whether there is any.
                run = _contexts.here()[-1]
                torch.version.cuda = capability_of(run.machine).cuda


def stop() -> None:
    """The end of one context; the last one gives `torch.cuda` back what it had."""
    global _users
    with _lock:
        _users -= 1
        if not _users:
            torch.version.cuda = _own.pop("version")
            for name in _ANSWERS:
                setattr(torch.cuda, name, _own.pop(name))


def _answering(name: str, own: Callable[..., Any], of_machine: Callable[[str], Any]) -> Callable[..., Any]:
    is_there = _own["is_available"]

    def asked(*args: Any, **kwargs: Any) -> Any:
        run = next((run for run in reversed(_contexts.here()) if run.as_device), None)
        names_device = any(x is not None for x in (*args, *kwargs.values()))
        if run is None or ((names_device or name in _OF_DEVICES) and is_there()):
            return own(*args, **kwargs)
        return of_machine(run.machine)

    return asked
