r"""
What does Mind do here?

Sources: its hooks document (the authority) and, where that is silent, the public source, commits 0bd2a23 to 88620fd.

- **Files** (`layers`): the person's `~/.mind/hooks.json` and `config.toml`, the profile's `<profile>.config.toml`, then
  `.mind/hooks.json` and `config.toml` of every folder from the project root to the workspace, but only of folders that
  the person's own `[projects."PATH"]` trusts. A session's `hooks` override replaces all of them.
- **Faults** (`config`, `handlers`): a bad handler costs itself, a bad group itself, a broken `hooks.json` itself; a broken
  `config.toml` costs its layer. Unknown fields and events are ignored and said.
- **Trust** (`trust`): each hook by the digest of its normalised definition, kept in `[hooks.state]` of the person's
  `config.toml`. `enabled` is apart. No profile and no project can grant or switch anything.
- **Matching** (`rules`, `tools`): exact names between `|`, without trimming; with any of `\ . ^ $ * + ? { } [ ] ( )` one
  searched pattern. A tool is looked up by its local name and its aliases; each handler runs once.
- **Calls** (`dialect`, `payloads`): all hooks of an event at once, by `$SHELL -lc`, in the event's `cwd`.
- **Answers** (`output`): closed objects of strict types, null refused. Exit 2 blocks where the event allows it and
  standard error says why; every other non-zero exit, broken JSON or unknown field only fails that run. What begins with
  `{` or `[` must be JSON; other text is context on SessionStart, UserPromptSubmit and SubagentStart.
- **Tools** (`tool_calls`, `mcp_servers`, `placeholders` of the family): an `mcp_tool` calls a server of `[mcp_servers]`; its
  answer is one JSON object, structured or as text.
- **Reduction** (`reduce`): the first configured reason, the input of the hook that finished last, contexts in
  configuration order beside any decision; a stop beats a block, a deny beats an allow.
- **Bounds** (`spill`): a context over its limit becomes head, tail and the path of the full text.
- **The agent's side** (`agent`, `calls`, `answers`, `transcript`): Mind's calls read as events, outcomes written as
  Mind's answers, and its session record.
"""
