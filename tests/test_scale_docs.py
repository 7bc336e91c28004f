"""The code of docs/scale.md runs, and what it prints is right."""

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parent.parent / "docs" / "scale.md").read_text()

pytest.importorskip("pyarrow")
pytest.importorskip("distributed")


@pytest.mark.filterwarnings("default")  # Dask warns of what it does at shutdown
def test_the_code_runs_and_a_cluster_and_a_recipe_give_the_same_answers(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "page"}
    for code in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(code, names)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("[0.")
    assert "of 3,000 labels are wrong." in lines[1]
    assert lines[2] == "True"
    assert lines[3] == "30000"
    expected = names["model"].kneighbors(n_neighbors=10)[1]
    graph = names["graph"]
    assert graph["neighbor"].to_numpy().reshape(3000, 10).tolist() == expected.tolist()
    assert graph["query"].tolist() == [row for row in range(3000) for _ in range(10)]
