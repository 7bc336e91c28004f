"""When the data do not determine the rates."""

import numpy as np

from unflip.noise_rates.identifiability import find_notes, find_notes_on_share

CLASSES = np.array(["ham", "spam"])
LOW = np.array([0.05, 0.1])


def test_rates_in_narrow_intervals_need_no_note():
    assert find_notes(CLASSES, LOW, np.array([[0.0, 0.2], [0.05, 0.3]])) == ()


def test_a_wide_interval_is_noted_by_its_class():
    (note,) = find_notes(CLASSES, LOW, np.array([[0.0, 0.2], [0.05, 0.31]]))
    assert note.startswith("Class spam is pure nowhere")
    assert "from 5% to 31%" in note


def test_labels_that_say_next_to_nothing_are_noted_where_there_are_two_classes():
    rates, intervals = np.array([0.4, 0.31]), np.array([[0.35, 0.45], [0.25, 0.35]])
    for notes in (find_notes(CLASSES, rates, intervals), find_notes_on_share(CLASSES, rates, (0.3, 0.25, 0.35), 0.3)):
        (note,) = notes
        assert note.startswith("The two rates sum to 71%.")
    three = np.array(["a", "b", "c"])
    assert find_notes_on_share(three, np.full(3, 0.4), (0.4, 0.35, 0.45), 0.4) == ()


def test_a_share_that_is_certain_and_hardly_depends_on_the_prior_needs_no_note():
    assert find_notes_on_share(CLASSES, LOW, (0.07, 0.02, 0.16), 0.11) == ()


def test_a_share_in_a_wide_interval_is_noted_and_what_the_prior_does_is_not():
    (note,) = find_notes_on_share(CLASSES, LOW, (0.07, 0.02, 0.18), 0.3)
    assert note.startswith("The classes overlap")
    assert "from 2% to 18%" in note


def test_a_share_that_depends_on_the_prior_is_noted_either_way():
    for by_data_alone in (0.02, 0.14):
        (note,) = find_notes_on_share(CLASSES, LOW, (0.08, 0.05, 0.1), by_data_alone)
        assert "8% with the prior that was used" in note
        assert f"{by_data_alone:.0%} if every rate were equally likely" in note
