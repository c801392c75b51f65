"""
The environment of a local shell command, which `shell_env` hooks add to.

From the hooks document of 2026-09-29, "What exactly the shell command gets": a fixed list of inherited variables, then
the values of the hooks on top. Names compare without the case of letters. Hook processes themselves inherit everything.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_INHERITED_NAMES = """
    PATH HOME USER USERNAME LOGNAME LANG LANGUAGE LC_ALL LC_CTYPE LC_MESSAGES TERM COLORTERM NO_COLOR FORCE_COLOR SHELL
    TMPDIR TMP TEMP __CF_USER_TEXT_ENCODING SYSTEMROOT WINDIR COMSPEC PATHEXT USERPROFILE HOMEDRIVE HOMEPATH LIB LIBPATH
    INCLUDE VSINSTALLDIR VCINSTALLDIR VCTOOLSINSTALLDIR WINDOWSSDKDIR WINDOWSSDKVERSION UNIVERSALCRTSDKDIR UCRTVERSION
    EXTENSIONSDKDIR DEVENVDIR VISUALSTUDIOVERSION APPDATA LOCALAPPDATA PROGRAMDATA ALLUSERSPROFILE PROGRAMFILES
    PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES COMMONPROGRAMFILES(X86) COMMONPROGRAMW6432 PROCESSOR_ARCHITECTURE
    NUGET_PACKAGES NUGET_HTTP_CACHE_PATH HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY FTP_PROXY PYTHONIOENCODING PYTHONUTF8
    CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN
"""
_INHERITED = frozenset(_INHERITED_NAMES.split())
_PREFIXES = ("LC_", "DOTNET_")
_WINDOWS_ENDINGS = ("_ROOT", "_DIR", "_HOME", "_PATH", "_PATHS", "SDKROOT")
_SECRET_WORDS = ("SECRET", "TOKEN", "PASSWORD", "PASSWD", "CREDENTIAL", "API_KEY", "ACCESS_KEY", "PRIVATE_KEY")
_STOCK_FOLDERS = MappingProxyType(
    {
        "COMMONPROGRAMFILES": r"C:\Program Files\Common Files",
        "COMMONPROGRAMFILES(X86)": r"C:\Program Files (x86)\Common Files",
        "COMMONPROGRAMW6432": r"C:\Program Files\Common Files",
    }
)
_EMPTY: Mapping[str, str] = MappingProxyType({})


def local_child_environment(
    parent: Mapping[str, str],
    shell_env: Mapping[str, str],
    platform: str,
    *,
    registry: Mapping[str, str] = _EMPTY,
) -> dict[str, str]:
    """
    The whole environment of a shell command that runs on this machine.

    Args:
        parent: the agent's own environment.
        shell_env: what the hooks gave; each value replaces every inherited one of the same name in any case.
        platform: as `sys.platform`.
        registry: on Windows, the variables of the machine and then of the user; `parent` comes before them.
    """
    windows = platform == "win32"
    candidates = {**_without(registry, parent), **parent} if windows else parent
    inherited = {name: value for name, value in candidates.items() if _is_inherited(name.upper(), windows=windows)}
    if windows:
        inherited = {name: value or _STOCK_FOLDERS.get(name.upper(), "") for name, value in inherited.items()}
    return {**_without(inherited, shell_env), **shell_env}


def _is_inherited(name: str, *, windows: bool) -> bool:
    if name in _INHERITED or name.startswith(_PREFIXES):
        return True
    if not windows or not name.endswith(_WINDOWS_ENDINGS):
        return False
    return not name.endswith("_KEY") and not any(word in name for word in _SECRET_WORDS)


def _without(variables: Mapping[str, str], replaced_by: Mapping[str, str]) -> dict[str, str]:
    replaced = {name.upper() for name in replaced_by}
    return {name: value for name, value in variables.items() if name.upper() not in replaced}
