from __future__ import annotations

import io
import json
import os
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from hookfw import Host
from hookfw.cli import main


@dataclass
class Result:
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass
class Place:
    """A home and a workspace, and the command line looking at them."""

    root: Any
    capsys: Any
    monkeypatch: Any

    @property
    def home(self):
        return self.root / "home"

    @property
    def workspace(self):
        return self.root / "workspace"

    @property
    def config(self):
        return self.home / ".codewhale" / "config.toml"

    def write(self, path, text):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        if text.startswith("#!"):
            target.chmod(0o755)
        return target

    def hooks(self, *entries):
        """Codewhale hooks of the person, each the inside of one TOML entry."""
        return self.write("home/.codewhale/config.toml", "\n".join(f"[[hooks.hooks]]\n{entry}\n" for entry in entries))

    def run(self, *arguments, stdin=None):
        if stdin is not None:
            data = stdin if isinstance(stdin, bytes) else json.dumps(stdin).encode()
            self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        status = main([str(argument) for argument in arguments])
        out, err = self.capsys.readouterr()
        return Result(status, out, err)

    @property
    def no_dialects(self):
        """Options that block every plugin with a dialect."""
        return [f"--no-plugin={info.name}" for info in Host.load().plugins if "register_dialects" in info.provides]

    def there(self, command, *arguments, **options):
        """A command that looks at this home and workspace."""
        return self.run(command, "--home", self.home, "--workspace", self.workspace, *arguments, **options)


@pytest.fixture
def place(tmp_path, capsys, monkeypatch):
    for folder in ("home", "workspace"):
        (tmp_path / folder).mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith(("HOOKFW", "XDG_", "CODEWHALE", "DEEPSEEK")):
            monkeypatch.delenv(name)
    return Place(tmp_path, capsys, monkeypatch)
