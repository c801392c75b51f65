from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw_codewhale.tools import TOOLS


@pytest.mark.parametrize("name", ["bash", "Bash", "exec_shell"])
def test_the_shell_has_three_names_and_a_command(name):
    assert TOOLS.to_canonical(name, {"command": "ls", "cwd": "/"}) == ("Bash", {"command": "ls", "cwd": "/"}, True)


@pytest.mark.parametrize(
    ("native", "canonical"), [("read", "Read"), ("write", "Write"), ("edit", "Edit"), ("agent", "Agent")]
)
def test_of_the_others_the_name_alone_is_known(native, canonical):
    assert TOOLS.to_canonical(native, {"path": "a"}) == (canonical, {"path": "a"}, False)
    assert TOOLS.to_native(canonical, {"path": "a"}) == (native, {"path": "a"}, False)


@given(
    st.sampled_from([*TOOLS.native_names, "mcp__a__b", "File"]),
    st.dictionaries(st.sampled_from(["command", "path", "x"]), st.integers(), max_size=3),
)
def test_there_and_back_is_the_same(name, fields):
    canonical = TOOLS.to_canonical(name, fields)
    assert TOOLS.to_native(canonical.name, canonical.input, like=name)[:2] == (name, fields)
