import pytest
from click.testing import CliRunner

from unflip.cli import main


@pytest.mark.parametrize("command", ["audit", "rates", "predict"])
def test_commands_on_labeled_tables_share_their_options(command):
    text = CliRunner().invoke(main, [command, "--help"]).output
    assert "--label COLUMN" in text
    assert "The label column." in text
    assert "--labels FILE" in text
    assert ("--json" in text) == (command != "predict")
