"""
Deep Agents Code: what this agent does with hooks, on one page.

Its hooks document is the authority; what that leaves open was taken from the public source.

- *Files*: the project's `.deepagents/hooks.json` (at the git root), the person's, then those of enabled plugins. They add
  up; their order decides whose answer wins among equals, never who runs. A bad entry costs itself (`config`, `handlers`).
- *Consent*: only the project's file needs it, by root, in `~/.deepagents/.state/hooks_trust.json`. A file of a root that
  nobody trusted is not even parsed (`trust`). Enabling a plugin is its consent (`plugins`).
- *Matching*: names are exact, anything with another character is a pattern of Python's `re`, searched anywhere. Tools go
  by their public names (`tools`).
- *Running*: all at once, each with its own timeout of 600 seconds (30 for UserPromptSubmit), in the payload's directory,
  without variables whose names look like credentials (`rules`, `environment`, `payloads`).
- *Answers*: exit 2 takes the event's own path, with standard error for the reason; any other status but 0 decides nothing.
  At 0, JSON is an answer, valid as a whole or void as a whole; other text is context for SessionStart and
  UserPromptSubmit (`answers`, `effects`).
- *Together*: configuration order, whoever was first. deny > ask > allow; the first of equals with its own reason;
  `continue: false` from anyone counts; a turn that Stop hooks prolonged eight times is not prolonged again (`reduce`).
- *Nobody waits in vain*: a timeout or a failure blocks nothing. A rewrite is never applied.

`agent` and the objects beside it (`transcript`, `turns`) are the other half: the agent that speaks to its hooks.
"""
