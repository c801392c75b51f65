r"""
What does Claude Code do here?

Source: a contract of observed behaviour (client 2.1.332), then the public reference and the types of its SDK.

- **Files** (`locations`, `plugins`): managed settings, the person's, the project's, the project's local ones, those of this run,
  then plugins. Hooks of all of them add up; the switches among them follow precedence (`switches`).
- **Faults** (`config`, `entries`, `fields`): strict JSON. A broken entry costs itself, but under PreToolUse and PermissionRequest the
  whole file. Unknown events and fields are ignored and said.
- **Trust** (`trust`): the folder, not the hook: nothing runs before `~/.claude.json` says that the folder was accepted.
- **Matching** (`rules`, `subjects`, `conditions`, `shell_parts`): exact names between `|` and `,`, else a JavaScript pattern; then the
  permission rule in `if`, tried against every part of a shell command.
- **Calls** (`dialect`, `calling`, `payloads`): all hooks at once, equal ones once with the fields of the last definition
  (`planning`); `/bin/sh -c`, or a program with `args`.
- **Tools** (`servers`, `tool_calls`): an `mcp_tool` calls a server of `~/.claude.json`, `.mcp.json` or a plugin; `${path}` in its
  input is always text.
- **Answers** (`answer`, `interpret`, `effects`, `failing`): standard output is looked at at every exit status. One wrong type voids
  an answer; exit 2 blocks; other failures pass, unless `onFailure` is `block`.
- **Reduction** (`reduce`): deny > defer > ask > allow; of several denials the last to finish gives the reason, of several
  asks the first; the first answer to a PermissionRequest counts; contexts come in the order in which hooks finished.
- **Bounds** (`spill`): a context or message over 10,000 characters becomes a preview with the path of the whole.
- **Variables** (`env_file`): what hooks write to `CLAUDE_ENV_FILE` reaches later shell commands.
- **The agent's side** (`agent`, `calls`, `replies`): Claude Code's calls read as events, outcomes written as its answers.
"""
