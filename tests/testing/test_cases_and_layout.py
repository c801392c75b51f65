from __future__ import annotations

import json
import os

import pytest

from hookfw.testing import CaseError, load_cases
from hookfw.testing.layout import lay_out, substitute

CASE = {"id": "a", "dialect": "codewhale", "expect": {"decision": "none"}}


def test_cases_are_found_below_folders_in_order_of_path(tmp_path):
    (tmp_path / "x").mkdir()
    for name in ("x/b.json", "x/a.json"):
        (tmp_path / name).write_text(json.dumps(CASE | {"id": name}))
    (tmp_path / "x" / "notes.md").write_text("no case")
    assert [case.id for case in load_cases([tmp_path])] == ["x/a.json", "x/b.json"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "no JSON document"),
        ("[]", "no case"),
        ('{"id": "a"}', "no case"),
        (json.dumps(CASE | {"expcet": {}}), "no case"),
    ],
)
def test_a_file_that_is_no_case_is_named(tmp_path, text, problem):
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(CaseError) as raised:
        load_cases([path])
    assert str(path) in str(raised.value)
    assert problem in str(raised.value)


def test_a_case_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CaseError, match=r"gone\.json cannot be read"):
        load_cases([tmp_path / "gone.json"])


def test_files_are_laid_out_with_names_run_bits_links_and_raw_bytes(tmp_path):
    place = lay_out(
        {
            "home/bin/x.sh": "#!/bin/sh\necho {WORKSPACE}\n",
            "home/plain": "{HOME}",
            "workspace/link": {"link_to": "{HOME}/plain"},
            "workspace/raw": {"bytes_hex": "fffe00"},
        },
        tmp_path,
    )
    assert (place.home / "bin/x.sh").read_text() == f"#!/bin/sh\necho {place.workspace}\n"
    assert os.access(place.home / "bin/x.sh", os.X_OK)
    assert not os.access(place.home / "plain", os.X_OK)
    assert (place.workspace / "link").read_text() == str(place.home)
    assert (place.workspace / "raw").read_bytes() == b"\xff\xfe\x00"


def test_a_path_that_leads_out_of_the_folder_is_refused(tmp_path):
    (tmp_path / "root").mkdir()
    with pytest.raises(ValueError, match="leads out"):
        lay_out({"../outside": "x"}, tmp_path / "root")
    assert not (tmp_path / "outside").exists()


def test_names_are_replaced_in_keys_lists_and_nested_texts():
    assert substitute({"{A}": ["x{A}", {"k": "{A}{B}"}, 1]}, {"A": "1", "B": "2"}) == {"1": ["x1", {"k": "12"}, 1]}
