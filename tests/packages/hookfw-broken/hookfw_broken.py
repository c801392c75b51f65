"""A plugin that cannot be imported."""

from __future__ import annotations

import no_such_module_anywhere
