"""The board after each entry is the board after all of them, and knows what changed."""

from contextlib import closing

import numpy as np
import pytest

from review.documents import many, small, write
from unflip.review.board import Board
from unflip.review.desk import Desk
from unflip.review.document import read_document
from unflip.review.log import Entry, replay
from unflip.review.rule import class_posteriors, updated_verdict


def entry(number, row, decided, kind="accept", given='"a"'):
    return Entry(number, row, given, decided, kind, "")


@pytest.fixture
def board(tmp_path):
    return Board(read_document(write(tmp_path, small())))


def rows(suspects):
    return sorted(suspect.row for suspect in suspects)


def test_a_new_board_has_the_verdicts_of_the_audit(board):
    assert [board.verdict(one).p_wrong for one in board.document.suspects] == [0.9, 0.8, 0.7, 0.6]
    assert (board.last, board.decisions, board.newest()) == (0, {}, None)


def test_what_an_entry_changed_is_known(board):
    board.apply([entry(1, 3, '"b"')])
    assert rows(board.changed_since(0)) == [3, 5]  # row 3 votes for row 5
    board.apply([entry(2, 9, '"b"', "keep", given='"b"')])
    assert rows(board.changed_since(1)) == [9]
    assert rows(board.changed_since(0)) == [3, 5, 9]
    assert board.changed_since(2) == []
    board.apply([entry(5, 3, None, "undo")])  # numbers may have gaps
    assert rows(board.changed_since(2)) == rows(board.changed_since(4)) == [3, 5]
    assert board.newest().id == 2
    assert board.last == 5


def test_a_skip_changes_its_row_only(board):
    board.apply([entry(1, 3, None, "skip")])
    assert rows(board.changed_since(0)) == [3]
    assert board.decided == {}


def test_step_by_step_is_all_at_once(tmp_path):
    random = np.random.RandomState(0)
    document = read_document(write(tmp_path, many(60, 3)))
    names = ['"class 0"', '"class 1"', '"class 2"']
    stepwise, entries = Board(document), []
    for number in range(1, 200):
        suspect = document.suspects[random.randint(30)]
        kind = ("accept", "keep", "skip", "undo")[random.randint(4)]
        decided = names[random.randint(3)] if kind in ("accept", "keep") else None
        entries.append(entry(number, suspect.row, decided, kind, names[suspect.given]))
        stepwise.apply(entries[-1:])
        assert stepwise.decisions == replay(entries)
    decided = {row: names.index(one.decided) for row, one in stepwise.decisions.items() if one.decided}
    assert stepwise.decided == decided
    posteriors = class_posteriors(document.transition_matrix, document.class_prior)
    for suspect in document.suspects:
        expected = updated_verdict(suspect, decided, document.transition_matrix, posteriors)
        assert stepwise.verdict(suspect) == expected


def test_a_page_that_takes_every_change_knows_the_whole_state(tmp_path):
    random = np.random.RandomState(1)
    with closing(Desk(write(tmp_path, many(60, 3)))) as desk:
        page = desk.state()
        known = {one["row"]: one for one in page["suspects"]}
        for _ in range(60):
            suspect = desk.document.suspects[random.randint(30)]
            if random.randint(3) or page["newest"] is None:
                desk.decide(suspect.row, ("keep", "skip")[random.randint(2)])
            else:
                desk.undo(page["newest"]["id"])
            if random.randint(2):  # now and then, as if another page had decided meanwhile
                page = desk.state(page["last"])
                assert not page["whole"]
                known |= {one["row"]: one for one in page["suspects"]}
                assert list(known.values()) == desk.state()["suspects"]
            else:
                page["newest"] = desk.state()["newest"]
