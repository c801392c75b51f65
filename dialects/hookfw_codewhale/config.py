"""
Configuration: which files there are, and the hooks in them.

From the hooks document of 2026-09-29, "Configuration" and "Project-local hooks". The person's own file has a table
`[hooks]` with settings and entries `[[hooks.hooks]]`; a project's file has entries `[[hooks]]` only, which come after
the person's own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hookfw import (
    BrokenTomlError,
    Diagnostic,
    Document,
    FileView,
    Hook,
    Loaded,
    Places,
    Rejected,
    Source,
    entry_lines,
    parse_toml,
)
from hookfw_codewhale.condition_tables import Findings
from hookfw_codewhale.entries import (
    DIALECT,
    ODD_TIMEOUT,
    Entry,
    label_of,
    odd_timeout,
    read_entry,
    run_name,
    timeout_problem,
)
from hookfw_codewhale.locations import from_base, named_config, project_hooks, trust_store, user_config
from hookfw_codewhale.native import EVENTS
from hookfw_codewhale.problems import Disposition, Problem, did_you_mean, kind_of, quoted
from hookfw_codewhale.trust import NO_CONSENT, Consent, read_consent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["PROJECT_LIMIT", "Entry", "Settings", "discover", "load"]

PROJECT_LIMIT = 1_048_576
"""Bytes of a project's hooks file; a longer one is refused before it is parsed."""

_USER_KEY = "hooks.hooks"
_PROJECT_KEY = "hooks"
_SETTINGS = ("enabled", "default_timeout_secs", "working_dir")


@dataclass(frozen=True, slots=True)
class Settings:
    """
    What the person's own configuration says for all hooks.

    Attributes:
        enabled: the global switch; when it is false hooks are listed and none runs.
        default_timeout: seconds that replace every hook's own timeout, larger or smaller.
        working_dir: absolute folder every hook runs in; `None` is the session's workspace.
        consent: what was agreed to for this workspace.
        problems: what loading found wrong, as `/hooks list` shows it.
    """

    enabled: bool = True
    default_timeout: int | None = None
    working_dir: str | None = None
    consent: Consent = NO_CONSENT
    problems: tuple[Problem, ...] = ()


def discover(places: Places, files: FileView) -> Sequence[Document]:
    """The person's configuration, the approvals and the project's hooks, as far as they exist."""
    own = files.document(user_config(places), "user")
    named = named_config(places)
    if own is None and named is not None:
        own = Document(path=named[1], scope="user", problem=f"does not exist, though {named[0]} names it; correct that")
    found = (
        own,
        files.document(trust_store(places), "user", "trust"),
        files.document(project_hooks(places), "project"),
    )
    return [document for document in found if document is not None]


def load(documents: Sequence[Document], places: Places) -> Loaded:
    """The hooks of all documents as one list, the person's own first; every problem told, none fatal."""
    own = _find(documents, "user", "hooks")
    project = _find(documents, "project", "hooks")
    loading = _Loading()
    config = loading.parse(own, "your configuration", "no hooks of yours load until then") if own else {}
    consent, notes = read_consent(config, _find(documents, "user", "trust"), places.workspace)
    loading.diagnostics.extend(notes)
    if own is not None:
        table = loading.settings(config.get("hooks", {}), own, places)
        loading.entries(table.get("hooks", []), own, _USER_KEY)
    if project is not None:
        loading.project(project)
    return loading.finish(consent)


def _find(documents: Sequence[Document], scope: str, role: str) -> Document | None:
    return next((document for document in documents if document.scope == scope and document.role == role), None)


