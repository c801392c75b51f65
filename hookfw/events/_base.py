"""The base of the canonical events: the fields any event may carry, and how absent, null and given differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field


class Event(BaseModel):
    """
    Something that happens in an agent's life.

    One subclass for each canonical kind; frozen; every field is optional. A field that was given as null is given: see
    `given`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, protected_namespaces=())

    kind: ClassVar[str] = ""

    session_id: str | None = None
    cwd: str | None = None
    workspace: str | None = None
    transcript_path: str | None = None
    model: str | None = None
    provider: str | None = None
    permission_mode: str | None = None
    mode: str | None = None
    effort: str | None = None
    turn_id: str | None = None
    prompt_id: str | None = None
    total_tokens: int | None = None
    session_cost: float | None = None
    agent_id: str | None = None
    agent_type: str | None = None
    created_at: str | None = None
    native: dict[str, Any] = Field(default_factory=dict)

    @property
    def given(self) -> Mapping[str, Any]:
        """The fields that were set, explicit nulls included."""
        return {name: getattr(self, name) for name in type(self).model_fields if name in self.model_fields_set}

    def replace(self, **fields: Any) -> Self:
        """
        A copy with `fields` set, which are taken as they are.

        Made on every firing, so without what `model_copy` does for private attributes and deep copies.
        """
        copy = object.__new__(type(self))
        object.__setattr__(copy, "__dict__", self.__dict__ | fields)
        object.__setattr__(copy, "__pydantic_fields_set__", self.__pydantic_fields_set__ | fields.keys())
        object.__setattr__(copy, "__pydantic_extra__", None)
        object.__setattr__(copy, "__pydantic_private__", None)
        return copy
