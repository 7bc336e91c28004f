"""The README's code runs and says what it says."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def test_the_code_block_runs_and_prints_the_numbers_in_its_comments(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL).group(1)
    names = {}
    exec(code, names)
    lines = capsys.readouterr().out.splitlines()
    assert f"{float(lines[0]):.2f}" == "0.92"
    assert f"{float(lines[1]):.2f}" == "0.94"
    assert "labeled" in lines[2]
    assert any(line.startswith("About ") for line in lines)
    assert f"{float(lines[-1]):.2f}" == "0.96"
    assert f"{(names['noisy'] == names['y_train']).mean():.2f}" == "0.70"
    assert (tmp_path / "report.html").stat().st_size < 500_000
    plain = names["RobustKNeighborsClassifier"](noise_rates=None).fit(names["X_train"], names["noisy"])
    assert f"{plain.score(names['X_test'], names['y_test']):.2f}" == "0.83"
    forest = names["RandomForestClassifier"](random_state=0).fit(names["X_train"], names["noisy"])
    assert f"{forest.score(names['X_test'], names['y_test']):.2f}" == "0.71"


def test_what_it_links_to_is_there():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


def test_the_commands_it_names_exist():
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"(?:\$ |`)make (\w+)", README):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
