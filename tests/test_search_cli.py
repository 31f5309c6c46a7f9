"""The commands as people call them: what they print, exit codes, hostile text, no traceback."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import click
import pytest

from rulings.errors import RulingsError
from search.cli import COMMANDS, cli
from search.cli.site_command import pack

RUN = [sys.executable, "-c", "from search.cli import main; main()"]
README = Path(__file__).parents[1] / "README.md"
DOCS = Path(__file__).parents[1] / "docs"


def rulings(*arguments: str, cwd: Path | None = None, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*RUN, *arguments], cwd=cwd, input=stdin, capture_output=True, text=True, check=False, env={**os.environ}
    )


@pytest.fixture
def kb(sample: Path) -> tuple[str, str]:
    return ("--kb", str(sample))


def test_every_command_has_help_with_examples_and_is_documented() -> None:
    documented = (DOCS / "commands.md").read_text(encoding="utf-8")
    group = cli
    assert isinstance(group, click.Group)
    context = click.Context(group)
    for name in COMMANDS:
        command = group.get_command(context, name)
        assert command is not None, name
        assert command.help, name
        text = f"{command.epilog or ''}{command.help}"
        subcommands = command.commands.values() if isinstance(command, click.Group) else ()
        assert f"rulings {name}" in text or any(f"rulings {name}" in (s.epilog or "") for s in subcommands), name
        assert f"## rulings {name}\n" in documented, f"docs/commands.md lacks {name}"


def test_without_a_base_a_reading_command_takes_the_sample_and_says_so(tmp_path: Path) -> None:
    found = rulings("show", "Deadlock Trap", cwd=tmp_path)
    assert found.returncode == 0
    assert "shipped sample" in found.stderr
    assert "Deadlock Trap" in found.stdout


def test_the_nearest_parent_with_a_base_is_used(tmp_path: Path) -> None:
    assert rulings("init", "kb", "--sample", cwd=tmp_path).returncode == 0
    deep = tmp_path / "kb/rulings"
    found = rulings("status", "--json", cwd=deep)
    assert json.loads(found.stdout)["rulings"] == 23


# (arguments, exit code, what stderr or stdout says)
WRONG = [
    (("serch", "x"), 2, "did you mean: rulings search"),
    (("show", "r-zzzzzzzz"), 1, "no ruling has the id"),
    (("show", "Confiscaton Coup"), 1, "Confiscation Coup"),
    (("show", "702.15b"), 2, "no Comprehensive Rules"),
    (("show", "Deadlock Trap", "--as-of", "yesterday"), 2, "no date"),
    (("show", "Deadlock Trap", "--history"), 2, "one ruling"),
    (("show", "r-0pcdnc32", "--trace"), 2, "a rule"),
    (("topics", "enrgy"), 2, "near: energy"),
    (("status", "--max-age", "old"), 2, "number of days"),
    (("search", '"open'), 2, "^"),
    (("search", "colour:red"), 2, "^"),
    (("export", "x.doc"), 2, "neither"),
]


@pytest.mark.parametrize(("arguments", "code", "said"), WRONG)
def test_wrong_use_is_told_plainly(
    kb: tuple[str, str], tmp_path: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    found = rulings(*kb, *arguments, cwd=tmp_path)
    assert found.returncode == code, found.stderr
    assert said in found.stdout + found.stderr
    assert "Traceback" not in found.stderr


@pytest.mark.parametrize(
    ("asked", "hint"),
    [
        ("r-0pc", "this one begins so: r-0pcdnc32"),
        ("R-opcdnc3", "this one begins so: r-0pcdnc32"),
        ("r-zzzz", "none begins so"),
    ],
)
@pytest.mark.parametrize("command", ["show", "cite"])
def test_a_begun_id_is_answered_with_the_ids_that_begin_so(
    kb: tuple[str, str], command: str, asked: str, hint: str
) -> None:
    found = rulings(*kb, command, asked)
    assert found.returncode != 0
    assert f"{asked!r} is not a whole id" in found.stderr
    assert hint in found.stderr


def test_of_many_ids_that_begin_so_five_are_named(tmp_path: Path) -> None:
    texts = (f"Ruling number {n} of this card." for n in range(400))
    (tmp_path / "page.txt").write_text("Opt\n\n" + "\n\n".join(texts) + "\n", encoding="utf-8")
    rulings("init", "kb", cwd=tmp_path)
    rulings("--kb", "kb", "import", "page.txt", cwd=tmp_path)
    said = rulings("--kb", "kb", "show", "r-0", cwd=tmp_path).stderr.splitlines()[-1]
    assert said.count("r-0") == 5
    assert re.search(r", and \d+ more$", said)


def test_a_number_that_no_rule_has_is_told_once(tmp_path: Path) -> None:
    text = "Magic: The Gathering Comprehensive Rules\n\nThese rules are effective as of {}.\n\nIntroduction\n\n"
    text += "1. Game Concepts\n\n100. General\n\n100.1. These rules apply to any game.\n\nGlossary\n\nCredits\n"
    rulings("init", "kb", cwd=tmp_path)
    told = []
    for n, day in enumerate(("May 3, 2021", "May 3, 2022")):
        (tmp_path / f"{n}.txt").write_text(text.format(day), encoding="utf-8")
        rulings("--kb", "kb", "import", f"{n}.txt", cwd=tmp_path)
        found = rulings("--kb", "kb", "show", "999.9", cwd=tmp_path)
        assert found.returncode == 1
        told.append(found.stdout)
    assert told[0] == "999.9: no rule has this number in the rules of 2021-05-03\n"
    assert told[1] == "999.9: no rule has this number in the rules of 2022-05-03; nor has any other version here\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-2",), "-2 is read as an option. Put -- before the words to search for:\n  rulings search -- -2\n"),
        (("energy", "-target"), "rulings search -- energy -target\n"),
        (("--limit", "3", "-haste"), "rulings search [OPTIONS] -- ... -haste\n"),
        (("--limt", "3"), "--limit"),
    ],
)
def test_a_search_that_looks_like_options_is_told_how_to_be_written(
    kb: tuple[str, str], arguments: tuple[str, ...], said: str
) -> None:
    found = rulings(*kb, "search", *arguments)
    assert found.returncode == 2
    assert said in found.stderr
    assert rulings(*kb, "search", "--", "energy", "-target").returncode == 0


def test_show_why_names_the_difference(kb: tuple[str, str]) -> None:
    found = rulings(*kb, "show", "r-0pcdnc32", "--why", "Deadlock Trap")
    assert "symbol-lost" in found.stdout
    assert "{+{E}" in found.stdout


def test_show_an_alias_says_so(kb: tuple[str, str]) -> None:
    from rulings.ids import mint

    lost = mint("is the energy symbol. It represents one energy counter.")
    found = rulings(*kb, "show", lost)
    assert "r-0pcdnc32" in found.stdout
    assert "another wording" in found.stdout


def test_check_is_green_on_the_sample(kb: tuple[str, str]) -> None:
    found = rulings(*kb, "check")
    assert found.returncode == 0, found.stdout
    assert "23 rulings checked: no faults" in found.stdout


def test_check_finds_a_hand_made_fault(tmp_path: Path) -> None:
    rulings("init", "kb", "--sample", cwd=tmp_path)
    file = tmp_path / "kb/rulings/undated.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("- activated-abilities", "- activatedabilities", 1), encoding="utf-8")
    found = rulings("--kb", "kb", "check", cwd=tmp_path)
    assert found.returncode == 1
    assert "rulings/undated.yaml:" in found.stdout
    assert "activatedabilities" in found.stdout


def test_a_base_that_cannot_be_read_whole_is_never_silent(tmp_path: Path) -> None:
    rulings("init", "kb", "--sample", cwd=tmp_path)
    spoilt = tmp_path / "kb/rulings/2024/2024-03-08.yaml"
    whole = spoilt.read_text(encoding="utf-8")
    spoilt.write_text(whole + " : [}\n", encoding="utf-8")
    for arguments in (("search", "energy"), ("show", "Deadlock Trap"), ("status",), ("export", "out.jsonl")):
        found = rulings("--kb", "kb", *arguments, cwd=tmp_path)
        assert "the base has faults (1)" in found.stderr and "2024-03-08.yaml:" in found.stderr, arguments
    assert rulings("--kb", "kb", "build", cwd=tmp_path).returncode == 1
    spoilt.write_text(whole, encoding="utf-8")
    found = rulings("--kb", "kb", "search", "energy symbol", cwd=tmp_path)
    assert "fault" not in found.stderr and "r-0pcdnc32" in found.stdout


def test_a_damaged_cache_is_made_again_or_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULINGS_CACHE", str(tmp_path / "cache"))
    rulings("init", "kb", "--sample", cwd=tmp_path)
    asked = ("--kb", "kb", "lookup", "-")
    good = rulings(*asked, cwd=tmp_path, stdin="See r-0pcdnc32.").stdout
    (lookup,) = (tmp_path / "cache").rglob("lookup.sqlite")
    for junk in (b"", b"junk" * 99, lookup.read_bytes()[:5000]):
        lookup.write_bytes(junk)
        assert rulings(*asked, cwd=tmp_path, stdin="See r-0pcdnc32.").stdout == good
    (index,) = (tmp_path / "cache").rglob("search.sqlite")
    index.write_bytes(b"x" * index.stat().st_size)  # of the size it had, so that only reading tells
    found = rulings("--kb", "kb", "search", "energy", cwd=tmp_path)
    assert found.returncode == 1 and "rulings build --force" in found.stderr and "fault of" not in found.stderr
    assert rulings("--kb", "kb", "build", "--force", cwd=tmp_path).returncode == 0
    assert rulings("--kb", "kb", "search", "energy", cwd=tmp_path).returncode == 0


def test_closed_streams_are_no_fault_of_the_program(kb: tuple[str, str]) -> None:
    for closed in ("<&-", ">&-", "2>&-"):
        line = ["bash", "-c", f'exec "$@" {closed}', "x", *RUN, *kb, "search", "energy"]
        found = subprocess.run(line, capture_output=True, text=True, check=False)
        assert (found.returncode, found.stderr) == (0, ""), closed


def test_what_is_no_text(kb: tuple[str, str], tmp_path: Path) -> None:
    found = subprocess.run([*RUN, *kb, "show", b"\xff"], capture_output=True, check=False)
    assert found.returncode == 2 and b"no UTF-8 text" in found.stderr
    path = tmp_path / "answer"
    path.write_bytes(b"r-0pcdnc32" + bytes(range(256)))
    for asked in (("lookup",), ("check", "--document")):
        assert "is binary" in rulings(*kb, *asked, str(path)).stderr
    path.write_bytes("See r-0pcdnc32.".encode("utf-16"))
    assert "r-0pcdnc32" in rulings(*kb, "lookup", str(path), "--json").stdout
    path.write_bytes(b"\x1b[31mSee r-0pcdnc32.\x1b[0m")
    assert "\x1b" not in rulings(*kb, "lookup", str(path), "--format", "html").stdout
    assert rulings(*kb, "lookup", str(path), "--cited-on", "2024-13").returncode == 2


def test_retag_survives_an_import(tmp_path: Path) -> None:
    rulings("init", "kb", "--sample", cwd=tmp_path)
    file = tmp_path / "kb/rulings/2024/2024-03-08.yaml"
    text = file.read_text(encoding="utf-8")
    head = "- id: r-0pcdnc32\n"
    assert head in text
    retag = "  retag:\n    add:\n    - priority\n    drop:\n    - energy\n"
    file.write_text(text.replace(head, head + retag), encoding="utf-8")
    from indexer.sample import sample_pages

    for _ in range(2):
        done = rulings("--kb", "kb", "import", "--source", "seed-pages", str(sample_pages()), cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    topics = json.loads(rulings("--kb", "kb", "show", "r-0pcdnc32", "--json", cwd=tmp_path).stdout)["topics"]
    assert "priority" in topics and "energy" not in topics


def test_fmt_puts_a_file_in_its_form(tmp_path: Path) -> None:
    rulings("init", "kb", "--sample", cwd=tmp_path)
    file = tmp_path / "kb/rulings/undated.yaml"
    before = file.read_bytes()
    file.write_text(file.read_text(encoding="utf-8") + "# a note\n", encoding="utf-8")
    assert rulings("--kb", "kb", "fmt", "--check", cwd=tmp_path).returncode == 1
    assert rulings("--kb", "kb", "fmt", cwd=tmp_path).returncode == 0
    assert file.read_bytes() == before


HOSTILE = "Tap it.\x1b[31m\x1b]0;owned\x07 <script>alert(1)</script> \u202eevil"


def test_hostile_text_is_shown_and_not_obeyed(tmp_path: Path) -> None:
    rulings("init", "kb", cwd=tmp_path)
    record = {"card": "Bad\x1b[2J Card", "comment": HOSTILE, "published_at": "2020-01-01"}
    (tmp_path / "x.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    for arguments in (("import", "x.jsonl"), ("search", "tap"), ("check", "--open"), ("status",)):
        found = rulings("--kb", "kb", *arguments, cwd=tmp_path)
        assert "\x1b" not in found.stdout + found.stderr, arguments
        assert "\u202e" not in found.stdout + found.stderr, arguments


def test_export_rebuilds_the_base(kb: tuple[str, str], tmp_path: Path, sample: Path) -> None:
    assert rulings(*kb, "export", "all.tar.gz", "--all", cwd=tmp_path).returncode == 0
    subprocess.run(["tar", "xzf", "all.tar.gz"], cwd=tmp_path, check=True)
    rebuilt = tmp_path / "rulings-base"
    for path in sample.rglob("*.yaml"):
        assert (rebuilt / path.relative_to(sample)).read_bytes() == path.read_bytes()
    assert json.loads(rulings("--kb", str(rebuilt), "status", "--json").stdout)["rulings"] == 23


@pytest.mark.parametrize("form", ["jsonl", "csv", "jsonl.gz"])
def test_exported_occurrences_can_be_imported(kb: tuple[str, str], tmp_path: Path, form: str) -> None:
    assert rulings(*kb, "export", f"x.{form}", "--what", "occurrences", cwd=tmp_path).returncode == 0
    rulings("init", "new", cwd=tmp_path)
    done = rulings("--kb", "new", "import", f"x.{form}", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(rulings("--kb", "new", "status", "--json", cwd=tmp_path).stdout)["rulings"] == 23


def test_one_name_of_several_cards_asks_which_and_takes_the_oracle_id(tmp_path: Path) -> None:
    rulings("init", "kb", cwd=tmp_path)
    ids = ["9cbd2f30-bb8e-4c4a-a1b4-3b5a1c1ef0a1", "9cbd2f30-bb8e-4c4a-a1b4-3b5a1c1ef0a2"]
    row = {"card": "Twin", "published_at": "2020-01-01"}
    rows = [row | {"comment": f"Twin says {n}.", "oracle_id": i} for n, i in enumerate(ids)]
    (tmp_path / "x.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert rulings("--kb", "kb", "import", "x.jsonl", cwd=tmp_path).returncode == 0
    asked = rulings("--kb", "kb", "show", "Twin", cwd=tmp_path)
    assert asked.returncode == 1 and all(i in asked.stderr for i in ids)
    for n, oracle_id in enumerate(ids):
        shown = rulings("--kb", "kb", "show", oracle_id, cwd=tmp_path)
        assert f"Twin says {n}." in shown.stdout and f"Twin says {1 - n}." not in shown.stdout


def test_edit_opens_the_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rulings("init", "kb", "--sample", cwd=tmp_path)
    where = rulings("--kb", "kb", "edit", "r-0pcdnc32", "--where", cwd=tmp_path).stdout.strip()
    file, line = where.rsplit(":", 1)
    assert (tmp_path / file).read_text(encoding="utf-8").splitlines()[int(line) - 1] == "- id: r-0pcdnc32"


def test_a_zip_of_the_site_is_small_readable_and_the_same_each_time(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "card").mkdir(parents=True)
    (site / "card/index.html").write_text("<p>The same again.</p>" * 500)
    (site / "card/index.html").chmod(0o600)
    (site / ".rulings-site").write_text("a list of our own")
    for name in ("a.zip", "b.zip"):
        pack(site, tmp_path / name)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip") as packed:
        (entry,) = packed.infolist()
    assert entry.filename == "rulings-site/card/index.html" and entry.compress_size < entry.file_size // 10
    assert entry.external_attr >> 16 == 0o644


def test_a_zip_that_cannot_be_written_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("<p>A page.</p>")

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(zipfile.ZipFile, "writestr", full)
    with pytest.raises(RulingsError, match=r"rulings\.zip could not be written: No space left"):
        pack(site, tmp_path / "rulings.zip")
    assert [p.name for p in tmp_path.iterdir()] == ["site"]


@pytest.mark.parametrize(
    ("archive", "said"), [("out/site.zip", "beside the folder"), ("none/site.zip", "none is no folder")]
)
def test_a_zip_without_a_place_of_its_own_is_refused_first(archive: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    done = rulings("site", "--out", "out", "--zip", archive, cwd=tmp_path)
    assert done.returncode == 2 and said in done.stderr
    assert list((tmp_path / "out").iterdir()) == [] and not (tmp_path / "none").exists()


def test_help_of_the_program_names_every_command() -> None:
    text = rulings("--help").stdout
    assert all(f"  {name} " in text or f"  {name}\n" in text for name in COMMANDS)


def test_a_base_without_rulings_says_so(tmp_path: Path) -> None:
    assert rulings("init", "kb", cwd=tmp_path).returncode == 0
    found = rulings("--kb", "kb", "search", "energy", cwd=tmp_path)
    assert "no rulings yet" in found.stderr and "rulings import" in found.stderr
