"""The shipped JSON Schema describes what a base really holds, and knows every key and kind of the codec."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from rulings import codec, model, yamlfile

SCHEMA = json.loads((resources.files("indexer") / "schema/rulings.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)


def test_the_sample_fits(sample: Path) -> None:
    for path in sorted((sample / "rulings").rglob("*.yaml")):
        document, _ = yamlfile.load(path.read_text(encoding="utf-8"), str(path))
        assert [error.message for error in VALIDATOR.iter_errors(document)] == []


@pytest.mark.parametrize(
    "ruling",
    [
        {"id": "r-1", "text": "x"},
        {"id": "r-0pcdnc32"},
        {"id": "r-0pcdnc32", "text": "x", "see": [107.1]},
        {"id": "r-0pcdnc32", "text": "x", "unknown": "key"},
    ],
)
def test_what_does_not_fit(ruling: dict[str, object]) -> None:
    assert not VALIDATOR.is_valid({"schema": 1, "rulings": [ruling]})


def test_schema_and_codec_know_the_same() -> None:
    ruling = SCHEMA["$defs"]["ruling"]["properties"]
    assert set(ruling) == codec.RULING_KEYS
    assert set(SCHEMA["$defs"]["occurrence"]["properties"]) == codec.OCCURRENCE_KEYS
    assert tuple(ruling["variants"]["items"]["properties"]["why"]["enum"]) == model.WHY
    assert tuple(ruling["links"]["items"]["properties"]["kind"]["enum"]) == codec.LINK_KINDS
