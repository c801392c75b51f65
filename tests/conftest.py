"""What all tests share."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

# Whoever starts the tests in the background has them ignore these, and what they start would ignore them too.
for _number, _usual in (
    (signal.SIGINT, signal.default_int_handler),
    (signal.SIGQUIT, signal.SIG_DFL),
    (signal.SIGHUP, signal.SIG_DFL),
):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _usual)


@pytest.fixture
def home(tmp_path: Path, monkeypatch) -> Path:
    """An empty home of its own, so that no test sees the person's."""
    path = tmp_path / "home"
    path.mkdir()
    monkeypatch.setenv("HOME", str(path))
    for name in (
        "XDG_CONFIG_HOME",
        "XDG_STATE_HOME",
        "HOOKFW_DISABLE",
        "HOOKFW_DEBUG",
        "CODEWHALE_CONFIG_PATH",
        "CODEWHALE_HOME",
        "CODEX_HOME",
    ):
        monkeypatch.delenv(name, raising=False)
    return path


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """An empty project."""
    path = tmp_path / "workspace"
    path.mkdir()
    return Path(os.path.realpath(path))
