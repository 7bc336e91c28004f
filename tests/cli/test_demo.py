"""The command that runs the demonstration."""

from commands import unflip


def test_the_seed_and_the_folder_reach_the_demonstration(tmp_path, monkeypatch):
    monkeypatch.setattr("unflip.cli.demonstration.compare", lambda seed: [])
    first, second = (unflip("demo", "--seed", seed, "--out", f"of-{seed}", cwd=tmp_path) for seed in (0, 1))
    assert (first.returncode, second.returncode) == (0, 0)
    flipped = [(tmp_path / f"of-{seed}" / "tumors.csv").read_text() for seed in (0, 1)]
    assert flipped[0] != flipped[1]
