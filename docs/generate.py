"""
Generate the parts of the documentation that come from the code: the help of every command, the tables of hooks and forms.

    python docs/generate.py          # rewrites the files
    python docs/generate.py --check  # status 1 when a file is not what it would write
"""

from __future__ import annotations

import ast
import inspect
import sys
from pathlib import Path

import click

from hookfw import Host, hookspecs
from hookfw.testing import forms

DOCS = Path(__file__).parent
BEGIN, END = "<!-- generated: {} -->", "<!-- end -->"


def command_help() -> str:
    """The help of every command, as a terminal of 100 columns shows it."""
    parts = []
    for name, info in Host.load().commands.items():
        with click.Context(
            info.load(), info_name=f"hookfw {name}", max_content_width=100, terminal_width=100
        ) as context:
            parts.append(f"## {name}\n\n```text\n{context.get_help()}\n```\n")
    return "\n".join(parts)


def hook_table(specs: type) -> str:
    """A row for each specification: its call, and the first line of its documentation."""
    tree = ast.parse(inspect.getsource(specs)).body[0]
    rows = ["| hook | what |", "| --- | --- |"]
    for function in tree.body if isinstance(tree, ast.ClassDef) else ():
        if isinstance(function, ast.FunctionDef):
            arguments = ", ".join(argument.arg for argument in function.args.args[1:])
            rows.append(f"| `{function.name}({arguments})` | {(ast.get_docstring(function) or '').splitlines()[0]} |")
    return "\n".join(rows) + "\n"


def form_tables() -> str:
    """What each compatibility mode can say, event by event."""
    host = Host.load()
    return forms.markdown({name: host.agent(name) for name in sorted(host.agents)})


def generated(text: str, parts: dict[str, str]) -> str:
    """`text` with each generated part put between its markers."""
    for name, content in parts.items():
        before, _, rest = text.partition(BEGIN.format(name))
        _, _, after = rest.partition(END)
        text = f"{before}{BEGIN.format(name)}\n\n{content}\n{END}{after}"
    return text


def main() -> int:
    """Write or check."""
    wanted = {
        DOCS / "commands.md": {"commands": command_help()},
        DOCS / "degradation.md": {"forms": form_tables()},
        DOCS / "plugins.md": {
            "lifecycle": hook_table(hookspecs.LifecycleSpecs),
            "registration": hook_table(hookspecs.RegistrationSpecs),
            "observation": hook_table(hookspecs.ObservationSpecs),
        },
    }
    stale = []
    for path, parts in wanted.items():
        now = path.read_text(encoding="utf-8")
        new = generated(now, parts)
        if new != now:
            stale.append(path.name)
            if "--check" not in sys.argv:
                path.write_text(new, encoding="utf-8")
    if stale and "--check" in sys.argv:
        print(f"not up to date: {', '.join(stale)}; run python docs/generate.py")  # noqa: T201 - a script's answer
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
