"""Decisions about neighbors change the scores of the other suspects."""

from contextlib import closing
from time import perf_counter

import pytest

from review.documents import TWO_BY_TWO, document, many, small, suspect, write
from unflip.foundation.text import probability
from unflip.review.desk import Desk
from unflip.review.errors import BadRequest


@pytest.fixture
def opened(tmp_path):
    desks = []

    def open_desk(content):
        desks.append(Desk(write(tmp_path / f"audit{len(desks)}", content)))
        return desks[-1]

    yield open_desk
    for desk in desks:
        desk.close()


def scores(desk):
    return {one["row"]: one["p_wrong"] for one in desk.state()["suspects"]}


def test_a_decision_changes_the_suspects_that_have_the_row_as_a_neighbor(opened):
    desk = opened(small())
    assert scores(desk) == {3: 0.9, 5: 0.8, 7: 0.7, 9: 0.6}
    desk.decide(3, "accept", 1)
    # Row 5 has the votes a, b, b, a as in the rule's tests: odds 4 become 28/3.
    assert scores(desk) == {3: 0.9, 5: pytest.approx(28 / 31), 7: 0.7, 9: 0.6}
    desk.undo(desk.state()["newest"]["id"])
    assert scores(desk) == {3: 0.9, 5: 0.8, 7: 0.7, 9: 0.6}


def test_a_skip_changes_no_score(opened):
    desk = opened(small())
    desk.decide(3, "skip")
    assert scores(desk) == {3: 0.9, 5: 0.8, 7: 0.7, 9: 0.6}


def test_keeping_a_label_supports_neighbors_with_that_label(opened):
    desk = opened(small())
    desk.decide(3, "keep")
    # ((1, 0) + (3/4, 1/4) + 2 (1/8, 7/8)) / 4 = (1/2, 1/2): odds 0.3 / 0.9 = 1/3; 4 (1/3) / (3/7) = 28/9
    assert scores(desk)[5] == pytest.approx(28 / 37)


def test_the_class_prior_matters(opened):
    rates = {"transition_matrix": TWO_BY_TWO, "class_prior": [0.25, 0.75]}
    desk = opened(small() | {"rates": rates})
    desk.decide(3, "accept", 1)
    # P of a label a: (1/2, 1/2), of a label b: (1/22, 21/22). Without the decision (6/22, 16/22), odds
    # 16 * 0.3 / (6 * 0.9) = 8/9; with it (13/88, 75/88), odds 75 * 0.3 / (13 * 0.9) = 25/13; 4 (25/13) / (8/9) = 225/26
    assert scores(desk)[5] == pytest.approx(225 / 251)


def test_scores_change_also_with_a_singular_transition_matrix(opened):
    rates = {"transition_matrix": [[0.5, 0.5], [0.5, 0.5]], "class_prior": [0.5, 0.5]}
    desk = opened(small() | {"rates": rates})
    desk.decide(3, "accept", 1)
    # Every label says (1/2, 1/2), odds 1; with the decision (3/8, 5/8), odds 5/3; 4 (5/3) = 20/3
    assert scores(desk)[5] == pytest.approx(20 / 23)


def test_the_details_of_a_suspect(opened):
    desk = opened(small())
    found = desk.detail(5)
    assert found["values"] == ["1", "Oslo"]
    assert [one["row"] for one in found["neighbors"]] == [3, 20, 21, 23]
    assert found["neighbors"][0] == {"row": 3, "label": 0, "distance": 0.0, "p_wrong": 0.1, "values": ["3", "Oslo"]}


def test_a_document_without_values_or_suspects_is_shown(opened):
    assert opened(document([])).state() == {"whole": True, "last": 0, "suspects": [], "newest": None}
    assert opened(document([suspect(1, 0, 1, 0.9, [(2, 1)])])).detail(1)["values"] == []


@pytest.mark.parametrize(
    ("row", "kind", "chosen", "words"),
    [
        (4, "keep", None, "Row 4 is not a suspect"),
        ("3", "keep", None, 'Row "3" is not a suspect'),
        (True, "keep", None, "Row true is not a suspect"),
        (3, "erase", None, 'got "erase"'),
        (3, "undo", None, 'got "undo"'),
        (3, None, None, "got null"),
        (3, "accept", None, "from 0 to 1, got null"),
        (3, "choose", 2, "from 0 to 1, got 2"),
        (3, "choose", -1, "from 0 to 1, got -1"),
        (3, "accept", 0, "use keep, not accept"),
    ],
)
def test_invalid_decisions_are_refused_and_not_logged(opened, row, kind, chosen, words):
    desk = opened(small())
    with pytest.raises(BadRequest) as refused:
        desk.decide(row, kind, chosen)
    assert words in str(refused.value)
    assert desk.log.entries() == []


def test_long_values_are_truncated_in_refusals(opened):
    with pytest.raises(BadRequest) as refused:
        opened(small()).decide("x" * 1000, "keep")
    assert str(refused.value) == f'Row "{"x" * 58}… is not a suspect of this audit.'


@pytest.mark.parametrize("p", [0.0, 0.004, 0.005, 0.125, 0.625, 0.9949, 0.995, 0.99996, 1.0])
def test_probabilities_are_formatted_as_in_reports_and_sentences(opened, p):
    desk = opened(document([suspect(1, 0, 1, p, [(2, 1)])]))
    (state,) = desk.state()["suspects"]
    assert state["p_wrong_text"] == state["p_audit_text"] == probability(p)


def test_the_audits_probability_stays_beside_the_current_one(opened):
    desk = opened(small())
    desk.decide(3, "accept", 1)
    state = {one["row"]: one for one in desk.state()["suspects"]}
    assert (state[5]["p_audit"], state[5]["p_audit_text"], state[5]["p_wrong_text"]) == (0.8, "0.80", "0.90")


@pytest.mark.speed
@pytest.mark.parametrize("n_classes", [2, 1000])
def test_a_decision_among_a_thousand_is_fast(tmp_path, n_classes):
    with closing(Desk(write(tmp_path, many(1000, n_classes)))) as desk:
        for suspect in desk.document.suspects[:20]:
            desk.decide(suspect.row, "accept", suspect.suggested)
        desk.state()
        following = desk.document.suspects[20]
        start = perf_counter()
        desk.decide(following.row, "keep")
        desk.state()
        assert perf_counter() - start < 0.5
