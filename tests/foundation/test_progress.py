"""Who hears how far work has come."""

from unflip.foundation.progress import report, reporting
from unflip.foundation.threads import run_blocks


def test_the_innermost_listener_hears_and_nobody_afterwards():
    outer, inner = [], []
    with reporting(outer.append):
        report(0.1)
        with reporting(inner.append):
            report(0.2)
        with reporting(None):
            report(0.3)
        report(0.4)
    report(0.5)
    assert (outer, inner) == ([0.1, 0.4], [0.2])


def test_blocks_tell_when_they_are_done_if_asked_to():
    for n_jobs in (1, 2):
        told = []
        with reporting(told.append):
            assert run_blocks(lambda block: block * 2, [1, 2, 3, 4], n_jobs, tell=True) == [2, 4, 6, 8]
            run_blocks(lambda block: block, [1, 2], n_jobs)
        assert told == [0.25, 0.5, 0.75, 1.0]
