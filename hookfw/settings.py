"""hookfw's own configuration: `~/.config/hookfw/config.toml`, the person's only. No project file can set any of it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import ConfigDict

from hookfw.errors import ConfigurationError
from hookfw.text import closest
from hookfw.toml_files import BrokenTomlError, parse_toml

if TYPE_CHECKING:
    from hookfw.sources import FileView, Places


_FORBID = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class Plugins:
    """
    The table `[plugins]`.

    Attributes:
        disabled: names of plugins that are not loaded.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _FORBID

    disabled: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Guest:
    """
    The table `[guest]`.

    Attributes:
        on_failure: what a guest that cannot decide answers: let the operation go on, or refuse it.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _FORBID

    on_failure: Literal["open", "closed"] = "open"


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """
    The table `[model]`: who answers `prompt` handlers.

    Attributes:
        client: name of the model client, after a colon what it is made of; `HOOKFW_MODEL_CLIENT` counts before it.
        model: name of the model where a hook names none.
        base_url: address of the service, where it is another than the client's own.
        key_env: name of the variable that holds the key.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _FORBID

    client: str | None = None
    model: str | None = None
    base_url: str | None = None
    key_env: str | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """
    Everything that can be set.

    Attributes:
        dedupe: run the same command of several dialects of one family once in a firing.
        strict_scripts: do not run an approved hook whose script changed since the approval.
        executor: name of the executor that carries out background runs.
        model: see `ModelSettings`.
        guest: see `Guest`.
        plugins: see `Plugins`.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _FORBID

    dedupe: bool = True
    strict_scripts: bool = False
    executor: str = "local"
    model: ModelSettings = ModelSettings()
    guest: Guest = Guest()
    plugins: Plugins = Plugins()


def config_dir(home: str, environ: Mapping[str, str]) -> str:
    """
    The folder of hookfw's own files for a home.

    `XDG_CONFIG_HOME` counts only for the home of the environment itself: a home that is handed in is looked at alone.
    """
    own = environ.get("HOME")
    xdg = environ.get("XDG_CONFIG_HOME")
    if xdg and os.path.isabs(xdg) and own and os.path.realpath(own) == os.path.realpath(home):
        return os.path.join(xdg, "hookfw")
    return os.path.join(home, ".config", "hookfw")


def load_settings(places: Places, files: FileView) -> Settings:
    """
    The settings of a home; the defaults where there is no file.

    Raises `ConfigurationError` for a file that cannot be read, is no TOML or sets what does not exist.
    """
    path = os.path.join(config_dir(places.home, places.environ), "config.toml")
    read = files.read(path)
    if read.problem is not None:
        message = f"{path} {read.problem}."
        raise ConfigurationError(message)
    if read.data is None:
        return Settings()
    from pydantic import TypeAdapter, ValidationError  # noqa: PLC0415 - only where there is a file

    try:
        return TypeAdapter(Settings).validate_python(parse_toml(read.data))
    except BrokenTomlError as error:
        message = f"{path} cannot be used: {error}; correct it."
        raise ConfigurationError(message) from None
    except ValidationError as error:
        problems = "; ".join(_problem(item["loc"], item["type"], item["msg"]) for item in error.errors())
        message = f"{path} cannot be used: {problems}."
        raise ConfigurationError(message) from None


def _problem(place: Sequence[int | str], kind: str, message: str) -> str:
    """What is wrong with one setting, without the words of the validator for our own types."""
    name = ".".join(map(str, place))
    if kind == "unexpected_keyword_argument":
        close = closest(name, _NAMES)
        return f"{name} is no setting: {f'did you mean {close!r}?' if close else 'there are ' + ', '.join(_NAMES)}"
    if kind == "dataclass_type":
        return f"{name} must be a table"
    return f"{name}: {message}"


_NAMES = (
    "dedupe",
    "strict_scripts",
    "executor",
    "model.client",
    "model.model",
    "model.base_url",
    "model.key_env",
    "guest.on_failure",
    "plugins.disabled",
)
