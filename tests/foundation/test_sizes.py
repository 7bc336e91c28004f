"""Amounts of memory as people write them."""

import pytest

from unflip.foundation.sizes import bytes_of


@pytest.mark.parametrize(
    ("written", "expected"), [(5, 5), ("5", 5), ("2GB", 2 * 10**9), (" 1.5 mib ", 3 * 2**19), ("10 kB", 10**4)]
)
def test_sizes_are_read_as_people_write_them(written, expected):
    assert bytes_of("me", "memory_budget", written) == expected


@pytest.mark.parametrize("written", [0, -1, True, "0GB", "much", "2 GB of it", None, 1.5])
def test_anything_else_is_refused(written):
    with pytest.raises(ValueError, match="me: 'memory_budget' must be a number of bytes, or a text such as"):
        bytes_of("me", "memory_budget", written)
