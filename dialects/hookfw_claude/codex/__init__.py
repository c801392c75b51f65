r"""
What does Codex do here?

Sources: codex-cli 0.171.0 as it was seen to run; where that is silent its binary, then the public source, then the
documentation. What it does is followed, not what is written about it.

- **Files** (`layers`, `plugins`): managed requirements and the system's `config.toml`, the person's `hooks.json` and
  `config.toml`, those of every folder from the project root down to the working directory that the person's own
  `[projects."PATH"]` trusts, the session's overrides, enabled plugins. All of them add up.
- **Faults** (`shapes`, `entries`): one wrong shape costs its whole file; a blank command, a pattern that is none and
  what an event does not run cost themselves and keep their number.
- **Trust** (`trust`, `identity`): each hook by the digest of its normal form, kept in `[hooks.state]` of the person's
  `config.toml` and in overrides; managed hooks need none. `enabled` is apart. No project can grant or switch anything.
- **Matching** (`rules`, `tools`): names between `|` when there are only ASCII letters, digits, `_` and `|`; any other
  character makes a searched pattern of Rust's `regex`. Every shell is `Bash`; a patch is `apply_patch`, `Edit` and `Write`.
- **Calls** (`dialect`, `payloads`): all hooks of an event at once, by the login shell of the password database with `-c`,
  in the turn's directory. Plugin hooks get their plugin's folders.
- **Answers** (`wire`, `output`): closed objects of strict types. Exit 2 with text on standard error blocks where the
  event allows it; whatever else fails lets everything through. What begins with `{` or `[` must be JSON; other text is
  context on SessionStart, SubagentStart and UserPromptSubmit. A message for the person survives a refused answer.
- **Tools** (`tool_calls`, `mcp_servers`, `placeholders` of the family): an `mcp_tool` calls a server of `[mcp_servers]`; what
  it answers is read like standard output. A placeholder that is not in the event fails the run.
- **Background** (`late`): asynchronous commands, eight at a time; what they say comes with a later outcome.
- **Reduction** (`reduce`): the first configured reason, the input of the hook that finished last, contexts in
  configuration order; a stop beats a block, a deny beats an allow. A Stop may block without end.
- **Bounds** (`spill`): a text over its limit becomes head, tail and the path of the full text.
- **The agent's side** (`agent`, `calls`, `answers`): Codex's calls read as events, outcomes written as its answers.
"""
