"""A scratch project: a home and a workspace made of a handful of files, to fire events at."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal

from hookfw.testing.layout import lay_out

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from hookfw.hooks import HookSet
    from hookfw.host import Host
    from hookfw.outcome import Outcome


class Project:
    """
    A home and a workspace in a scratch folder.

    Attributes:
        home: the person's home.
        workspace: the project.
    """

    __slots__ = ("_host", "home", "workspace")

    def __init__(self, root: Path, files: Mapping[str, Any], host: Host | None = None) -> None:
        """
        Lay out `files` below `root`.

        Args:
            root: an existing, empty folder.
            files: path (`home/…` or `workspace/…`) to text; `{HOME}` and `{WORKSPACE}` are filled in, and a text that
                starts with `#!` can be executed.
            host: the plugins to use; those that are installed by default.

        Raises `ValueError` for a path that leads out of the folder.
        """
        place = lay_out(files, root)
        self.home = place.home
        self.workspace = place.workspace
        self._host = host

    def fire(
        self,
        kind: str,
        *,
        dialects: Sequence[str] | None = None,
        trust: Literal["stored", "all"] = "all",
        **fields: Any,
    ) -> Outcome:
        """
        Fire one event, wait for background hooks too, and give back the outcome.

        Args:
            kind: canonical event name.
            dialects: those to fire; all that have a configuration here by default.
            trust: `all` counts every hook as reviewed, `stored` asks the files.
            **fields: canonical fields of the event.

        Raises `hookfw.UnknownEventError` and `hookfw.EventError`.
        """
        from hookfw.events import event_class, parse_event  # noqa: PLC0415 - the pytest plugin imports this module early
        from hookfw.supervisor import open_sync  # noqa: PLC0415 - likewise

        event, unknown = parse_event(kind, fields)
        if unknown:
            message = f"{event_class(kind).__name__} has no field {', '.join(unknown)}"
            raise TypeError(message)
        with open_sync(
            workspace=str(self.workspace),
            home=str(self.home),
            dialects=dialects,
            trust=trust,
            environ=self._environ(),
            host=self._host,
        ) as hooks:
            outcome: Outcome = hooks.fire(event)
            hooks.end_background()
            return outcome

    def hooks(self, *, dialects: Sequence[str] | None = None, trust: Literal["stored", "all"] = "all") -> HookSet:
        """What is configured here, rejected entries and diagnostics of loading included."""
        from hookfw.supervisor import open_sync  # noqa: PLC0415 - the pytest plugin imports this module early

        with open_sync(
            workspace=str(self.workspace),
            home=str(self.home),
            dialects=dialects,
            trust=trust,
            environ=self._environ(),
            host=self._host,
        ) as hooks:
            found: HookSet = hooks.snapshot
            return found

    def _environ(self) -> dict[str, str]:
        return os.environ | {"HOME": str(self.home)}
