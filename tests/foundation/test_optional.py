import math
import sys

import pytest

from unflip.foundation.errors import MissingExtraError
from unflip.foundation.optional import optional


def test_what_is_installed_is_imported():
    assert optional("math", "plot", "drawing") is math


def test_what_is_missing_is_named_with_the_line_that_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "drawing", None)
    with pytest.raises(MissingExtraError) as error:
        optional("drawing.lines", "plot", "Drawing rates")
    said = "Drawing rates needs 'drawing', which is not installed. Install it with: pip install 'unflip[plot]'"
    assert str(error.value) == said