class _Loading:
    """One load under way: the merged list so far and what was noticed."""

    def __init__(self) -> None:
        self.hooks: list[Hook] = []
        self.rejected: list[Rejected] = []
        self.diagnostics: list[Diagnostic] = []
        self.problems: list[Problem] = []
        self.position = 0
        self.enabled = True
        self.override: int | None = None
        self.working_dir: str | None = None

    def finish(self, consent: Consent) -> Loaded:
        return Loaded(
            hooks=tuple(self.hooks),
            rejected=tuple(self.rejected),
            diagnostics=tuple(self.diagnostics),
            settings=Settings(self.enabled, self.override, self.working_dir, consent, tuple(self.problems)),
        )

    def parse(self, document: Document, subject: str, consequence: str) -> dict[str, Any]:
        """The document's TOML; empty, with the problem told, where it cannot be read."""
        if document.problem is not None:
            self._tell("unreadable-file", document, subject, f"it {document.problem}; {consequence}")
            return {}
        if document.scope == "project" and len(document.data) > PROJECT_LIMIT:
            detail = f"it is longer than {PROJECT_LIMIT:,} bytes; shorten it, {consequence}"
            self._tell("broken-file", document, subject, detail)
            return {}
        try:
            return parse_toml(document.data)
        except BrokenTomlError as error:
            detail = f"{error.detail}; correct it, {consequence}"
            self._tell("broken-file", document, subject, detail, line=error.line)
            return {}

    def settings(self, table: object, document: Document, places: Places) -> Mapping[str, Any]:
        """Take the settings out of the table `[hooks]`; gives the table, empty where it is none."""
        if not isinstance(table, dict):
            detail = "it must be a table; in your own configuration entries are spelled `[[hooks.hooks]]`"
            self._tell("rejected-setting", document, "`hooks`", detail)
            return {}
        if "enabled" in table:
            self._enabled(table["enabled"], document)
        if "default_timeout_secs" in table:
            self._override(table["default_timeout_secs"], document)
        if "working_dir" in table:
            self._working_dir(table["working_dir"], document, places)
        known = (*_SETTINGS, "hooks")
        for key in table:
            if key not in known:
                hint = did_you_mean(key, known)
                detail = f"{quoted(key)}{hint} is not known there and is ignored"
                self._tell("ignored-setting", document, "`[hooks]`", detail, disposition="warning")
        return table

    def _enabled(self, value: object, document: Document) -> None:
        if isinstance(value, bool):
            self.enabled = value
        else:
            detail = f"it must be true or false, not {kind_of(value)}, and counts as true until you correct it"
            self._tell("rejected-setting", document, "`[hooks].enabled`", detail, entry="hooks.enabled")

    def _override(self, value: Any, document: Document) -> None:
        problem = timeout_problem("default_timeout_secs", value)
        subject = "`[hooks].default_timeout_secs`"
        if problem is not None:
            detail = f"{problem}; it is ignored and per-hook timeouts apply"
            self._tell("rejected-setting", document, subject, detail, entry="hooks.default_timeout_secs")
            return
        self.override = value
        if value > ODD_TIMEOUT:
            detail = odd_timeout("default_timeout_secs", value)
            self._tell("hook-warning", document, subject, detail, disposition="warning")

    def _working_dir(self, value: object, document: Document, places: Places) -> None:
        if isinstance(value, str) and value.strip() and "\0" not in value:
            self.working_dir = from_base(value, places.workspace, places.home)
        else:
            what = "an empty text or one with a NUL" if isinstance(value, str) else kind_of(value)
            detail = f"it must be the path of a folder, not {what}; it is ignored and hooks run in the workspace"
            self._tell("rejected-setting", document, "`[hooks].working_dir`", detail, entry="hooks.working_dir")

    def project(self, document: Document) -> None:
        """The entries of a project's file, and nothing else of it."""
        subject = "the project's `hooks.toml`"
        table = self.parse(document, subject, "only your own hooks load until then")
        entries = table.pop(_PROJECT_KEY, [])
        for key in table:
            what = "comes from your own configuration only" if key in _SETTINGS else "is not known here"
            detail = f"{quoted(key)} {what} and is ignored; a project gives `[[hooks]]` entries"
            self._tell("ignored-setting", document, subject, detail, disposition="warning")
        self.entries(entries, document, _PROJECT_KEY)

    def entries(self, entries: object, document: Document, key: str) -> None:
        """Each entry of one file, in its order; a bad one costs itself."""
        if not isinstance(entries, list):
            detail = f"it must be an array of tables, not {kind_of(entries)}; entries are spelled `[[{key}]]` here"
            self._tell("rejected-setting", document, f"`{key}`", detail)
            return
        lines: tuple[int, ...] | None = None
        findings = Findings()
        for index, raw in enumerate(entries):
            source = Source(document.path, document.scope, f"{key}[{index}]")
            hook = read_entry(raw, source, self.position, self.override, self.working_dir, findings)
            if hook is not None:
                self.hooks.append(hook)
            if findings.problems or findings.warnings:
                if lines is None:
                    lines = entry_lines(document.data, key, len(entries))
                self._report(
                    raw, Source(source.path, source.scope, source.entry, lines[index] if lines else None), findings
                )
                findings = Findings()
            self.position += 1

    def _report(self, raw: object, source: Source, findings: Findings) -> None:
        raw = raw if isinstance(raw, dict) else {}
        event = raw.get("event")
        subject = f"{quoted(event) + ' ' if isinstance(event, str) else ''}hook {quoted(label_of(raw))}"
        name = run_name(raw, self.position)
        if findings.problems:
            known = event if isinstance(event, str) and event in EVENTS else None
            strict = known is not None and raw.get("continue_on_error") is False
            self.rejected.append(Rejected(name, DIALECT, known, source, tuple(findings.problems), strict))
            self._add(Problem("rejected", subject, tuple(findings.problems)), "rejected-hook", source, name)
        if findings.warnings:
            self._add(Problem("warning", subject, tuple(findings.warnings)), "hook-warning", source, name)

    def _tell(
        self,
        code: str,
        document: Document,
        subject: str,
        detail: str,
        *,
        disposition: Disposition = "rejected",
        line: int | None = None,
        entry: str = "",
    ) -> None:
        source = Source(document.path, document.scope, entry, line)
        self._add(Problem(disposition, subject, (detail,)), code, source)

    def _add(self, problem: Problem, code: str, source: Source, hook: str | None = None) -> None:
        self.problems.append(problem)
        self.diagnostics.append(problem.diagnostic(code, source, hook=hook))
