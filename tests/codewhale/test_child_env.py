from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw_codewhale.child_env import local_child_environment


@pytest.mark.parametrize(
    "name",
    [
        "PATH",
        "HOME",
        "LANG",
        "LC_ALL",
        "LC_PAPER",
        "TERM",
        "NO_COLOR",
        "http_proxy",
        "HTTPS_PROXY",
        "DOTNET_ROOT_X64",
        "CARGO_HOME",
        "RUSTUP_TOOLCHAIN",
        "PROGRAMFILES(X86)",
        "TMPDIR",
        "path",
    ],
)
def test_a_listed_variable_is_inherited_in_any_case_and_under_its_own_name(name):
    assert local_child_environment({name: "v"}, {}, "linux") == {name: "v"}


@pytest.mark.parametrize(
    "name",
    ["GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "MY_PATH", "JAVA_HOME", "LD_PRELOAD", "PATHS", "XLC_ALL", "LC", ""],
)
def test_any_other_variable_stays_behind(name):
    assert local_child_environment({name: "v"}, {}, "linux") == {}


def test_values_of_the_hooks_win_whatever_they_are_called():
    assert local_child_environment({"PATH": "/bin"}, {"PATH": "/opt", "GITHUB_TOKEN": "t"}, "linux") == {
        "PATH": "/opt",
        "GITHUB_TOKEN": "t",
    }


def test_a_value_replaces_every_inherited_spelling_of_its_name():
    parent = {"http_proxy": "a", "HTTP_PROXY": "b", "HOME": "/h"}
    assert local_child_environment(parent, {"Http_Proxy": "c"}, "linux") == {"Http_Proxy": "c", "HOME": "/h"}


def test_two_inherited_spellings_both_stay():
    parent = {"http_proxy": "a", "HTTP_PROXY": "b"}
    assert local_child_environment(parent, {}, "linux") == parent


@pytest.mark.parametrize(
    "name", ["JAVA_HOME", "QT_DIR", "MY_PATH", "SEARCH_PATHS", "VCPKG_ROOT", "IPHONESDKROOT", "java_home"]
)
def test_windows_inherits_the_folders_of_toolchains(name):
    assert local_child_environment({name: "v"}, {}, "win32") == {name: "v"}
    assert local_child_environment({name: "v"}, {}, "linux") == {}


@pytest.mark.parametrize(
    "name",
    [
        "SECRET_PATH",
        "TOKEN_DIR",
        "PASSWORD_HOME",
        "PASSWD_DIR",
        "CREDENTIAL_PATH",
        "API_KEY_PATH",
        "ACCESS_KEY_DIR",
        "PRIVATE_KEY_PATH",
        "HOME_KEY",
        "my_token_dir",
    ],
)
def test_windows_leaves_what_looks_like_a_secret(name):
    assert local_child_environment({name: "v"}, {}, "win32") == {}


def test_the_windows_registry_comes_under_the_process_environment():
    registry = {"JAVA_HOME": "old", "QT_DIR": "qt", "SECRET_DIR": "s"}
    assert local_child_environment({"Java_Home": "new"}, {}, "win32", registry=registry) == {
        "QT_DIR": "qt",
        "Java_Home": "new",
    }
    assert local_child_environment({}, {}, "linux", registry={"HOME": "x"}) == {}


def test_empty_common_folders_get_the_stock_paths_on_windows():
    empty = {"CommonProgramFiles": "", "CommonProgramFiles(x86)": "", "CommonProgramW6432": "", "TEMP": ""}
    assert local_child_environment(empty, {}, "win32") == {
        "CommonProgramFiles": r"C:\Program Files\Common Files",
        "CommonProgramFiles(x86)": r"C:\Program Files (x86)\Common Files",
        "CommonProgramW6432": r"C:\Program Files\Common Files",
        "TEMP": "",
    }
    assert local_child_environment({"CommonProgramFiles": ""}, {}, "linux") == {"CommonProgramFiles": ""}


NAMES = st.sampled_from(["PATH", "Path", "HOME", "TOKEN", "token", "MY_TOKEN_DIR", "LC_X"])


@given(st.dictionaries(NAMES, st.text(max_size=3)), st.dictionaries(NAMES, st.text(max_size=3)))
def test_nothing_unlisted_comes_from_the_parent_and_every_explicit_value_arrives(parent, shell_env):
    result = local_child_environment(parent, shell_env, "linux")
    assert shell_env.items() <= result.items()
    assert {name.upper() for name in result.keys() - shell_env.keys()} <= {"PATH", "HOME", "LC_X"}
