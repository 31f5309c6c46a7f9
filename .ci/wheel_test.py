"""Installs the wheel in a clean environment, in a path with spaces, and runs the demo; lists what must be in it.

python .ci/wheel_test.py DIST
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

# One file of each kind that is no Python, and that something breaks without.
NEEDED = (
    "rulings/sample/pages/deadlock-trap.txt",
    "rulings/topics.yaml",
    "rulings/corrections.yaml",
    "rulings/rules/terms.yaml",
    "rulings/language/vocabulary.json",
    "rulings/language/ranking.json",
    "indexer/rulerefs.yaml",
    "indexer/schema/rulings.schema.json",
    "indexer/dedupe/lexicon.yaml",
    "indexer/dedupe/words.txt",
    "rulings_site/templates/base.html",
    "rulings_site/assets/style.css",
    "search/lookup/difference.yaml",
)
FORBIDDEN = ("tests/", "site/", "docs/")


def main(dist: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    missing = [name for name in NEEDED if name not in names]
    stray = [name for name in names if name.startswith(FORBIDDEN)]
    assert not missing, f"the wheel lacks {missing}"
    assert not stray, f"the wheel holds {stray}"
    print(f"{wheel.name}: {len(names)} files, {sum(not n.endswith('.py') for n in names)} of them data")
    with tempfile.TemporaryDirectory(prefix="a path with spaces ") as folder:
        home = Path(folder)
        venv.create(home / "venv", with_pip=True)
        python = home / "venv/bin/python"
        subprocess.run([python, "-m", "pip", "install", "-q", str(wheel)], check=True)
        # Once installed, nothing may ask the network: a proxy that nobody answers stands in its way.
        environment = {
            **os.environ,
            "RULINGS_CACHE": str(home / "cache"),
            **dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9"),
        }
        command = home / "venv/bin/rulings"
        run = subprocess.run([command, "demo"], cwd=home, env=environment, capture_output=True, text=True, check=False)
        print(run.stdout)
        assert run.returncode == 0, run.stderr
        assert "23 rulings" in run.stdout
        assert (home / "rulings-demo/_site/index.html").is_file()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
