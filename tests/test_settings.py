from __future__ import annotations

import pytest

from hookfw.errors import ConfigurationError
from hookfw.settings import Settings, config_dir, load_settings
from hookfw.sources import FileView, Places


def load(home, text=None):
    if text is not None:
        folder = home / ".config" / "hookfw"
        folder.mkdir(parents=True)
        (folder / "config.toml").write_bytes(text)
    return load_settings(Places(home=str(home), workspace="/"), FileView())


def test_without_a_file_the_defaults_hold(home):
    assert load(home) == Settings()


def test_everything_can_be_set_and_a_byte_order_mark_and_crlf_break_nothing(home):
    settings = load(home, b'\xef\xbb\xbfdedupe = false\r\nstrict_scripts = true\r\n[plugins]\r\ndisabled = ["a"]\r\n')
    assert (settings.dedupe, settings.strict_scripts, settings.plugins.disabled) == (False, True, ("a",))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"dedupe = ", "line 1"),
        (b"dedup = true", "dedup is no setting: did you mean 'dedupe'"),
        (b"[plugins]\ndisable = []", "plugins.disable is no setting: did you mean 'plugins.disabled'"),
        (b"qqqq = 1", "qqqq is no setting: there are dedupe"),
        (b"plugins = 3", "plugins must be a table"),
        (b'strict_scripts = "no idea"', "strict_scripts"),
        (b'[guest]\non_failure = "maybe"', "guest.on_failure"),
        (b"\xff\xfe", "config.toml"),
    ],
)
def test_a_bad_file_is_one_sentence_that_names_file_and_setting(home, text, told):
    with pytest.raises(ConfigurationError, match=told) as raised:
        load(home, text)
    assert "config.toml" in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_directory_in_the_place_of_the_file_is_said(home):
    (home / ".config" / "hookfw" / "config.toml").mkdir(parents=True)
    with pytest.raises(ConfigurationError, match="is a directory"):
        load(home)


def test_the_xdg_folder_counts_only_for_the_home_of_the_environment(tmp_path):
    environ = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": "/elsewhere"}
    assert config_dir(str(tmp_path), environ) == "/elsewhere/hookfw"
    assert config_dir(str(tmp_path / "other"), environ) == str(tmp_path / "other" / ".config" / "hookfw")
    assert config_dir(str(tmp_path), {"HOME": str(tmp_path), "XDG_CONFIG_HOME": "relative"}).endswith("/.config/hookfw")
