"""The built-in commands, as light descriptions: the plugin `cli`."""

from __future__ import annotations

import importlib
from functools import partial
from typing import TYPE_CHECKING

from hookfw.hookspecs import CommandInfo, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterable

    import click

_COMMANDS = {
    "adapt": ("adapt", "Run a command of one ecosystem as a hook of another."),
    "approve": ("approve", "Record consent to hooks that were reviewed."),
    "check": ("check", "Validate configuration files; status 1 if anything is wrong."),
    "convert": ("convert", "Write the configuration of one ecosystem as another's, every loss named."),
    "daemon": ("daemon", "Show the background process that decides for guests, or stop it."),
    "disable": ("switch:disable", "Switch one hook off."),
    "demo": ("demo", "Run a short session in a scratch workspace and show what each hook did."),
    "dialects": ("dialects", "Show the dialects that are installed and the agent versions they follow."),
    "doctor": ("doctor", "Show what is wrong or risky here, worst first, each with its remedy."),
    "enable": ("switch:enable", "Switch one hook on again."),
    "events": ("events", "Show canonical and native event names side by side."),
    "explain": ("explain", "Show what one event would run, what not, and why; runs nothing."),
    "fire": ("fire", "Fire one event and show the outcome."),
    "guest": ("guest", "Stand in for all other ecosystems' hooks as a hook inside one agent; install it there."),
    "list": ("list_hooks", "Show every hook that is configured here, and every entry that was refused."),
    "plugins": ("plugins", "Show the plugins that are installed, and what failed to load."),
    "replay": ("replay", "Fire the events of a recording again and show which outcomes changed."),
    "review": ("review", "Show what needs consent before it runs."),
    "revoke": ("revoke", "Take consent back."),
    "schema": ("schema", "Print the JSON Schema of a configuration."),
    "try": ("try_hook", "Run one configured hook with a made event and show all of it."),
}


@hookimpl
def register_commands() -> Iterable[CommandInfo]:
    """One description a command; its file is imported when it is run."""
    return [
        CommandInfo(name=name, help=text, load=partial(_load, module)) for name, (module, text) in _COMMANDS.items()
    ]


def _load(module: str) -> click.Command:
    name, _, attribute = module.partition(":")
    command: click.Command = getattr(importlib.import_module(f"hookfw.cli.{name}"), attribute or "command")
    return command
