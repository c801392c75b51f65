"""
The errors hookfw raises, in one flat tree.

- `HookfwError`
  - `EventError`
  - `UnknownDialectError`
  - `UnknownEventError`
  - `ConfigurationError`
  - `PluginError`
  - `PatternTimeoutError`
  - `TrustError`
  - `ConversionError`
  - `ModelError`
  - `ClosedError`
  - `OrderError`

A hook that fails never raises: it is a run with a status, and a diagnostic.
"""

from __future__ import annotations


class HookfwError(Exception):
    """The root of all errors that hookfw raises; its text is one sentence for people."""


class EventError(HookfwError):
    """Raised when an event cannot be made from what was given: no JSON object, a field of the wrong type."""


class UnknownEventError(HookfwError):
    """Raised when no canonical or native event has this name."""


class UnknownDialectError(HookfwError):
    """Raised when a dialect or mode is named that no installed plugin registers."""


class ConfigurationError(HookfwError):
    """Raised when hookfw's own configuration, a home or a workspace cannot be used."""


class PluginError(HookfwError):
    """Raised when something a plugin registered cannot be loaded."""


class PatternTimeoutError(HookfwError):
    """Raised by a hook's predicate when its pattern runs out of time; the host then counts the hook as matched."""


class TrustError(HookfwError):
    """Raised when consent cannot be recorded: the content changed since it was shown, or the store is unusable."""


class ConversionError(HookfwError):
    """Raised when a configuration cannot be converted, or a command not be run as a hook of another ecosystem."""


class ModelError(HookfwError):
    """Raised by a model client that has no reply; its text holds no key."""


class ClosedError(HookfwError):
    """Raised when a supervisor is used after it was closed."""


class OrderError(HookfwError):
    """Raised when the steps of a session are taken in an order that no session has; its text names the step to take."""
