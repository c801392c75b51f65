"""Options that several commands share, so that each is spelled and explained once."""

from __future__ import annotations

from contextlib import contextmanager
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import click

from hookfw.cli._errors import undisturbed
from hookfw.cli._output import aside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hookfw.host import Host
    from hookfw.loading import TrustPolicy
    from hookfw.opening import OpenOptions
    from hookfw.outcome import Run
    from hookfw.settings import Settings
    from hookfw.sync import SyncSupervisor


class Where(NamedTuple):
    """
    Where configuration is looked for, and in which dialects.

    Attributes:
        home: the home; `None` is the person's own.
        workspace: the project.
        dialects: those that were named; `None` takes all that have a configuration.
    """

    home: str | None
    workspace: str
    dialects: tuple[str, ...] | None

    @contextmanager
    def open(
        self,
        host: Host,
        trust: TrustPolicy = "stored",
        *,
        cwd: str | None = None,
        thorough: bool = False,
        on_progress: Callable[[Run], None] | None = None,
        record: str | None = None,
        settings: Settings | None = None,
    ) -> Iterator[SyncSupervisor]:
        """
        A supervisor for this place, working in `cwd`, with `settings` in place of the person's.

        Closing it waits for what runs in the background.

        When the command is interrupted nothing is waited for: what runs is killed. Raises `HookfwError` where the place
        cannot be used.
        """
        with opened(
            workspace=self.workspace,
            home=self.home,
            dialects=self.dialects,
            trust=trust,
            thorough=thorough,
            cwd=cwd,
            settings=settings,
            host=host,
            on_progress=on_progress,
            record=record,
        ) as hooks:
            yield hooks


@contextmanager
def opened(**options: Unpack[OpenOptions]) -> Iterator[SyncSupervisor]:
    """A supervisor that is closed as `Where.open` says."""
    from hookfw.supervisor import open_sync  # noqa: PLC0415 - not for --help

    with aside():
        hooks = open_sync(**options)
    try:
        yield hooks
        with aside():
            hooks.close()
    except BaseException:
        with undisturbed(), aside():
            hooks.close(timeout=0)
        raise


def where_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--home`, `--workspace` and `--dialect`; the command gets a `Where` as `where`."""

    def with_where(*args: Any, home: str | None, workspace: str, dialect: tuple[str, ...], **kwargs: Any) -> Any:
        return function(*args, where=Where(home, workspace, dialect or None), **kwargs)

    wrapped: Callable[..., Any] = update_wrapper(with_where, function)
    for option in reversed(_WHERE):
        wrapped = option(wrapped)
    return wrapped


_WHERE = (
    click.option(
        "--dialect", multiple=True, metavar="NAME", help="Only this dialect; may be repeated, in firing order."
    ),
    click.option("--home", metavar="DIR", help="The home whose configuration counts.  [default: yours]"),
    click.option(
        "--workspace",
        metavar="DIR",
        default=".",
        help="The project whose configuration counts.  [default: the current directory]",
    ),
)

trust_option = click.option(
    "--trust",
    type=click.Choice(["stored", "all"]),
    default="stored",
    show_default=True,
    help="stored: only hooks you consented to run; all: every hook counts as reviewed, this once.",
)

# The host has read it before the command is known, see `_app`: here they are explained, and no more.
plugin_option = click.option(
    "--no-plugin", multiple=True, metavar="NAME", expose_value=False, help="Do without this plugin; may be repeated."
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")

record_option = click.option(
    "--record",
    metavar="FILE",
    help="Append the event and its outcome to FILE, without secrets; see `hookfw replay`.",
)

input_option = click.option(
    "--input",
    "source",
    metavar="FILE",
    help="A JSON object with the event's fields; - reads standard input.  [default: no fields]",
)
