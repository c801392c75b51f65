"""The command group: commands come from plugins, and only the one that is run is imported."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from hookfw._version import __version__
from hookfw.cli._errors import guarded
from hookfw.cli._output import aside
from hookfw.errors import ConfigurationError, HookfwError
from hookfw.guard import FAILURES
from hookfw.host import Host
from hookfw.opening import blocked_plugins
from hookfw.settings import Settings, load_settings
from hookfw.sources import FileView, Places
from hookfw.text import closest

if TYPE_CHECKING:
    from collections.abc import Sequence


class CommandError(HookfwError):
    """Raised when a command that a plugin registers cannot be loaded."""


class Commands(click.Group):
    """The commands that the plugins of the host register."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every command, by name."""
        return sorted(_host(ctx).commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command. Raises `CommandError` where its plugin cannot."""
        info = _host(ctx).commands.get(cmd_name)
        if info is None:
            return None
        try:
            with aside():
                command: object = info.load()
        except FAILURES as error:
            message = f"The command {cmd_name!r} cannot be loaded: {type(error).__name__}: {error}."
            raise CommandError(message) from error
        if not isinstance(command, click.Command):
            message = f"The command {cmd_name!r} cannot be used: it is no click command, but {command!r:.60}."
            raise CommandError(message)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that `args` start with. Raises `click.UsageError` that says which one was probably meant."""
        name = args[0]
        if not name.startswith("-") and name not in _host(ctx).commands:
            close = closest(name, self.list_commands(ctx))
            there = ", ".join(self.list_commands(ctx)) or "none: the plugin 'cli', which brings them, is not active"
            meant = f"did you mean {close!r}?" if close else f"there are {there}"
            message = f"There is no command {name!r}: {meant}"
            raise click.UsageError(message, ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. An interrupt is told once, in `guarded`; click itself would write an empty line first."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise click.Abort from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands in the help text, from their descriptions: none is imported for it."""
        commands = _host(ctx).commands
        if not commands:
            formatter.write("\nThere are no commands: the plugin 'cli', which brings them, is not active.\n")
            return
        with formatter.section("Commands"):
            formatter.write_dl([(name, commands[name].help) for name in self.list_commands(ctx)])


def _host(ctx: click.Context) -> Host:
    host: Host = ctx.find_root().obj
    return host


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Every command has --json for programs and --help for people.",
)
@click.version_option(__version__, "-V", "--version", prog_name="hookfw", message="%(prog)s %(version)s")
def app() -> None:
    """One supervisor for the lifecycle hooks of every coding agent."""


def run(arguments: Sequence[str]) -> int:
    """Run one command and give back the exit status; whatever goes wrong is said in one sentence."""
    # A hook may print what this terminal's encoding lacks: that must not end the command.
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")

    return guarded(
        lambda: app.main(
            list(arguments) or ["--help"], prog_name="hookfw", standalone_mode=False, obj=_load_host(arguments)
        )
    )


def _load_host(arguments: Sequence[str]) -> Host:
    """The host, without the plugins that the command line, `HOOKFW_DISABLE` or the person's settings take out."""
    early = early_options(arguments)
    home = os.path.expanduser("~") if early.home is None else early.home
    places = Places(home=os.path.realpath(home), workspace="", environ=os.environ)
    try:
        settings = load_settings(places, FileView())
    except ConfigurationError:
        if list(arguments[:1]) != ["doctor"]:
            raise
        settings = Settings()  # what is wrong with the file is among the things that it tells
    return Host.load(blocked_plugins(early.blocked, settings, os.environ), aside)


class Early(NamedTuple):
    """Options that count before click sees the arguments: a plugin is blocked before it is imported."""

    home: str | None = None
    blocked: tuple[str, ...] = ()


def early_options(arguments: Sequence[str]) -> Early:
    """The values of `--home` (the last one) and `--no-plugin` (all of them) in `arguments`."""
    home: str | None = None
    blocked: list[str] = []
    for at, given in enumerate(arguments):
        if given == "--":
            break
        option, equals, value = given.partition("=")
        value = value if equals else "".join(arguments[at + 1 : at + 2])
        if option == "--home":
            home = value
        elif option == "--no-plugin":
            blocked.append(value)
    return Early(home, tuple(blocked))
