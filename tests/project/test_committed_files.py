"""What is committed belongs to the project alone: no machine's paths, no registry's address."""

import re

from tests.project.tree import ROOT, project_files

# The brackets keep these lines from finding themselves.
ELSEWHERE = re.compile(
    r"(?<![\w.-])/(?:wor[k]|roo[t]|tmp/[w])/"
    r"|\.\./share[d]\b|\.librar[y]/"
    r"|\bpyp[i]\.org|\bpythonhosted\.or[g]|\bregistry\.npmj[s]|\bdebia[n]\.org"
)


def test_the_pattern_knows_what_it_looks_for() -> None:
    halves = [("see /wor", "k/main"), ("~: /roo", "t/.cache"), ("https://pyp", "i.org/"), ("../share", "d/docs")]
    assert all(ELSEWHERE.search(first + second) for first, second in halves)
    assert not ELSEWHERE.search("/workflow /home/ann/work/site /tmp/walk ../shared_state a/root/b")


def test_no_file_names_a_machine_or_a_registry() -> None:
    found = []
    for path in project_files():
        content = (ROOT / path).read_bytes()
        if b"\0" in content:
            continue
        for number, line in enumerate(content.decode("utf-8").splitlines(), 1):
            if ELSEWHERE.search(line):
                found.append(f"{path}:{number}: {line.strip()[:100]}")
    assert found == []


def test_no_lock_file_with_addresses_and_no_python_pin_is_there() -> None:
    names = {path.name for path in project_files()}
    assert "pyproject.toml" in names
    assert not names & {"uv.lock", ".python-version"}
    locks = [path for path in project_files() if path.name == "package-lock.json"]
    assert locks
    assert not [path for path in locks if '"resolved"' in (ROOT / path).read_text(encoding="utf-8")]
